"""Diagnostics and exact edits work on the files as the pending hunks make them."""

import os
import sys
import threading
from pathlib import Path

import pytest
from support.tool_streams import drained

from spark_tui.edits.hunk import Hunk
from spark_tui.tools.all_tools import make_registry
from spark_tui.tools.exact_edits import KnownRepository
from spark_tui.tools.overlay import Overlay, PendingHunk
from spark_tui.tools.registry import Stopped, ToolContext
from spark_tui.workspace.file_listing import list_files
from spark_tui.workspace.files import Tree

TOOLS = make_registry()


@pytest.fixture
def root(tmp_path):
    (tmp_path / "cart.py").write_text("def total(items):\n    return sum(items)\n")
    (tmp_path / "main.py").write_text("from cart import total\n\nprint(total([1]))\n")
    return tmp_path


def call(root, tool, *hunks, stop=None, known=None, **given):
    overlay = Overlay(
        Tree(root), [PendingHunk(hunk, "open") for hunk in hunks], listed=lambda: list_files(root)
    )
    parts = {"codemods": known or KnownRepository()}
    stream = TOOLS.call(tool, given, ToolContext(overlay, stop or threading.Event(), parts))
    return drained(stream)


NAME = Hunk(1, "cart.py", 2, ("    return sum(items)",), ("    return Decimal(sum(items))",))


def test_names_that_an_edit_left_undefined_are_found(root):
    _, outcome = call(root, "diagnostics", NAME)
    assert outcome.text == "cart.py:2: undefined name Decimal"
    _, outcome = call(root, "diagnostics", paths=["cart.py", "main.py"])
    assert outcome.text == "no problem in 2 files"


def test_what_parses_and_does_not_compile_is_found(root):
    hunk = Hunk(1, "cart.py", 2, ("    return sum(items)",), ("    pass", "return 1"))
    _, outcome = call(root, "diagnostics", hunk)
    assert outcome.text == "cart.py:3: 'return' outside function"


def test_syntax_is_checked(root):
    _, outcome = call(root, "diagnostics", Hunk(1, "cart.py", 2, ("    return sum(items)",), ("  return (",)))
    assert outcome.text.startswith("cart.py:2: ")
    (root / "a.json").write_text("{,}")
    (root / "a.toml").write_text("a = \n")
    _, outcome = call(root, "diagnostics", paths=["a.json", "a.toml", "nope.py", "../x"])
    assert [line.split(":")[0] for line in outcome.text.split("\n")] == [
        "a.json",
        "a.toml",
        "nope.py",
        "../x",
    ]


def test_the_configured_linter_reads_the_overlay(root, monkeypatch):
    pytest.importorskip("ruff")
    beside_python = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join((beside_python, os.environ["PATH"])))
    (root / "ruff.toml").write_text('[lint]\nselect = ["F"]\n')
    _, outcome = call(root, "diagnostics", Hunk(1, "cart.py", 1, (), ("import os",)))
    assert "cart.py:1:8: F401" in outcome.text
    _, outcome = call(root, "diagnostics", paths=["cart.py"])
    assert outcome.text == "no problem in 1 file"


def test_a_codemod_edits_every_file(root):
    pieces, outcome = call(root, "codemod", op="rename", arguments={"target": "total", "new": "total_of"})
    assert not outcome.failed, outcome.text
    hunks = next(piece for piece in pieces if isinstance(piece, tuple))
    assert [(h.path, h.old_start) for h in hunks] == [("cart.py", 1), ("main.py", 1), ("main.py", 3)]


def test_operations_are_listed_and_a_wrong_one_is_named(root):
    _, outcome = call(root, "codemod", op="help")
    assert "rename(" in outcome.text
    _, outcome = call(root, "codemod", op="renam")
    assert "did you mean rename" in outcome.text
    assert outcome.failed


def test_a_stopped_codemod_ends(root):
    for number in range(50):
        (root / f"m{number}.py").write_text(f"def f{number}():\n    pass\n")
    stop = threading.Event()
    stop.set()
    with pytest.raises(Stopped):
        call(root, "codemod", op="rename", arguments={"target": "total", "new": "x"}, stop=stop)


def test_references_of_python_are_exact(root):
    (root / "other.py").write_text(
        '"""A total is a sum."""\n\n\ndef report(total):\n    return total  # total\n\n\nclass Bill:\n'
        "    def total(self):\n        return 0\n\n\nprint(Bill().total())\n"
    )
    _, outcome = call(root, "references", name="cart.total")
    sure = [line for line in outcome.text.split("\n") if "(may be" not in line]
    assert sure == [
        "cart.py:1: (definition) def total(items):",
        "main.py:1: from cart import total",
        "main.py:3: print(total([1]))",
    ]
    _, outcome = call(root, "references", name="Bill.total")
    sure = [line for line in outcome.text.split("\n") if "(may be" not in line]
    assert sure == ["other.py:9: (definition)     def total(self):", "other.py:13: print(Bill().total())"]


def test_references_see_pending_hunks(root):
    more = Hunk(1, "main.py", 4, (), ("total([2])",))
    _, outcome = call(root, "references", more, name="cart.py::total")
    assert "main.py:4: total([2])" in outcome.text


def test_a_name_of_several_symbols_is_looked_up_by_its_text_and_says_so(root):
    (root / "other.py").write_text("def total():\n    return 1\n")
    _, outcome = call(root, "references", name="total")
    assert outcome.text.startswith("by text alone: ")
    assert outcome.text.count("(definition)") == 2
