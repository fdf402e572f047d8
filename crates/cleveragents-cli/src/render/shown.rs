//! Text from plans, tools and file names, made safe to show: it cannot move the cursor, clear the screen or forge a line.

use std::fmt::Write as _;

/// One line of text: every control character, the line end included, is written as `\n`, `\t` or `\u{1b}`.
pub(crate) fn shown(text: &str) -> String {
    escaped(text, |_| false)
}

/// Several lines: as [`shown`], but line ends and tabs stay.
pub(crate) fn shown_lines(text: &str) -> String {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if stays(c) || !hides(c) => safe.push(c),
            '\n' => safe.push_str("\\n"),
            '\t' => safe.push_str("\\t"),
            c => {
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(c));
            }
        }
    }
    safe
}

/// Control characters, and those that turn the direction of text around.
fn hides(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Bytes that go to a terminal: safe lines where they are text, unchanged elsewhere.
pub(crate) fn for_terminal(bytes: Vec<u8>, terminal: bool) -> Vec<u8> {
    if !terminal {
        return bytes;
    }
    shown_lines(&String::from_utf8_lossy(&bytes)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_the_cursor_is_left() {
        assert_eq!(shown("a\r\u{1b}[2J\nState applied"), "a\\u{d}\\u{1b}[2J\\nState applied");
        assert_eq!(shown_lines("+a\tb\n-\u{8}c\n"), "+a\tb\n-\\u{8}c\n");
        assert_eq!(shown("evil\u{202e}txt.exe"), "evil\\u{202e}txt.exe");
        assert_eq!(shown("Grüße 漢字"), "Grüße 漢字");
    }

    #[test]
    fn what_goes_to_a_file_is_not_touched() {
        let bytes = b"\x1b[8m\xff\r\n".to_vec();
        assert_eq!(for_terminal(bytes.clone(), false), bytes);
        assert_eq!(for_terminal(bytes, true), "\\u{1b}[8m\u{fffd}\\u{d}\n".as_bytes());
    }
}
