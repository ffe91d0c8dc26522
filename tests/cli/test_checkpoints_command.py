"""`spark checkpoints` from outside."""

import json
import subprocess
import sys

import pytest

from spark_tui.cli.main import main


@pytest.fixture(params=[True, False], ids=["git", "no git"])
def root(request, tmp_path, capsys):
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.py").write_text("one\ntwo\nthree\n")
    if request.param:
        subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    for number, text in enumerate(("*** a.py\n@@ 2,3\n+TWO\x1b[1m\n", "*** a.py\n@@ 3,4\n+THREE\n"), 1):
        (tmp_path / "text").write_text(text)
        assert main(["patch", "--root", str(folder), str(tmp_path / "text")]) == 0, number
    capsys.readouterr()
    return folder


def run(root, *words, capsys):
    code = main(["checkpoints", "-C", str(root), *words])
    return code, capsys.readouterr().out


def test_they_are_listed_newest_first(root, capsys):
    code, out = run(root, "list", capsys=capsys)
    assert code == 0
    assert [line.split("  ")[0] for line in out.splitlines()] == ["patch/2", "patch/1"]
    assert "spark patch" in out and "(a.py)" in out
    _, out = run(root, "--json", "list", capsys=capsys)
    assert [
        (occurrence["id"], occurrence["kind"], occurrence["paths"]) for occurrence in json.loads(out)
    ] == [
        ("patch/2", "apply", ["a.py"]),
        ("patch/1", "apply", ["a.py"]),
    ]
    assert run(root, "list", "--session", "other", capsys=capsys) == (0, "")


def test_a_session_without_any_is_named(root, capsys):
    assert main(["checkpoints", "-C", str(root), "list", "--session", "other"]) == 0
    assert "session 'other' has no checkpoints" in capsys.readouterr().err


def test_an_instruction_of_several_lines_is_listed_in_one(tmp_path, capsys):
    (tmp_path / "a.py").write_text("LIMIT = 1\n")
    assert main(["exec", "-C", str(tmp_path), "set LIMIT\nto 2", "-f", "a.py", "--apply"]) == 0
    capsys.readouterr()
    _, out = run(tmp_path, "list", capsys=capsys)
    assert out.count("\n") == 1 and "set LIMIT to 2  (a.py)" in out


def test_control_characters_in_a_diff_are_escaped(root, capsys):
    code, out = run(root, "show", "patch/1", capsys=capsys)
    assert code == 0
    assert "-two\n+TWO\\x1b[1m\n" in out
    _, out = run(root, "--json", "show", "2", capsys=capsys)
    assert "+THREE" in json.loads(out)["diffs"]["a.py"]


def test_one_is_restored_and_later_changes_stay(root, capsys):
    code, out = run(root, "restore", "patch/1", capsys=capsys)
    assert code == 0 and "restored a.py" in out and "patch/3" in out
    # The change of the line beside it is a later one.
    assert (root / "a.py").read_text() == "one\ntwo\nTHREE\n"


def test_the_last_one_is_the_newest(root, capsys):
    assert "+THREE" in run(root, "show", "last", capsys=capsys)[1]
    assert run(root, "restore", "last", capsys=capsys)[0] == 0
    assert (root / "a.py").read_text() == "one\nTWO\x1b[1m\nthree\n"


def test_one_whose_lines_changed_again_is_not_restored(root, capsys):
    (root / "a.py").write_text("one\nTwo\nTHREE\n")
    assert run(root, "restore", "patch/1", capsys=capsys) == (4, "")
    assert (root / "a.py").read_text() == "one\nTwo\nTHREE\n"


def test_one_whose_file_is_gone_says_so(root, capsys):
    (root / "a.py").unlink()
    assert main(["checkpoints", "-C", str(root), "restore", "patch/1"]) == 4
    assert "deleted or moved since spark wrote it" in capsys.readouterr().err


def test_a_large_file_that_git_ignores_is_restored(root, capsys):
    (root / ".gitignore").write_text("big\n")
    (root / "big").write_text("one\n" * 1_100_000)
    (root / "text").write_text("*** big\n@@ 1,2\n+ONE\n")
    words = ["--root", str(root), "--ignored", "--max-bytes", "9000000", str(root / "text")]
    assert main(["patch", *words]) == 0
    assert run(root, "restore", "patch/3", capsys=capsys)[0] == 0
    assert (root / "big").read_text() == "one\n" * 1_100_000


def test_they_are_pruned_within_bounds(root, capsys):
    assert run(root, "prune", capsys=capsys)[0] == 2
    assert run(root, "prune", "--max-count", "5", capsys=capsys)[0] == 1
    code, out = run(root, "prune", "--max-count", "1", capsys=capsys)
    assert code == 0 and "patch/1" in out
    assert [line[:7] for line in run(root, "list", capsys=capsys)[1].splitlines()] == ["patch/2"]
    assert run(root, "prune", "--max-age", "1h", "--max-bytes", "1M", capsys=capsys)[0] == 1
    assert run(root, "prune", "--max-bytes", "0", capsys=capsys)[0] == 0


@pytest.mark.parametrize("words", [["show", "patch/9"], ["show", "x"], ["restore", "nine/9"]])
def test_an_unknown_checkpoint_is_said_so(root, capsys, words):
    assert run(root, *words, capsys=capsys)[0] == 2


def test_a_restored_change_that_was_brought_back_can_be_restored_again(root, capsys):
    assert run(root, "restore", "patch/2", capsys=capsys)[0] == 0
    assert run(root, "restore", "patch/3", capsys=capsys)[0] == 0
    assert (root / "a.py").read_text() == "one\nTWO\x1b[1m\nTHREE\n"
    assert run(root, "restore", "patch/2", capsys=capsys)[0] == 0
    assert (root / "a.py").read_text() == "one\nTWO\x1b[1m\nthree\n"
    assert run(root, "restore", "patch/2", capsys=capsys)[0] == 1


def test_json_and_the_folder_may_stand_after_the_action(root, capsys):
    assert main(["checkpoints", "list", "-C", str(root), "--json"]) == 0
    assert [occurrence["id"] for occurrence in json.loads(capsys.readouterr().out)] == ["patch/2", "patch/1"]


@pytest.mark.parametrize(
    "words",
    [["prune", "--max-age", "soon"], ["prune", "--max-bytes", "lots"], ["prune", "--max-count", "-1"]],
)
def test_a_malformed_command_line_ends_with_two(root, words):
    assert main(["checkpoints", "-C", str(root), *words]) == 2


def test_what_is_restored_or_deleted_is_done_though_nobody_can_be_told(root):
    for words, said in (("restore patch/2", "the files are restored"), ("prune --max-count 1", "deleted")):
        command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "spark_tui", "checkpoints"]
        ended = subprocess.run(
            [*command, *words.split()[:1], "-C", str(root), *words.split()[1:]],
            check=False,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert (ended.returncode, said in ended.stderr) == (0, True), ended.stderr
    assert (root / "a.py").read_text() == "one\nTWO\x1b[1m\nthree\n"
