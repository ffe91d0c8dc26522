"""`spark patch` from outside: exit codes, nothing written on any failure, JSON for scripts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from spark_tui.cli.main import main

A = "def f():\n    x = 1\n    return x\n"
GOOD = "*** Begin Patch\n*** Update File: a.py\n@@\n-    x = 1\n+    x = 2\n*** End Patch\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.py").write_text(A)
    (folder / "b.bin").write_bytes(b"\0\1\2")
    monkeypatch.chdir(tmp_path)
    return folder


def run(root, text, *flags, capsys):
    (root.parent / "text").write_bytes(text if isinstance(text, bytes) else text.encode())
    code = main(["patch", "--root", str(root), *flags, "text"])
    said = capsys.readouterr()
    return code, said.out, said.err


def tree(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_patch_is_applied_and_said(root, capsys):
    code, out, err = run(root, GOOD, capsys=capsys)
    assert (code, out, err) == (0, "changed a.py (+1 -1)\n", "")
    assert (root / "a.py").read_text() == A.replace("x = 1", "x = 2")


def test_check_says_the_same_and_writes_nothing(root, capsys):
    before = tree(root)
    code, out, _ = run(root, GOOD, "--check", capsys=capsys)
    assert (code, out) == (0, "would change a.py (+1 -1)\n")
    assert tree(root) == before


def test_what_becomes_of_whole_files_is_said(root, capsys):
    (root / "c.py").write_text("c\n")
    moved = operation("*** Update File: a.py", "*** Move to: d.py", "@@", "-    x = 1", "+    x = 2")
    assert run(root, moved, capsys=capsys)[1] == "moved a.py to d.py (+1 -1)\n"
    both = operation("*** Add File: new.py", "+n", "*** Delete File: c.py")
    assert run(root, both, "--check", capsys=capsys)[1].splitlines() == [
        "would add new.py (+1 -0)",
        "would delete c.py (+0 -1)",
    ]


@pytest.mark.parametrize("flag", [(), ("--check",)])
def test_files_that_do_not_compile_any_more_are_named(root, capsys, flag):
    (root / "old.py").write_text("x = (\ny = 1\n")
    (root / "text.txt").write_text("x = 1\n")
    (root / "moved.py").write_text("print 1\n")
    text = operation(
        *("*** Update File: a.py", "@@", "-    x = 1", "+    x = (1"),
        *("*** Update File: old.py", "@@", "-y = 1", "+y = 2"),
        *("*** Update File: text.txt", "@@", "-x = 1", "+x = ("),
        *("*** Add File: new.py", "+return 1"),
        *("*** Update File: moved.py", "*** Move to: goal.py"),
    )
    code, out, err = run(root, text, *flag, capsys=capsys)
    assert (code, len(out.splitlines())) == (0, 5)
    assert [line.split(": breaks: the file does not compile: ")[0] for line in err.splitlines()] == [
        "a.py:2",
        "new.py:1",
    ]


def operation(*lines):
    return "*** Begin Patch\n" + "".join(line + "\n" for line in lines) + "*** End Patch\n"


FAILING = {
    "identical": (1, "a.py\n```\n<<<<<<< SEARCH\ndef f():\n=======\ndef f():\n>>>>>>> REPLACE\n```\n"),
    "identical whole file": (1, f"a.py\n```\n{A}```\n"),
    "empty": (1, ""),
    "no operation": (1, "*** Begin Patch\n*** End Patch\n"),
    "verdict": (1, "*** a.py\n@@ no-edit\n"),
    "only prose": (2, "I cannot do that.\n"),
    "cut off": (2, GOOD.replace("*** End Patch\n", "")),
    "no fence": (2, f"a.py\n```\n{A}x\n"),
    "stale": (3, GOOD.replace("x = 1", "x = 7")),
    "missing": (3, operation("*** Delete File: z.py")),
    "late": (3, operation("*** Add File: n.py", "+x", "*** Update File: a.py", "@@", "-nope", "+no")),
    "outside": (5, operation("*** Add File: ../n.py", "+x")),
    "absolute": (5, operation("*** Add File: /tmp/n.py", "+x")),
    "git": (5, operation("*** Add File: .git/hooks/pre-commit", "+x")),
    "nul in a line": (5, operation("*** Update File: a.py", "@@", "-    x = 1", "+    x = '\0'")),
    "nul in a new file": (5, operation("*** Add File: n.py", "+\0")),
    "binary": (5, operation("*** Update File: b.bin", "@@", "-x", "+y")),
    "add over": (5, operation("*** Add File: a.py", "+x")),
    "move over": (
        5,
        operation("*** Update File: a.py", "*** Move to: b.bin", "@@", "-    x = 1", "+    x = 2"),
    ),
    "move out": (
        5,
        operation("*** Update File: a.py", "*** Move to: ../b.py", "@@", "-    x = 1", "+    x = 2"),
    ),
    "nul in the path": (5, operation("*** Add File: a\0b", "+x")),
    "random bytes": (2, bytes(range(256)) * 20),
}


@pytest.mark.parametrize("name", FAILING)
def test_each_failure_has_its_exit_code_and_writes_nothing(root, capsys, name):
    code, text = FAILING[name]
    before = tree(root)
    got, out, err = run(root, text, capsys=capsys)
    assert (got, out) == (code, ""), err
    assert err.startswith("spark: ")
    assert tree(root) == before
    assert sorted(path.name for path in root.parent.iterdir()) == ["text", "tree"]


@pytest.mark.parametrize("name", FAILING)
def test_each_failure_is_one_json_object_on_request(root, capsys, name):
    code, text = FAILING[name]
    got, out, err = run(root, text, "--json", capsys=capsys)
    report = json.loads(out)
    assert got == report["exit_code"] == report["error"]["exit_code"] == code
    assert err == "" and report["applied"] is False and report["checkpoint"] == ""


def test_the_json_of_a_misfit_names_the_line_and_the_nearest_places(root, capsys):
    text = (
        "a.py\n```\n<<<<<<< SEARCH\ndef f():\n    x = 7\n    return x\n=======\n    y\n>>>>>>> REPLACE\n```\n"
    )
    _, out, _ = run(root, text, "--json", capsys=capsys)
    (failure,) = json.loads(out)["failures"]
    assert failure == {
        "path": "a.py",
        "message": "the edit does not match line 2 of the file",
        "exit_code": 3,
        "line": 2,
        "expected": "    x = 7",
        "found": "    x = 1",
        "candidates": [1],
    }
    _, _, err = run(root, text, capsys=capsys)
    assert "a.py:2" in err and "expected '    x = 7', found '    x = 1'" in err
    assert "Nothing was written" in err


def test_a_quote_that_is_nowhere_in_the_file_is_not_compared_with_a_line(root, capsys):
    _, _, err = run(root, "a.py\n<<<<<<< SEARCH\nnope\n=======\ny\n>>>>>>> REPLACE\n", capsys=capsys)
    assert "Not found: 'nope'. Nothing was written." in err and "expected" not in err


def test_too_large_is_refused(root, capsys):
    code, _, err = run(root, GOOD, "--max-bytes", "10", capsys=capsys)
    assert code == 5 and "limit" in err


def test_overwrite_lets_files_be_replaced(root, capsys):
    text = operation("*** Add File: a.py", "+new", "*** Update File: c.py", "*** Move to: d.py")
    (root / "c.py").write_text("c\n")
    (root / "d.py").write_text("d\n")
    assert run(root, text, "--overwrite", capsys=capsys)[0] == 0
    assert tree(root) == {"a.py": b"new\n", "d.py": b"c\n", "b.bin": b"\0\1\2"}


def test_what_git_ignores_is_refused_unless_asked(root, capsys):
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    (root / ".gitignore").write_text("*.log\n")
    text = operation("*** Add File: x.log", "+x")
    assert run(root, text, capsys=capsys)[0] == 5
    assert not (root / "x.log").exists()
    assert run(root, text, "--ignored", capsys=capsys)[0] == 0
    assert (root / "x.log").read_text() == "x\n"


@pytest.mark.parametrize("mode", ["100000", "100777", "104755", "100abc", "1006", "120000"])
@pytest.mark.parametrize("kind", ["old mode 100644\nnew mode", "new file mode"])
def test_a_mode_that_git_does_not_know_is_refused_and_takes_no_permission_away(root, capsys, mode, kind):
    name = "a.py" if kind.startswith("old") else "n.py"
    body = "" if kind.startswith("old") else "--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n"
    before = (root / "a.py").stat().st_mode
    text = f"diff --git a/{name} b/{name}\n{kind} {mode}\n{body}"
    code, _, err = run(root, text, capsys=capsys)
    assert code == 5 and f"not mode {mode}" in err
    assert (root / "a.py").stat().st_mode == before and not (root / "n.py").exists()


def test_modes_are_honoured_and_new_files_are_0644(root, capsys):
    text = (
        "diff --git a/a.py b/a.py\nold mode 100644\nnew mode 100755\n"
        "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n"
        "diff --git a/r.sh b/r.sh\nnew file mode 100755\n--- /dev/null\n+++ b/r.sh\n@@ -0,0 +1 @@\n+x\n"
    )
    old = os.umask(0o077)
    try:
        assert run(root, text, capsys=capsys)[0] == 0
    finally:
        os.umask(old)
    modes = {name: (root / name).stat().st_mode & 0o777 for name in ("a.py", "n.py", "r.sh")}
    assert modes == {"a.py": 0o755, "n.py": 0o644, "r.sh": 0o755}


def test_old_mac_files_are_edited(root, capsys):
    (root / "mac.txt").write_bytes(b"one\rtwo\rthree\r")
    text = "mac.txt\n```\n<<<<<<< SEARCH\ntwo\n=======\n2\nand more\n>>>>>>> REPLACE\n```\n"
    assert run(root, text, capsys=capsys)[0] == 0
    assert (root / "mac.txt").read_bytes() == b"one\r2\rand more\rthree\r"


def test_a_patch_can_be_taken_back_with_checkpoints(root, capsys):
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    _, out, _ = run(root, GOOD, "--json", capsys=capsys)
    report = json.loads(out)
    assert report["applied"] and report["checkpoint"] == "patch/1"
    assert main(["checkpoints", "-C", str(root), "restore", "patch/1"]) == 0
    assert (root / "a.py").read_text() == A


def test_standard_input_is_read_and_a_missing_file_is_malformed(root, capsys):
    command = [sys.executable, "-m", "spark_tui", "patch", "--root", str(root)]
    done = subprocess.run(command, input=GOOD.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (root / "a.py").read_text() == A.replace("x = 1", "x = 2")
    assert main(["patch", "--root", str(root), "nowhere"]) == 2
    assert main(["patch", "--root", str(root / "nowhere"), "text"]) == 7


def test_a_name_with_control_characters_is_shown_as_marks(root, capsys):
    code, out, _ = run(root, operation("*** Add File: a\x1b[31mb.py", "+x"), capsys=capsys)
    assert code == 0
    assert out == "added a\\x1b[31mb.py (+1 -0)\n"


def test_a_killed_patch_is_brought_to_an_end_by_the_next(root, capsys, monkeypatch):
    from spark_tui.config import paths
    from spark_tui.workspace import apply as workspace
    from spark_tui.workspace.disk import Disk

    class Dead(BaseException):
        pass

    seen = []

    def step(operation, name):
        seen.append(operation)
        if operation == "rename" and name == "a.py":
            raise Dead

    ready = workspace.plan(
        root,
        [workspace.WantedFile("n.py", None, b"n\n"), workspace.WantedFile("a.py", A.encode(), b"a\n")],
        lambda base, ours, theirs: (None, ()),
    )
    journal = paths.repository_state_dir(root) / "apply"
    monkeypatch.setattr(
        "spark_tui.workspace.transaction.Transaction._give_up", lambda self, steps, committed: None
    )
    with pytest.raises(Dead):
        workspace.apply(ready, journal, disk=Disk(step))
    assert (root / "n.py").exists() and (root / "a.py").read_text() == A
    assert run(root, "", capsys=capsys)[0] == 1
    assert (root / "a.py").read_text() == "a\n"


@pytest.mark.parametrize("path", ["a\x1b]0;title\x07.py", "\u202egnp.py", "\x9b31m.py", "../\x1b[2J"])
def test_no_error_message_carries_control_characters_to_the_terminal(root, capsys, path):
    for text in (
        operation(f"*** Update File: {path}", "@@", "-\x1b[1mx", "+y"),
        operation(f"*** Add File: ../{path}", "+x"),
    ):
        _, _, err = run(root, text, capsys=capsys)
        assert err and all(ch.isprintable() or ch == "\n" for ch in err), err


@pytest.mark.parametrize("flags", [[], ["--json"], ["--check"]])
def test_a_write_of_which_stdout_takes_no_word_is_done(root, flags):
    command = [sys.executable, "-m", "spark_tui", "patch", "--root", str(root), *flags]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, input=GOOD.encode(), stdout=full, stderr=subprocess.PIPE, check=False)
    written = (root / "a.py").read_text() != A
    assert (written, done.returncode) == ((False, 7) if "--check" in flags else (True, 0))
    said = (
        b"the disk is full" if "--check" in flags else b"the files are written; this cannot be said on stdout"
    )
    assert said in done.stderr
