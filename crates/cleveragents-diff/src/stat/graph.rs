//! The lines of a stat, drawn to fit.

use std::fmt::Write as _;

use super::{BinarySizes, FileStat, name};

/// Room for ` `, ` | ` and the blanks around the number.
const AROUND: usize = 6;

/// The columns that names, numbers and graphs get.
struct Columns {
    name: usize,
    number: usize,
    graph: usize,
    /// The largest change, which fills the graph's columns.
    most: usize,
}

/// Appends a line for each file.
pub(super) fn append(files: &[FileStat<'_>], width: usize, text: &mut String) {
    let names: Vec<String> = files.iter().map(name::shown).collect();
    let columns = Columns::new(files, &names, width);
    for (file, name) in files.iter().zip(&names) {
        append_name(name, columns.name, text);
        let number = columns.number;
        match file.binary {
            Some(BinarySizes { before: 0, after: 0 }) => {
                let _ = writeln!(text, " | {:>number$}", "Bin");
            }
            Some(BinarySizes { before, after }) => {
                let _ = writeln!(text, " | {:>number$} {before} -> {after} bytes", "Bin");
            }
            None => {
                let (added, removed) = (file.added as usize, file.removed as usize);
                let (plus, minus) = columns.scaled(added, removed);
                let blank = if added + removed > 0 { " " } else { "" };
                let (plus, minus) = ("+".repeat(plus), "-".repeat(minus));
                let _ = writeln!(text, " | {:>number$}{blank}{plus}{minus}", added + removed);
            }
        }
    }
}

/// A name in its column; one that is too long loses its beginning, up to a `/` if there is one.
fn append_name(name: &str, width: usize, text: &mut String) {
    let (mut shown, mut room, mut dots) = (name, width, "");
    if name.len() > width {
        dots = "...";
        room = width.saturating_sub(dots.len());
        // Names are ASCII: anything else is quoted.
        shown = name.get(name.len() - room..).unwrap_or(name);
        shown = shown.find('/').map_or(shown, |slash| &shown[slash..]);
    }
    let _ = write!(text, " {dots}{shown:<room$}");
}

impl Columns {
    fn new(files: &[FileStat<'_>], names: &[String], width: usize) -> Self {
        let change = |file: &FileStat<'_>| file.added as usize + file.removed as usize;
        let most = files.iter().filter(|file| file.binary.is_none()).map(change).max().unwrap_or(0);
        let sizes = files.iter().filter_map(|file| file.binary);
        let bin = sizes.map(|sizes| 14 + digits(sizes.before) + digits(sizes.after)).max();
        let number = digits(most as u64).max(if bin.is_some() { "Bin".len() } else { 0 });
        let width = width.max(16 + AROUND + number);
        let bin = bin.unwrap_or(0);
        let mut graph = if most + 4 > bin { most } else { bin - 4 };
        let mut name = names.iter().map(String::len).max().unwrap_or(0);
        if name + number + AROUND + graph > width {
            graph = graph.min((width * 3 / 8).saturating_sub(number + AROUND).max(6));
            let room = width.saturating_sub(number + AROUND + graph);
            if name > room {
                name = room;
            } else {
                graph = width - number - AROUND - name;
            }
        }
        Self { name, number, graph, most }
    }

    fn scaled(&self, added: usize, removed: usize) -> (usize, usize) {
        if self.graph > self.most {
            return (added, removed);
        }
        let scale = |count: usize| if count == 0 { 0 } else { 1 + count * (self.graph - 1) / self.most };
        let both = added > 0 && removed > 0;
        let total = scale(added + removed).max(if both { 2 } else { 0 });
        if added < removed {
            let plus = scale(added);
            (plus, total - plus)
        } else {
            let minus = scale(removed);
            (total - minus, minus)
        }
    }
}

fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |digits| digits as usize + 1)
}
