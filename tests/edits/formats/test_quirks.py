"""Every quirk of every format: one file a case in `tests/cases/edits/quirks`, named by what is odd about it.

A case has the files before, the text, and either the files afterwards (and perhaps the prose), or the
failure: its exit code, path, line and some words of its message.
"""

import re
from pathlib import Path

import pytest
from support.named_cases import case_named

from spark_tui.edits.parser import Parser
from spark_tui.events import Prose
from spark_tui.session.tree.decided_text import merge_changed_file, wanted_files
from spark_tui.workspace.apply import apply, plan
from spark_tui.workspace.files import Tree

CASES = sorted((Path(__file__).resolve().parents[2] / "cases" / "edits" / "quirks").glob("*.txt"))


def sections(case):
    text = case.read_bytes().decode()
    parts = re.split(r"^=== (file|text|result|gone|failure|prose) ?(.*)\n", text, flags=re.M)
    # A line with a backslash alone says that there is no newline before it.
    bodies = [body.removesuffix("\n\\\n") if body.endswith("\n\\\n") else body for body in parts[3::3]]
    return list(zip(parts[1::3], parts[2::3], bodies, strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_quirk(case, tmp_path):
    for cut in ("whole", "by character"):
        with case_named(cut):
            check(sections(case), cut == "by character", tmp_path / cut)


def check(found, by_character, place):
    root = place / "root"
    root.mkdir(parents=True)
    for kind, name, body in found:
        if kind == "file":
            (root / name).write_bytes(body.encode())
    name, text = next((name, body) for kind, name, body in found if kind == "text")
    tree = Tree(root)
    parser = Parser(name, tree.read_lines)
    events = []
    for piece in text if by_character else [text]:
        events += parser.feed(piece)
    events += parser.finish()
    failures = [(kind, body) for kind, _, body in found if kind == "failure"]
    if failures:
        code, path, line, words = failures[0][1].strip().split(" ", 3)
        failure = parser.failures[0]
        assert (failure.code, failure.path or "-", failure.line) == (int(code), path, int(line)), failure
        assert words in failure.message
        return
    assert not parser.failures, parser.failures
    if parser.hunks:
        apply(plan(root, wanted_files(parser.hunks, tree), merge_changed_file), place / "journal")
    for kind, path, body in found:
        if kind == "result":
            assert (root / path).read_bytes().decode() == body, path
        elif kind == "gone":
            assert not (root / path).exists()
        elif kind == "prose":
            assert "".join(event.text for event in events if isinstance(event, Prose)) == body
