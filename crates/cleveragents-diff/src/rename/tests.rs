use super::{RenameEnd, find_renames};

fn end<'a>(path: &'a str, content: &'a str) -> RenameEnd<'a> {
    RenameEnd { path: path.as_bytes(), hash: content.as_bytes(), content: Some(content.as_bytes()) }
}

fn found(deleted: &[RenameEnd<'_>], created: &[RenameEnd<'_>]) -> Vec<(usize, usize, u8)> {
    find_renames(deleted, created).iter().map(|pair| (pair.deleted, pair.created, pair.similarity)).collect()
}

#[test]
fn equal_contents_go_by_their_base_name_first() {
    let old = [end("x/a", "same"), end("x/b", "same"), end("c", "other")];
    let new = [end("y/b", "same"), end("y/z", "same")];
    assert_eq!(found(&old, &new), [(1, 0, 100), (0, 1, 100)]);
}

#[test]
fn the_most_alike_is_taken() {
    let old = [end("a", "1\n2\n3\n4\n"), end("b", "1\n2\n3\nx\n")];
    let new = [end("c", "1\n2\n3\n4\n5\n"), end("d", "9\n")];
    assert_eq!(found(&old, &new), [(0, 0, 80)]);
    assert_eq!(found(&[end("a", "1\n2\n")], &[end("c", "2\n1\n")]), [(0, 0, 99)]);
}

#[test]
fn too_little_in_common_is_no_rename() {
    assert_eq!(found(&[end("a", "1\n2\n3\n")], &[end("b", "1\nx\ny\n")]), []);
    assert_eq!(found(&[end("a", "")], &[end("b", "")]), []);
    let unseen = RenameEnd { content: None, ..end("a", "1\n2\n") };
    assert_eq!(found(&[unseen], &[end("b", "1\n3\n")]), []);
    assert_eq!(found(&[unseen], &[end("b", "1\n2\n")]), [(0, 0, 100)]);
}
