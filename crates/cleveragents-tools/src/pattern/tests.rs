use super::*;

#[test]
fn directories_in_which_nothing_can_fit_are_not_entered() {
    let enters = |pattern: &str, directory: &str| {
        Pattern::path(pattern).unwrap().enters(&RelPath::from_text(directory).unwrap())
    };
    for (pattern, directory) in [
        ("src/a/*.rs", "src"),
        ("src/a/*.rs", "src/a"),
        ("src/{a/b,c}/d", "src/x"),
        ("{src/a,docs}/x", "docs"),
        ("**/x", "any"),
        ("*/x", "any"),
        (r"s\rc/x", "src"),
        ("[s/]rc/x", "src"),
    ] {
        assert!(enters(pattern, directory), "{pattern} {directory}");
    }
    for (pattern, directory) in [("src/a/*.rs", "docs"), ("src/a/*.rs", "src/b"), ("src/a/*.rs", "srcs")] {
        assert!(!enters(pattern, directory), "{pattern} {directory}");
    }
}

#[test]
fn a_pattern_without_two_stars_is_as_deep_as_its_names() {
    let depth = |pattern: &str| Pattern::path(pattern).unwrap().depth();
    assert_eq!((depth("*.rs"), depth("./src/*.rs"), depth("{a/b,c}/d/")), (1, 2, 3));
    assert_eq!((depth("**"), depth("a/**/b")), (usize::MAX, usize::MAX));
    assert_eq!(Pattern::filter("*.rs").unwrap().depth(), usize::MAX);
}
