"""A patch that is pasted is applied as it is; a traceback or what a linter says is answered by its fix."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.fake_reader import FakeReader
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.problems import ruff
from spark_tui.problems.problem import Problem
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.pasted_input import pasted_problems
from spark_tui.session.reader.reader_edits import Base
from spark_tui.session.session import Session
from spark_tui.session.tree.exact_edits import ExactEdits

CART = """class Cart:
    def __init__(self):
        self.lines = {}

    def add(self, sku, qty=1):
        self.lines[sku] = qty
        return qty

    def price(self, sku, prices):
        return self.lines[sku] * prices.get(sku).cents
"""
DIFF = """Apply this, please:

diff --git a/cart.py b/cart.py
--- a/cart.py
+++ b/cart.py
@@ -5,2 +5,2 @@ class Cart:
-    def add(self, sku, qty=1):
+    def add(self, sku, qty=2):
         self.lines[sku] = qty
"""
SEARCH = """cart.py
<<<<<<< SEARCH
        self.lines = {}
=======
        self.lines = dict()
>>>>>>> REPLACE"""
FRAME = '  File "cart.py", line 10, in price\n    return self.lines[sku] * prices.get(sku).cents\n'
TRACEBACK = (
    f"Traceback (most recent call last):\n{FRAME}AttributeError: 'Cart' object has no attribute 'line'\n"
)
HEADER = "what does this say?\n@@ -1,2 +1,2 @@"
ELSEWHERE = TRACEBACK.replace("cart.py", "/usr/lib/other.py")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    backend = Scripted({ELSEWHERE: "*** cart.py\n@@ cannot\n"})
    backend.small_window = (320, 300)
    made = Session(root, backend, Settings(), tmp_path / "state", reader=FakeReader({}))
    yield made
    made.close()


def said(session: Session, text: str) -> tuple[str, str]:
    """What is said, and how the turn ends."""
    given = list(session.turn(text, stop=threading.Event()))
    assert isinstance(given[-1], events.Finished)
    return "".join(item.text for item in given if isinstance(item, events.Prose)), given[-1].reason


def written(session: Session) -> str:
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    return (session.root / "cart.py").read_text()


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [(DIFF, "qty=1", "qty=2"), (SEARCH, "lines = {}", "lines = dict()")],
    ids=["diff", "search and replace"],
)
def test_a_patch_becomes_hunks(session: Session, text: str, old: str, new: str) -> None:
    assert said(session, text)[1] == "stop"
    assert written(session) == CART.replace(old, new)
    session.changes.undo()
    assert (session.root / "cart.py").read_text() == CART


def test_a_patch_makes_and_deletes_files(session: Session) -> None:
    made = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+A = 1\n+B = 2"
    assert said(session, made)[1] == "stop"
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert (session.root / "new.py").read_text() == "A = 1\nB = 2\n"
    gone = "--- a/new.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-A = 1\n-B = 2"
    assert said(session, gone)[1] == "stop"
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert not (session.root / "new.py").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (DIFF.replace("self.lines[sku] = qty", "self.rows[sku] = qty"), "cart.py:6: "),
        (DIFF.replace("cart.py", "none.py"), "none.py: no such file"),
        (DIFF.replace("qty=2", "qty=1"), "nothing to change"),
    ],
    ids=["other lines", "no such file", "no change"],
)
def test_a_patch_that_does_not_fit_changes_nothing_and_says_where(
    session: Session, text: str, told: str
) -> None:
    prose, reason = said(session, text)
    assert (reason, "This patch is not applied" in prose, told in prose) == ("cannot", True, True)
    assert not session.decisions.offered()


PLAIN = DIFF.partition("\n\n")[2]
SHOWN = f"commit {'1' * 40}\nAuthor: A <a@b.c>\n\n    Take two\n\n{PLAIN}"
MAIL = f"From {'1' * 40} Mon Sep 17 00:00:00 2001\nSubject: Take two\n\n---\n{PLAIN}-- \n2.39.1\n\n"
FENCED = f"cart.py\n```python\n{SEARCH.partition(chr(10))[2]}\n```\n"


@pytest.mark.parametrize(
    "patch",
    [PLAIN, SEARCH, SHOWN, MAIL, FENCED, f"{PLAIN}--\n2.39.1\n"],
    ids=["diff", "blocks", "commit", "mail", "fenced", "signed"],
)
def test_words_beside_a_patch_mark_it(session: Session, patch: str) -> None:
    for text, marked in (
        (f"revert\n{patch}", True),
        (f"From me: no\n{patch}", True),
        (f"{patch}\nbut the other way round", True),
        (patch, False),
    ):
        prose, reason = said(session, text)
        assert (reason, "the words around it are ignored" in prose) == ("stop", marked), text


def test_a_patch_that_is_cut_off_in_its_head_is_said_to_be(session: Session) -> None:
    head = "diff --git a/cart.py b/cart.py\n--- a/cart.py\n+++ b/cart.py\n@@ -1,3"
    words, reason = said(session, head)
    assert "is cut off before its first hunk" in words and reason == "cannot"


def test_a_question_about_a_patch_is_no_patch(session: Session) -> None:
    (session.root / "other.py").write_text("x = 1\n")
    assert said(session, HEADER)[1] == "cannot"  # it is for a model, as other questions


@pytest.mark.parametrize("calls", [1, 250])
def test_a_traceback_is_answered_by_its_fix(session: Session, calls: int) -> None:
    text = TRACEBACK.replace(FRAME, FRAME * calls).replace("self.lines[sku] *", "self.line[sku] *")
    (session.root / "cart.py").write_text(CART.replace("self.lines[sku] *", "self.line[sku] *"))
    assert said(session, f"what is this?\n\n{text}")[1] == "stop"
    assert written(session) == CART


def test_a_traceback_of_other_files_is_no_fix(session: Session) -> None:
    assert said(session, ELSEWHERE)[1] == "cannot"


@pytest.mark.parametrize("blanks", [" ", "\n"])
def test_thousands_of_blanks_are_answered(session: Session, blanks: str) -> None:
    assert "too long" in said(session, f"x{blanks * 60_000}y")[0]


def test_only_a_name_is_asked_about(session: Session) -> None:
    for name in ("Cart", "Cart.add", "add()", "cart.py"):
        prose, reason = said(session, name)
        assert (reason, f"What should change in {name}?" in prose) == ("cannot", True)


def as_a_linter(session: Session, text: str) -> tuple[str, str]:
    (session.root / "cart.py").write_text(LINTED)
    return said(session, text)


LINTED = "import os\nimport sys\n\n\ndef first(items, Size):\n    if items == None:\n        return Size\n"
UNUSED = "cart.py:1:8: F401 [*] `os` imported but unused\ncart.py:2:8: F401 [*] `sys` imported but unused\n"


def test_what_ruff_can_fix_is_fixed_by_it(session: Session) -> None:
    pytest.importorskip("ruff")
    prose, reason = as_a_linter(session, f"{UNUSED}Found 2 errors.\n[*] 2 fixable with the `--fix` option.")
    assert reason == "stop" and "F401: Remove unused import: `os`" in prose and "?" not in prose
    assert written(session) == LINTED.partition("import sys\n")[2]


def test_a_fix_that_ruff_calls_unsafe_is_marked_and_what_it_cannot_fix_is_named(session: Session) -> None:
    pytest.importorskip("ruff")
    told = "cart.py:5:11: ANN001 Missing type annotation"
    unused = LINTED.replace("return Size", "kept = Size")
    (session.root / "cart.py").write_text(unused)
    prose, reason = said(session, f"{told}\ncart.py:7:9: F841 Local variable `kept` is never used\n")
    assert reason == "stop" and "cart.py:7: ruff calls this fix unsafe" in prose
    assert "1 place to check was not changed" in prose
    assert written(session) == unused.replace("kept = Size", "pass")


def test_fixes_of_several_rules_are_one_edit(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruff, "find_ruff", lambda: None)
    told = (
        "************* Module cart\ncart.py:2:0: W0611: Unused import sys (unused-import)\n"
        "cart.py:6:7: C0121: Comparison to None (singleton-comparison)\n\n"
        f"{'-' * 66}\nYour code has been rated at 5.00/10\n"
    )
    prose, reason = as_a_linter(session, told)
    assert reason == "stop" and "?" not in prose
    assert written(session) == LINTED.replace("import sys\n", "").replace("== None", "is None")


def test_fixes_that_do_not_go_together_are_not_all_made(session: Session) -> None:
    pytest.importorskip("ruff")
    (session.root / "cart.py").write_text("if first:\n    import os\n    import sys\n")
    told = UNUSED.replace("py:2:8", "py:3:12").replace("py:1:8", "py:2:12")
    prose, _ = said(session, told)
    assert "1 place to check was not changed" in prose
    assert written(session) == "if first:\n    import sys\n"


@pytest.mark.parametrize(
    ("told", "old", "new"),
    [
        ("cart.py:6:17: E711 Comparison to `None` should be `cond is None`", "== None", "is None"),
        ("cart.py:5:18: N803 Argument name `Size` should be lowercase", "Size", "size"),
        ("cart.py:6: [C0121(singleton-comparison), first] Comparison to None", "== None", "is None"),
    ],
)
def test_rules_that_an_exact_edit_follows_need_no_ruff(
    session: Session, monkeypatch: pytest.MonkeyPatch, told: str, old: str, new: str
) -> None:
    monkeypatch.setattr(ruff, "find_ruff", lambda: None)
    prose, reason = as_a_linter(session, told)
    assert reason == "stop" and "?" not in prose
    assert written(session) == LINTED.replace(old, new)


def test_ruff_is_asked_for_nothing_but_the_place_that_is_named(session: Session) -> None:
    pytest.importorskip("ruff")
    problems = [
        Problem("ruff", "", "cart.py", line, column, code="F401") for line, column in ((1, 8), (2, 1))
    ]
    fixes = ruff.ruff_fixes(session.root, "cart.py", LINTED, problems)
    assert fixes == (ruff.RuffFix("F401: Remove unused import: `os`", ((0, 10, ""),), True), None)


@pytest.mark.parametrize(
    ("text", "left"), [("\ufeffimport os\n", "\ufeff"), ("\ufeffa = b if b else c\n", "\ufeffa = b or c\n")]
)
def test_ruff_does_not_count_a_byte_order_mark(tmp_path: Path, text: str, left: str) -> None:
    pytest.importorskip("ruff")
    problem = Problem("ruff", "", "cart.py", 1, code="F401" if left == "\ufeff" else "FURB110")
    (fix,) = ruff.ruff_fixes(tmp_path, "cart.py", text, [problem])
    assert fix is not None
    for start, end, new in fix.edits:
        text = text[:start] + new + text[end:]
    assert text == left


def test_a_ruff_that_does_not_know_a_rule_is_asked_for_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = json.loads(
        """[{"code": "F401", "cell": null, "location": {"row": 1, "column": 8}, "fix": {"message": "Remove",
        "applicability": "safe", "edits": [{"content": "", "location": {"row": 1, "column": 1},
        "end_location": {"row": 2, "column": 1}}]}}]"""
    )
    old = tmp_path / "ruff"
    old.write_text(
        "#!/bin/sh\ncase \"$*\" in *W503*) echo \"error: invalid value 'W503' for '--select <RULE>'\" >&2\n"
        f"exit 2;; esac\ncat <<'END'\n{json.dumps(rows)}\nEND\n"
    )
    old.chmod(0o755)
    monkeypatch.setattr(ruff, "find_ruff", lambda: str(old))
    problems = [Problem("flake8", "", "a.py", 1, code=code) for code in ("F401", "W503")]
    fixes = ruff.ruff_fixes(tmp_path, "a.py", "import os\n", problems)
    assert fixes == (ruff.RuffFix("F401: Remove", ((0, 10, ""),), True), None)


def test_a_pasted_line_is_about_the_files(session: Session) -> None:
    pytest.importorskip("ruff")
    as_a_linter(session, UNUSED.splitlines()[0])
    said(session, UNUSED.splitlines()[0])  # with the hunk, `sys` stands there
    assert {hunk.old_lines for hunk in session.decisions.offered()} == {("import os",)}


def test_a_request_is_about_the_files_with_the_hunks_that_were_checked(session: Session) -> None:
    pytest.importorskip("ruff")
    as_a_linter(session, UNUSED.splitlines()[0])
    said(session, "Fix what `ruff` reports in @cart.py:\ncart.py:1:8: `sys` imported but unused [F401]")
    assert written(session) == LINTED.partition("import sys\n")[2]


@pytest.mark.parametrize("words", ["do not fix", "explain", "ignore"])
def test_words_beside_a_line_of_a_linter_mark_what_is_made_of_it(tmp_path: Path, words: str) -> None:
    (tmp_path / "cart.py").write_text(LINTED)
    line, edits, reader = UNUSED.splitlines()[0], ExactEdits(tmp_path), InstructionReader()
    for text, marked in ((f"{words} {line}", True), (f"please fix this: {line}", False)):
        found = reader.read(ContextRequest(text), edits, Base(edits.repo))
        assert [bool(way.planned.guessed) for way in found.ways] == [marked], text


def test_paths_are_those_of_the_folder_in_which_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pkg").mkdir()
    for path in ("cart.py", "pkg/cart.py", "other.py"):
        (tmp_path / path).write_text(LINTED)
    monkeypatch.chdir(tmp_path / "pkg")
    told = f"{UNUSED}other.py:1:8: F401 `os` imported but unused"
    assert [item.path for item in pasted_problems(told, tmp_path)] == ["pkg/cart.py"] * 2 + ["other.py"]


def test_a_fix_behind_another_one_was_written_by_no_model(session: Session) -> None:
    pytest.importorskip("ruff")
    as_a_linter(session, UNUSED.splitlines()[0])
    prose, reason = said(session, "Fix what `ruff` reports in @cart.py:\ncart.py:1:8: `sys` imported [F401]")
    assert (reason, "model" in prose) == ("stop", False), prose
    assert written(session) == LINTED.partition("import sys\n")[2]


def test_the_line_of_code_that_a_linter_shows_belongs_to_its_problem(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text(CART)
    said = f"{tmp_path}/cart.py:7:1: E701 multiple statements on one line (colon)\n"
    assert len(pasted_problems(f"{said}        return qty\n        ^^^\n", tmp_path)) == 1
    assert not pasted_problems(f"{said}        return none of it\n", tmp_path)
