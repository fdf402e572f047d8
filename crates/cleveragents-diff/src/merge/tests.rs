use super::{MergeLabels, MergeStyle, RegionKind, merge, render};

const LABELS: MergeLabels<'static> = MergeLabels { ours: b"o", base: b"b", theirs: b"t" };

fn rendered(base: &str, ours: &str, theirs: &str, style: MergeStyle) -> String {
    let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    String::from_utf8(render(&merged, &LABELS, style)).unwrap()
}

fn kinds(base: &str, ours: &str, theirs: &str) -> Vec<RegionKind> {
    merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes())
        .regions
        .iter()
        .map(|region| region.kind)
        .collect()
}

#[test]
fn regions_are_data() {
    use RegionKind::{Both, Conflict, Ours, Theirs, Unchanged};
    let base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let ours = "1\nO\n3\nB\n5\n6\n7\nX\n9\n";
    let theirs = "1\n2\n3\nB\n5\nT\n7\nY\n9\n";
    let expected = [Unchanged, Ours, Unchanged, Both, Unchanged, Theirs, Unchanged, Conflict, Unchanged];
    assert_eq!(kinds(base, ours, theirs), expected);
    let merged = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    let conflict = &merged.regions[7];
    assert_eq!(
        (merged.base(conflict), merged.ours(conflict), merged.theirs(conflict)),
        (&b"8\n"[..], &b"X\n"[..], &b"Y\n"[..])
    );
    assert_eq!(merged.merged(conflict), None);
    for (side, text) in [(0, base), (1, ours), (2, theirs)] {
        let pieces = merged.regions.iter().map(|region| match side {
            0 => merged.base(region),
            1 => merged.ours(region),
            _ => merged.theirs(region),
        });
        assert_eq!(pieces.collect::<Vec<_>>().concat(), text.as_bytes());
    }
}

#[test]
fn a_conflict_is_as_small_as_its_sides_differ() {
    let base = "a\n";
    let (ours, theirs) = ("x\nsame 1\nsame 2\nsame 3\nsame 4\no\n", "x\nsame 1\nsame 2\nsame 3\nsame 4\nt\n");
    assert_eq!(
        rendered(base, ours, theirs, MergeStyle::Merge),
        "x\nsame 1\nsame 2\nsame 3\nsame 4\n<<<<<<< o\no\n=======\nt\n>>>>>>> t\n"
    );
    assert_eq!(
        rendered(base, ours, theirs, MergeStyle::Diff3),
        format!("<<<<<<< o\n{ours}||||||| b\na\n=======\n{theirs}>>>>>>> t\n")
    );
}

#[test]
fn line_ends_of_marks() {
    assert_eq!(
        rendered("a\r\nb\r\n", "a\r\nx\r\n", "a\r\ny\r\n", MergeStyle::Merge),
        "a\r\n<<<<<<< o\r\nx\r\n=======\r\ny\r\n>>>>>>> t\r\n"
    );
    assert_eq!(
        rendered("a\nb", "a\nx", "a\ny", MergeStyle::Merge),
        "a\n<<<<<<< o\nx\n=======\ny\n>>>>>>> t\n"
    );
}

#[test]
fn one_side_alone_wins() {
    assert_eq!(rendered("a\n", "a\n", "b", MergeStyle::Merge), "b");
    assert_eq!(rendered("a\n", "", "a\n", MergeStyle::Merge), "");
    assert_eq!(rendered("", "x\n", "x\n", MergeStyle::Diff3), "x\n");
    assert_eq!(kinds("", "", ""), []);
}
