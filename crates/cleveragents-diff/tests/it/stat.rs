//! Stats beside git's own, made from the numbers that git counted.

use std::fmt::Write as _;
use std::fs;

use cleveragents_diff::{BinarySizes, FileStat, numstat, stat};

use crate::git::run;
use crate::random::Random;

const NAMES: [&str; 14] = [
    "a",
    "src/lib.rs",
    "src/a/very/long/path/that/goes/on/and/on/until/it/does/not/fit/any/more/name.rs",
    "another_very_long_name_without_any_folder_in_it_that_does_not_fit_at_all_in_eighty_columns.txt",
    "with space",
    "été/x",
    "x\ty",
    "r/a/x",
    "r/b/x",
    "bin/one",
    "bin/two",
    "z1",
    "z2",
    "z3",
];

struct Owned {
    path: Vec<u8>,
    from: Option<Vec<u8>>,
    added: u32,
    removed: u32,
    binary: Option<BinarySizes>,
}

/// git's own counts and names.
fn counted(root: &std::path::Path) -> Vec<Owned> {
    let text = run(root, &["diff", "-M", "--numstat", "-z", "HEAD~", "HEAD"]);
    let mut fields = text.split(|&byte| byte == 0);
    let mut files = Vec::new();
    while let Some(field) = fields.next().filter(|field| !field.is_empty()) {
        let mut parts = field.splitn(3, |&byte| byte == b'\t');
        let mut number = || std::str::from_utf8(parts.next().unwrap()).unwrap().parse().ok();
        let (added, removed) = (number(), number());
        let path = parts.next().unwrap();
        let (from, path) = if path.is_empty() {
            (Some(fields.next().unwrap().to_vec()), fields.next().unwrap().to_vec())
        } else {
            (None, path.to_vec())
        };
        let size = |commit: &str, path: &[u8]| {
            let spec = format!("{commit}:{}", std::str::from_utf8(path).unwrap());
            let mut git = crate::git::command(root);
            let output = git.args(["cat-file", "-s", &spec]).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().parse().unwrap_or(0)
        };
        let binary = added.is_none().then(|| BinarySizes {
            before: size("HEAD~", from.as_deref().unwrap_or(&path)),
            after: size("HEAD", &path),
        });
        files.push(Owned { path, from, added: added.unwrap_or(0), removed: removed.unwrap_or(0), binary });
    }
    files
}

#[test]
fn like_gits() {
    let mut random = Random::new(51);
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    run(root, &["init", "-q"]);
    run(root, &["commit", "-q", "--allow-empty", "-m", "empty"]);
    let mut seen = 0;
    for round in 0..20 {
        for (index, name) in NAMES.iter().enumerate() {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if random.one_in(3) {
                let _ = fs::remove_file(&path);
                continue;
            }
            if random.one_in(4) && path.exists() {
                // Now and then a file goes where another one was.
                let _ = fs::rename(&path, root.join(NAMES[(index + 1) % NAMES.len()]));
                continue;
            }
            let lines = [3, 30, 400][random.below(3)];
            let mut content = String::new();
            for line in 0..random.below(lines) {
                let _ =
                    writeln!(content, "{index} {line} {}", random.below(if round % 2 == 0 { 2 } else { 50 }));
            }
            if random.one_in(8) {
                content.push('\0');
            }
            fs::write(&path, content).unwrap();
        }
        run(root, &["add", "-A"]);
        run(root, &["commit", "-q", "--allow-empty", "-m", "x"]);
        let owned = counted(root);
        let files: Vec<FileStat<'_>> = owned
            .iter()
            .map(|file| FileStat {
                path: &file.path,
                from: file.from.as_deref(),
                added: file.added,
                removed: file.removed,
                binary: file.binary,
            })
            .collect();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        assert_eq!(numstat(&files), text(run(root, &["diff", "-M", "--numstat", "HEAD~", "HEAD"])));
        for width in [80, 30, 50, 120, 200] {
            let option = format!("--stat={width}");
            assert_eq!(
                stat(&files, width),
                text(run(root, &["diff", "-M", &option, "HEAD~", "HEAD"])),
                "{width}"
            );
        }
        seen += files.len();
    }
    assert!(seen > 150, "only {seen}");
}
