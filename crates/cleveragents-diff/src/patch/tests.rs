use super::{BinaryPatch, LineKind, Operation, Patch, PatchErrorKind, PatchForm};

fn parsed(text: &str) -> Patch<'_> {
    Patch::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn refused(text: &str) -> (u32, PatchErrorKind) {
    let error = Patch::parse(text.as_bytes()).unwrap_err();
    (error.line, error.kind)
}

/// Operation, old path, new path of each file.
fn files(text: &str) -> Vec<(Operation, String, String)> {
    let name = |path: &Option<std::borrow::Cow<'_, [u8]>>| {
        path.as_deref().map_or("-".to_owned(), |path| String::from_utf8_lossy(path).into_owned())
    };
    parsed(text)
        .files
        .iter()
        .map(|file| (file.operation, name(&file.old_path), name(&file.new_path)))
        .collect()
}

fn one(operation: Operation, old: &str, new: &str) -> Vec<(Operation, String, String)> {
    vec![(operation, old.to_owned(), new.to_owned())]
}

#[test]
fn a_removed_sql_comment_is_no_header() {
    let patch = parsed(
        "--- a/q.sql\n+++ b/q.sql\n@@ -1,3 +1,2 @@\n x\n--- old\n y\n@@ -9 +8 @@\n--- b\n+++ c\n@@ -19 +18 @@\n-d\n+e\n",
    );
    let [file] = &patch.files[..] else { panic!() };
    let lines: Vec<Vec<(LineKind, &[u8])>> =
        file.hunks.iter().map(|hunk| hunk.lines().map(|line| (line.kind, line.text)).collect()).collect();
    assert_eq!(
        lines,
        [
            vec![(LineKind::Context, &b"x"[..]), (LineKind::Removed, b"-- old"), (LineKind::Context, b"y")],
            vec![(LineKind::Removed, b"-- b"), (LineKind::Added, b"++ c")],
            vec![(LineKind::Removed, b"d"), (LineKind::Added, b"e")],
        ]
    );
    assert!(file.hunks.iter().all(|hunk| hunk.miscount().is_none()));
}

#[test]
fn the_lines_decide_where_the_header_miscounts() {
    // Too many, with another file behind; too few; none at all.
    for header in ["@@ -1,9 +1,9 @@", "@@ -1 +1 @@", "@@ -1,3 +1,4 @@", "@@ -1,2 +1,4 @@", "@@ -1,0 +1,0 @@"]
    {
        let text =
            format!("--- a/x\n+++ b/x\n{header}\n a\n-b\n+B\n c\n\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-y\n+Y\n");
        let patch = parsed(&text);
        assert_eq!(patch.files.len(), 2, "{header}");
        let hunk = &patch.files[0].hunks[0];
        assert_eq!(hunk.lines().count(), 4, "{header}");
        assert_eq!(hunk.miscount().unwrap().found, (3, 3), "{header}");
    }
    let close =
        parsed("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n a\n-b\n+B\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-y\n+Y\n");
    assert_eq!(close.files.len(), 2);
    // A header without counts means one line.
    assert_eq!(parsed("--- x\n+++ x\n@@ -2 +2 @@\n-b\n+B\n").files[0].hunks[0].miscount(), None);
}

#[test]
fn a_mail_ends_with_a_signature() {
    let text = "Subject: x\n\n---\n x | 2 +-\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n\
                @@ -1 +1 @@\n-a\n+b\n-- \n2.47.3\n\n";
    let patch = parsed(text);
    assert_eq!(patch.files[0].hunks[0].miscount(), None);
    assert_eq!(patch.files[0].new_mode, Some(0o100_644));
}

#[test]
fn gits_extended_headers() {
    use Operation::{Copy, Create, Delete, Modify, Rename};
    let cases = [
        ("diff --git a/x b/x\nnew file mode 100644\n", one(Create, "-", "x")),
        ("diff --git a/x y b/x y\ndeleted file mode 100755\n", one(Delete, "x y", "-")),
        ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", one(Modify, "x", "x")),
        ("diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n", one(Rename, "x", "y")),
        ("diff --git a/x b/y\ncopy from x\ncopy to y\n", one(Copy, "x", "y")),
        (
            "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n--- \"a/\\303\\251\"\n+++ \"b/\\303\\251\"\n@@ -1 +1 @@\n-a\n+b\n",
            one(Modify, "é", "é"),
        ),
        ("diff --git x x\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n", one(Modify, "x", "x")),
        ("diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n", one(Modify, "x", "x")),
        (
            "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-a\n+b\n",
            one(Modify, "a b", "a b"),
        ),
        (
            "diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n",
            one(Create, "-", "b/x"),
        ),
        ("diff --git a/dev/null b/dev/null\nnew file mode 100644\n", one(Create, "-", "dev/null")),
    ];
    for (text, expected) in cases {
        assert_eq!(files(text), expected, "{text}");
    }
    let patch = parsed("diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n");
    assert_eq!(patch.files[0].similarity, Some(90));
}

#[test]
fn plain_diffs_have_times_and_prefixes_of_any_sort() {
    use Operation::{Create, Delete, Modify};
    let hunk = "@@ -1 +1 @@\n-a\n+b\n";
    let cases = [
        (format!("--- a/x\t2024-01-01 00:00:00.0 +0000\n+++ b/x\t2024-01-01\n{hunk}"), one(Modify, "x", "x")),
        (format!("--- x.orig\n+++ x\n{hunk}"), one(Modify, "x", "x")),
        ("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n".to_owned(), one(Create, "-", "x")),
        ("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n".to_owned(), one(Delete, "x", "-")),
        (
            "--- a/x\t1970-01-01 01:00:00.000000000 +0100\n+++ b/x\t2024-01-01 00:00:00\n@@ -0,0 +1 @@\n+b\n"
                .to_owned(),
            one(Create, "-", "x"),
        ),
        (
            "--- a/x\t2024-01-01 00:00:00\n+++ b/x\t1969-12-31 19:00:00.000000000 -0500\n@@ -1 +0,0 @@\n-b\n"
                .to_owned(),
            one(Delete, "x", "-"),
        ),
        // An epoch beside lines is a time like any other.
        (format!("--- a/x\t1970-01-01 00:00:00\n+++ b/x\t2024-01-01\n{hunk}"), one(Modify, "x", "x")),
    ];
    for (text, expected) in cases {
        assert_eq!(files(&text), expected, "{text}");
    }
}

#[test]
fn binary_contents_are_recognised() {
    let patch = parsed(
        "diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n\
         diff --git a/y b/y\nindex 1..2 100644\nGIT binary patch\nliteral 3\nKc${Nk\n\nliteral 0\nHcmV?d00001\n\n\
         diff --git a/z b/z\nold mode 100644\nnew mode 100755\n",
    );
    let binary: Vec<_> = patch.files.iter().map(|file| file.binary).collect();
    assert_eq!(binary, [Some(BinaryPatch::Differ), Some(BinaryPatch::Encoded), None]);
    assert_eq!(refused("Binary files a/x and b/x differ\n"), (1, PatchErrorKind::BinaryWithoutHeader));
}

#[test]
fn the_envelope() {
    use Operation::{Create, Delete, Modify, Rename};
    let text = "\n*** Begin Patch\n*** Add File: new.txt\n+one\n+\n*** Delete File: gone.txt\n\
                *** Update File: a.txt\n*** Move to: b.txt\n@@ class A\n@@     def f\n keep\n-- old\n++ new\n\n@@\n-x\n\
                *** End of File\n\n*** Update File: c\n*** Move to: ./c\n-x\n+y\n*** End Patch\n\n";
    let expected = [
        one(Create, "-", "new.txt"),
        one(Delete, "gone.txt", "-"),
        one(Rename, "a.txt", "b.txt"),
        one(Modify, "c", "c"),
    ];
    assert_eq!(files(text), expected.concat());
    let patch = parsed(text);
    assert!(patch.files.iter().all(|file| file.form == PatchForm::Envelope));
    let [first, second] = &patch.files[2].hunks[..] else { panic!() };
    assert_eq!(first.anchors, [&b"class A"[..], b"    def f"]);
    let lines: Vec<_> = first.lines().map(|line| (line.kind, line.text)).collect();
    assert_eq!(
        lines,
        [
            (LineKind::Context, &b"keep"[..]),
            (LineKind::Removed, b"- old"),
            (LineKind::Added, b"+ new"),
            (LineKind::Context, b""),
        ]
    );
    assert!(second.at_end && !first.at_end);
    // Padded marks are let pass where they cannot be content.
    let padded = " *** Begin Patch \n  *** Update File: x\n@@\n *** End Patch\n-a\n *** End Patch\n";
    assert_eq!(parsed(padded).files[0].hunks[0].lines().count(), 2);
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    use PatchErrorKind as Kind;
    let bad = |text: &str| Kind::BadHunkLine { text: text.as_bytes().to_vec() };
    let head = "--- a/x\n+++ b/x\n";
    let cases = [
        (String::new(), 1, Kind::NoFile),
        ("just text\n".to_owned(), 1, Kind::NoFile),
        ("@@ -1 +1 @@\n-a\n+b\n".to_owned(), 1, Kind::HunkWithoutFile),
        ("diff --cc x\n".to_owned(), 1, Kind::Combined),
        (format!("{head}@@ -1,3 +1,3 @@\n a\noops\n"), 5, bad("oops")),
        (format!("{head}@@ -1,9 +1,9 @@\n a\n\nno mark\n+x\n"), 6, bad("no mark")),
        ("diff --git a/x b/x\n--- a/x\n".to_owned(), 3, Kind::NoNewName),
        (format!("{head}@@ -1,x +1 @@\n"), 3, Kind::BadHunkHeader { text: b"@@ -1,x +1 @@".to_vec() }),
        (format!("{head}@@ -1 +1 @@\n"), 3, Kind::EmptyHunk),
        (format!("{head}@@ -1 +1,2 @@\n a\n\\ No newline\n+b\n"), 6, Kind::LineAfterEnd),
        ("diff --git a/x b/y\n".to_owned(), 1, Kind::UnclearName),
        ("diff --git a/x b/x\nnew file mode 9\n".to_owned(), 2, Kind::BadMode { text: b"9".to_vec() }),
        ("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n".to_owned(), 1, Kind::NoSide),
        ("--- \"x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n".to_owned(), 1, Kind::BadName { name: b"\"x".to_vec() }),
        ("*** Begin Patch\n*** Add File: x\n+a\n".to_owned(), 4, Kind::NoEnd),
        ("*** Begin Patch\n*** Update File: x\n*** End Patch\n".to_owned(), 2, Kind::EmptyUpdate),
        ("*** Begin Patch\n*** End Patch\n".to_owned(), 1, Kind::NoFile),
        ("*** Begin Patch\n*** Add File: x\na\n*** End Patch\n".to_owned(), 3, bad("a")),
        (
            "*** Begin Patch\n*** Frob: x\n*** End Patch\n".to_owned(),
            2,
            Kind::BadEnvelopeLine { text: b"*** Frob: x".to_vec() },
        ),
        (
            "*** Begin Patch\n*** Delete File: x\n*** End Patch\nmore\n".to_owned(),
            4,
            Kind::TextAfterEnd { text: b"more".to_vec() },
        ),
        (
            "diff --git a/x b/x\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n".to_owned(),
            2,
            Kind::DifferentNames { one: b"x".to_vec(), other: b"y".to_vec() },
        ),
    ];
    for (text, line, kind) in cases {
        assert_eq!(refused(&text), (line, kind), "{text}");
    }
}
