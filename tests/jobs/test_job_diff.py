"""What a job hands over, read by the parser, gives the files of its end."""

from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.named_cases import case_named

from spark_tui.backends.base import Request
from spark_tui.edits.parser import Parser
from spark_tui.events import Doubt, HunkClosed, HunkFailed, Token
from spark_tui.jobs.job import DoubtfulHunk
from spark_tui.jobs.job_diff import DiffPiece, JobDiffBackend, as_answer, pieces
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.workspace.files import FileText, Tree

ROOT = Path(__file__).parent
LINES = st.lists(
    st.sampled_from(
        [b"a", b"b = 1", b"", b"--- x", b"+++ y", b"@@ 1,2", b"*** z", b"-- ", b"```", "ä\x0c".encode()]
    ),
    min_size=1,
    max_size=12,
)


def read(path, old, answer):
    """The parser's hunks of an answer about one file, and the doubts with the hunks that they are about."""
    tree = Tree(ROOT, known={path: old})
    parser = Parser("auto", tree.read_lines)
    closed, doubted, last = [], [], []
    for event in JobDiffBackend(as_answer([DiffPiece("1 of 1 done.\n\n"), *answer])).stream(
        Request("x"), Event()
    ):
        if isinstance(event, Token):
            last = [item for item in parser.feed(event.text) if isinstance(item, (HunkClosed, HunkFailed))]
            closed += last
        elif isinstance(event, Doubt):
            doubted += [item.hunk_id for item in last]
    closed += [item for item in parser.finish() if isinstance(item, (HunkClosed, HunkFailed))]
    assert not [item for item in closed if isinstance(item, HunkFailed)]
    return parser.hunks, doubted, tree


def target(path, old, new):
    hunks, _, tree = read(path, old, pieces(old, new))
    (want,) = wanted_files(hunks, tree)
    return want


@given(LINES, LINES, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.sampled_from([b"", b"\xef\xbb\xbf"]))
def test_any_two_texts(before, after, end, mark):
    old = FileText("x.py", mark + b"".join(line + end for line in before))
    new = FileText("x.py", mark + b"".join(line + end for line in after))
    if old.data != new.data:
        assert target("x.py", old, new).target == new.data


NAMES = ("x.py", "dir with space/ä.py", "tab\t.py", 'q"uo.py', "new\nline.py", " lead.py", "trail ", " ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb\n", b"a\nc\n"),
        (None, b"a\nb\n"),
        (None, b"a\nb"),
        (None, b""),
        (b"a\nb\n", None),
        (b"a\nb", b"a\nb\n"),
        (b"a\nb\n", b"a\nb"),
        (b"a\nb", b"a\nc\nd"),
        (b"a\nb", b"x\na\nc"),
        (b"a", b"b\nc"),
        (b"a\nb\nc", b"a\nd"),
        (b"a\r\nb", b"a\r\nc\r\nd"),
        (b"", b"a"),
        (b"a", b""),
        (b"a\nb\n", b"b\nb"),
    ],
)
def test_files_that_come_and_go_under_any_name(old, new):
    for path in NAMES:
        with case_named(repr(path)):
            made = target(path, *(None if data is None else FileText(path, data) for data in (old, new)))
            assert (made.path, made.target) == (path, new)


def test_a_file_that_has_only_a_mark_gets_its_first_line():
    old, new = FileText("x.py", b"\xef\xbb\xbf"), FileText("x.py", b"\xef\xbb\xbfa\n")
    assert target("x.py", old, new).target == new.data


@pytest.mark.parametrize("path", ["run", "trail ", " "])
@pytest.mark.parametrize("data", [b"a\n", b"b\n"])
def test_a_file_becomes_a_program(path, data):
    want = target(path, FileText(path, b"a\n"), FileText(path, data, 0o755))
    assert (want.path, want.target, want.mode) == (path, data, 0o755)


def test_a_doubt_is_about_the_hunk_that_has_its_lines_and_no_other():
    old = FileText("x.py", b"a\nb\nc\nd\ne\n")
    new = FileText("x.py", b"A\nb\nC\nd\nE\n")
    hunks, doubted, _ = read("x.py", old, pieces(old, new, [DoubtfulHunk("x.py", ("C",), 0.4, "unsure")]))
    assert [hunk.new_lines for hunk in hunks if hunk.id in doubted] == [("C",)]
    last = DoubtfulHunk("x.py", ("E",), 0.4, "unsure")
    bare = FileText("x.py", b"A\nb\nC\nd\nE")
    hunks, doubted, _ = read("x.py", old, pieces(old, bare, [last]))
    assert ("E",) in [hunk.new_lines for hunk in hunks if hunk.id in doubted]


@pytest.mark.parametrize("mode", [0o644, 0o755])
@pytest.mark.parametrize(("old", "new"), [(None, b"a\nb"), (None, b"a\nb\n"), (b"a\nb\n", None)])
def test_a_doubt_is_about_a_whole_file_also_where_a_diff_gives_it(old, new, mode):
    sides = [None if data is None else FileText("x.py", data, mode) for data in (old, new)]
    doubt = DoubtfulHunk("x.py", ("a", "b"), 0.4, "unsure")
    hunks, doubted, _ = read("x.py", sides[0], pieces(*sides, [doubt]))
    assert [hunk.id for hunk in hunks] == doubted


def test_a_file_that_came_is_not_taken_for_one_in_a_folder_that_is_named_as_git_names_a_side(tmp_path):
    for side in ("a", "b"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "x.py").write_text("other\n")
    tree = Tree(tmp_path, known={"x.py": None})
    parser = Parser("auto", tree.read_lines)
    for piece in pieces(None, FileText("x.py", b"new\n")):
        list(parser.feed(piece.text))
    list(parser.finish())
    assert [(hunk.kind, hunk.path) for hunk in parser.hunks] == [("add", "x.py")]
