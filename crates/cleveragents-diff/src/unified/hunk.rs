//! The hunks of one text change.

use std::ops::Range;

use crate::line;
use crate::span::{Span, spans};

/// Appends the hunks that turn `before` into `after`.
pub(super) fn append(before: &[u8], after: &[u8], context: usize, out: &mut Vec<u8>) {
    let (before, after) = (line::lines(before), line::lines(after));
    for group in groups(&spans(&before, &after), context) {
        append_hunk(&before, &after, group, context, out);
    }
}

/// Spans that are so near one another that their context would meet belong to one hunk.
fn groups(spans: &[Span], context: usize) -> impl Iterator<Item = &[Span]> {
    let gap = context.saturating_mul(2);
    spans.chunk_by(move |left, right| right.before.start - left.before.end <= gap)
}

fn append_hunk(before: &[&[u8]], after: &[&[u8]], group: &[Span], context: usize, out: &mut Vec<u8>) {
    let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
    // Both sides are equal around a group, so one number serves both; either side may be the shorter one.
    let lead = context.min(first.before.start);
    let trail = context.min(before.len() - last.before.end);
    let rows = first.before.start - lead..last.before.end + trail;
    let columns = first.after.start - lead..last.after.end + trail;
    let header = format!("@@ -{} +{} @@\n", range(&rows), range(&columns));
    out.extend_from_slice(header.as_bytes());
    let mut row = rows.start;
    for span in group {
        append_lines(b' ', &before[row..span.before.start], out);
        append_lines(b'-', &before[span.before.clone()], out);
        append_lines(b'+', &after[span.after.clone()], out);
        row = span.before.end;
    }
    append_lines(b' ', &before[row..rows.end], out);
}

fn append_lines(mark: u8, lines: &[&[u8]], out: &mut Vec<u8>) {
    for line in lines {
        out.push(mark);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// `start,count`, counted from one; an empty range names the line in front of it, and a count of one is left out.
fn range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

#[cfg(test)]
mod tests {
    fn written(before: &str, after: &str) -> String {
        let mut out = Vec::new();
        super::append(before.as_bytes(), after.as_bytes(), 3, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn one_line_in_the_middle() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(
            written(before, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        );
    }

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_do_not() {
        let lines = |changed: &[usize]| -> String {
            (1..=20)
                .map(|n| if changed.contains(&n) { format!("x{n}\n") } else { format!("{n}\n") })
                .collect()
        };
        let hunks = |changed| written(&lines(&[]), &lines(changed)).matches("@@ -").count();
        assert_eq!(hunks(&[4, 11]), 1);
        assert_eq!(hunks(&[4, 12]), 2);
    }

    #[test]
    fn the_end_of_the_file_is_told() {
        assert_eq!(written("a\nb", "a\nc\n"), "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n");
        assert_eq!(written("b", "a\nb"), "@@ -1 +1,2 @@\n+a\n b\n\\ No newline at end of file\n");
    }

    #[test]
    fn an_empty_side_starts_at_zero() {
        assert_eq!(written("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
        assert_eq!(written("-- old\n", ""), "@@ -1 +0,0 @@\n--- old\n");
    }
}
