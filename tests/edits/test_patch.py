"""A patch of any subset of hunks does in git's hands what our own writing does, byte for byte."""

import codecs
import difflib
import io
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from support.edit_writers import PLAIN, changes, write
from support.property_tests import law
from unidiff import PatchSet

from spark_tui.edits.hunk import Hunk, select
from spark_tui.edits.hunk_builder import created, rewrite
from spark_tui.edits.parser import Parser
from spark_tui.edits.patch import build
from spark_tui.workspace.files import FileText

NAMES = ["app.py", "a b.py", "src/ü.py", 'quo"te.py', "tab\tname.py", "-x", "back\\slash.py"]
ENDINGS = {"lf": ["\n"], "crlf": ["\r\n"], "cr": ["\r"], "mixed": ["\n", "\r\n", "\r"]}


@st.composite
def files(draw, kinds=tuple(ENDINGS), marks=(True, False), final=(True, False)):
    """A file's bytes and the lines that it is to become."""
    old, new = draw(changes(tuple(PLAIN)))
    kind = draw(st.sampled_from(kinds))
    ended = [line + draw(st.sampled_from(ENDINGS[kind])) for line in old]
    if ended and not draw(st.sampled_from(final)):
        ended[-1] = ended[-1].rstrip("\r\n")
    data = "".join(ended).encode()
    if draw(st.sampled_from(marks)):
        data = b"\xef\xbb\xbf" + data
    return data, new


def hunks_of(path, file, new):
    # A last empty line without an ending is no line: the writer's view and the file's must be the same.
    parser = Parser("lines", {path: file.lines}.get)
    for _ in parser.feed(write("lines", path, list(file.lines), new)):
        pass
    for _ in parser.finish():
        pass
    assert not parser.failures
    return list(parser.hunks)


def in_git(path, before, patch):
    """What `git apply` makes of the file; None where it is gone."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if before is not None:
            target.write_bytes(before)
        command = ["git", "apply", "--whitespace=nowarn", "-"]
        subprocess.run([*command, "--check"], cwd=folder, input=patch, check=True)
        subprocess.run(command, cwd=folder, input=patch, check=True)
        return target.read_bytes() if target.exists() else None


@law(file=files(), path=st.sampled_from(NAMES), data=st.data(), quick=40)
def test_any_subset_of_hunks_is_what_git_makes_of_their_patch(file, path, data):
    before, new = file
    text = FileText(path, before)
    hunks = hunks_of(path, text, new)
    chosen = [hunk for hunk in hunks if data.draw(st.booleans())]
    patch = build(chosen, lambda _: (text, 0o644))
    ours = rewrite(text, chosen)
    if ours == before:
        assert patch == b""
    else:
        assert in_git(path, before, patch) == ours


@law(file=files(), data=st.data(), quick=30)
def test_chosen_rows_of_hunks_are_what_git_makes_of_their_patch(file, data):
    before, new = file
    text = FileText("app.py", before)
    chosen = []
    for hunk in hunks_of("app.py", text, new):
        rows = range(len(hunk.old_lines) + len(hunk.new_lines))
        chosen.append(select(hunk, data.draw(st.sets(st.sampled_from(rows)))))
    patch = build(chosen, lambda _: (text, 0o644))
    ours = rewrite(text, chosen)
    assert (in_git("app.py", before, patch) if patch else before) == ours


@law(file=files(kinds=("lf",), marks=(False,), final=(True,)), path=st.sampled_from(NAMES[:2]), quick=40)
def test_unidiff_reads_the_same_hunks_and_lines_back(file, path):
    before, new = file
    text = FileText(path, before)
    hunks = hunks_of(path, text, new)
    patch = build(hunks, lambda _: (text, 0o644)).decode()
    found = PatchSet(io.StringIO(patch, newline=""))
    assert [item.path for item in found] == ([path] if hunks else [])
    rows = [line for item in found for hunk in item for line in hunk]
    gone = [line for hunk in hunks for line in hunk.old_lines]
    come = [line for hunk in hunks for line in hunk.new_lines]
    assert [row.value.removesuffix("\n") for row in rows if row.is_removed] == gone
    assert [row.value.removesuffix("\n") for row in rows if row.is_added] == come
    places = [row.source_line_no for row in rows if row.is_removed]
    assert places == [hunk.old_start + k for hunk in hunks for k in range(len(hunk.old_lines))]


@law(
    lines=st.lists(st.sampled_from(PLAIN), max_size=6),
    path=st.sampled_from(NAMES),
    final=st.sampled_from([None, False]),
    mode=st.sampled_from(["", "100755"]),
    quick=30,
)
def test_a_new_file_is_what_git_makes_of_its_patch(lines, path, final, mode):
    hunk = Hunk(1, path, 1, (), tuple(lines), "add", final_newline=final, mode=mode)
    patch = build([hunk], lambda _: (_ for _ in ()).throw(AssertionError("there is no old file")))
    assert in_git(path, None, patch) == created(hunk, b"\n")


@law(file=files(), path=st.sampled_from(NAMES), quick=30)
def test_a_deleted_file_is_gone_in_git_too(file, path):
    before, _ = file
    text = FileText(path, before)
    hunk = Hunk(1, path, 1, text.lines, (), "delete")
    assert in_git(path, before, build([hunk], lambda _: (text, 0o644))) is None


@law(file=files(), quick=30)
def test_a_moved_and_edited_file_is_the_same_in_git(file):
    before, new = file
    text = FileText("old name.py", before)
    hunks = hunks_of("old name.py", text, new)
    move = Hunk(99, "old name.py", 1, (), (), "move", "deep/new.py")
    patch = build([move, *hunks], lambda _: (text, 0o644))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "old name.py").write_bytes(before)
        subprocess.run(["git", "apply", "--whitespace=nowarn", "-"], cwd=folder, input=patch, check=True)
        assert (Path(folder) / "deep" / "new.py").read_bytes() == rewrite(text, hunks)
        assert not (Path(folder) / "old name.py").exists()


def test_modes_change_in_git_as_the_patch_says(tmp_path):
    (tmp_path / "run.sh").write_text("echo\n")
    text = FileText("run.sh", b"echo\n")
    patch = build([Hunk(1, "run.sh", 1, (), (), mode="100755")], lambda _: (text, 0o644))
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch, check=True)
    assert (tmp_path / "run.sh").stat().st_mode & 0o777 == 0o755


def test_the_only_line_may_look_like_the_head_of_a_diff():
    patch = "--- a/app.py\n+++ b/app.py\n@@ -1,1 +0,0 @@\n--- two\n"
    parser = Parser("udiff", {"app.py": ["-- two"]}.get)
    events = [*parser.feed(patch), *parser.finish()]
    assert events and not parser.failures
    assert [hunk.old_lines for hunk in parser.hunks] == [("-- two",)]


@law(file=files(kinds=("lf", "crlf")), data=st.data(), quick=30)
def test_our_own_patches_are_read_back_as_the_same_change(file, data):
    before, new = file
    text = FileText("app.py", before)
    # A file of nothing but a byte order mark has no lines for us and one for git, before and after.
    assume(text.lines and (new or not before.startswith(codecs.BOM_UTF8)))
    hunks = hunks_of("app.py", text, new)
    chosen = [hunk for hunk in hunks if data.draw(st.booleans())]
    patch = build(chosen, lambda _: (text, 0o644)).decode()
    parser = Parser("udiff", {"app.py": text.lines}.get)
    for _ in parser.feed(patch):
        pass
    for _ in parser.finish():
        pass
    assert not parser.failures
    assert rewrite(text, parser.hunks) == rewrite(text, chosen)


def after_its_diff(before, after, context):
    """What the first text becomes by the diff from it to the second."""
    texts = before.splitlines(keepends=True), after.splitlines(keepends=True)
    rows = difflib.unified_diff(*texts, "a/x", "b/x", n=context)
    patch = "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)
    text = FileText("x", before.encode())
    parser = Parser("udiff", {"x": text.lines}.get)
    for _ in (*parser.feed(patch), *parser.finish()):
        pass
    assert not parser.failures
    return rewrite(text, parser.hunks).decode()


TEXTS = st.tuples(
    st.lists(st.sampled_from("abcdefgh"), max_size=12).map("\n".join), st.sampled_from(["", "\n"])
)


@law(before=TEXTS.map("".join), after=TEXTS.map("".join), context=st.integers(0, 3), quick=200)
def test_a_diff_with_any_context_gives_the_bytes_that_it_was_made_of(before, after, context):
    assume(before.strip() and before != after)
    assert after_its_diff(before, after, context) == after


@pytest.mark.parametrize(
    ("before", "after", "context"),
    [
        ("a\nb\nc\nd\ne\nf\n", "a\nb\nX\nc\nd\nY\ne\nf\n", 0),
        ("a\nb\nc\n", "a\nb", 3),
        ("a\nb", "b\nc", 3),
    ],
    ids=["lines put in twice", "the last line goes", "a line goes and one comes"],
)
def test_a_diff_changes_its_place_and_its_last_newline(before, after, context):
    assert after_its_diff(before, after, context) == after


def test_a_diff_of_an_old_mac_file_is_read_line_by_line():
    text = FileText("mac.txt", b"one\rtwo\rthree\r")
    (hunk,) = hunks_of("mac.txt", text, ["one", "2", "and", "three"])
    patch = build([hunk], lambda _: (text, 0o644)).decode()
    parser = Parser("udiff", {"mac.txt": text.lines}.get)
    for _ in (*parser.feed(patch), *parser.finish()):
        pass
    assert not parser.failures
    assert [(item.old_lines, item.new_lines) for item in parser.hunks] == [(("two",), ("2", "and"))]
    assert rewrite(text, parser.hunks) == b"one\r2\rand\rthree\r"


def test_a_file_taken_away_and_written_again_is_a_change_for_git():
    text = FileText("a.py", b"one\ntwo\n")
    hunks = [Hunk(1, "a.py", 1, text.lines, (), "delete"), Hunk(2, "a.py", 1, (), ("two", "three"), "add")]
    assert in_git("a.py", text.data, build(hunks, lambda _: (text, 0o644))) == b"two\nthree\n"
