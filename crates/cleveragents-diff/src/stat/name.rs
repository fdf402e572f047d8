//! A file's name in a stat.

use super::FileStat;
use crate::unified::append_name;

/// The path, quoted as git quotes it; of a rename both, with what they share written once.
pub(super) fn shown(file: &FileStat<'_>) -> String {
    let quoted = |path: &[u8]| {
        let mut name = Vec::new();
        append_name("", path, &mut name);
        String::from_utf8_lossy(&name).into_owned()
    };
    let new = quoted(file.path);
    let Some(from) = file.from.filter(|from| *from != file.path) else { return new };
    let old = quoted(from);
    if old.as_bytes() != from || new.as_bytes() != file.path {
        return format!("{old} => {new}");
    }
    shared(&old, &new)
}

/// `a/{b => c}/d`: whole components are shared, and a `/` may belong to both the beginning and the end.
fn shared(old: &str, new: &str) -> String {
    let (left, right) = (old.as_bytes(), new.as_bytes());
    let equal = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let head = left[..equal].iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
    // The end may begin with the slash that ends the head, but not lie further in front.
    let most = left.len().min(right.len()) - head + usize::from(head > 0);
    let equal = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(most)
        .take_while(|(left, right)| left == right)
        .count();
    let tail = (0..=equal).rev().find(|&tail| tail > 0 && left[left.len() - tail] == b'/').unwrap_or(0);
    let middle = |text: &str| text[head..(text.len() - tail).max(head)].to_owned();
    let (from, to) = (middle(old), middle(new));
    if head + tail == 0 {
        return format!("{from} => {to}");
    }
    format!("{}{{{from} => {to}}}{}", &old[..head], &old[old.len() - tail..])
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn what_both_names_share_is_written_once() {
        assert_eq!(shared("a", "b"), "a => b");
        assert_eq!(shared("x/a", "x/b"), "x/{a => b}");
        assert_eq!(shared("a/x", "b/x"), "{a => b}/x");
        assert_eq!(shared("r/a/x", "r/b/x"), "r/{a => b}/x");
        assert_eq!(shared("r/x", "r/b/x"), "r/{ => b}/x");
        assert_eq!(shared("r/b/x", "r/x"), "r/{b => }/x");
        assert_eq!(shared("x", "b/x"), "x => b/x");
    }
}
