"""Reading a text takes work in proportion to its length, however it is made up and however it is cut."""

import sys

import pytest
from support.long_texts import ENDLESS

from spark_tui.edits.formats.search_replace_markers import OPENING
from spark_tui.edits.parser import Parser
from spark_tui.events import Prose, Reasoning

BASE = [f"line {at} of it" for at in range(4000)]


def fill(head, part, foot=""):
    return lambda n: head + "".join(part.format(at, at + 1, at + 2) for at in range(n)) + foot


HEAD = "*** Begin Patch\n*** Update File: a.py\n"
TEXTS = {
    "prose": ("auto", fill("", "Some prose, you know {0}.\n")),
    "words": ("auto", fill("", "word{0}\n")),
    "blank lines": ("auto", fill("", "\n")),
    "fences": ("auto", fill("", "```\nfoo\n```\n")),
    "thinking": ("auto", fill("<think>\n", "I think {0}\n")),
    "blocks": (
        "search_replace",
        fill("a.py\n", "<<<<<<< SEARCH\nline {0} of it\n=======\nx{0}\n>>>>>>> REPLACE\n"),
    ),
    "stretches": ("apply_patch", fill(HEAD, "@@\n-line {0} of it\n+y{0}\n", "*** End Patch\n")),
    "numbered stretches": (
        "udiff",
        fill("--- a/a.py\n+++ b/a.py\n", "@@ -{1} +{1} @@\n-line {0} of it\n+y{0}\n"),
    ),
    "ranges": ("lines", fill("*** a.py\n", "@@ {1},{2}\n+y{0}\n")),
    "files": ("apply_patch", fill("*** Begin Patch\n", "*** Add File: b{0}.py\n+x\n", "*** End Patch\n")),
    "whole file": ("whole", fill("a.py\n```\n", "z{0}\n", "```\n")),
}
CODE = [text for at in range(100) for text in (f"def f{at}(x):", f"    return x + {at}", "")]
SHAPES = {
    "code of no file": fill("", "Look:\n\n```python\ndef g(x):\n    return x + {0}\n```\n"),
    "a definition of the file": fill("", "```python\ndef f7(x):\n    return x + 7\n```\n\n"),
    "data in lines": fill("", '{{"a": {0}}}\n'),
    "one long fence": fill("Then:\n```python\n", "y = foo({0})\n", "```\n"),
    "data without an end": fill('{"path": "x",\n', '"a": {0},\n'),
    "an element without an end": fill("<edit>\n", "aa bb {0}\n"),
    "a part of the file": fill("code.py\n```python\n# ...\n", "x{0} = {0}\n", "```\n"),
}
LONG = {
    "prose": ("auto", fill("", "x")),
    "backticks": ("whole", fill("b.py\n```\n", "`")),
    "equal so far": ("whole", fill("long.py\n```\n", "x")),
    "new line": ("apply_patch", fill("*** Begin Patch\n*** Add File: b.py\n+", "x")),
    "new line of a diff": ("udiff", fill("--- /dev/null\n+++ b/b.py\n@@ -0,0 +1 @@\n+", "x")),
    "quoted line": ("search_replace", fill("a.py\n<<<<<<< SEARCH\n", "x")),
    "fence": ("auto", fill("", "`")),
}


def read(path):
    return {"a.py": BASE, "code.py": CODE, "long.py": ["x" * 1_000_000]}.get(path)


def lines_run(name, text, cut):
    """How many lines of this program run while the text is read: a cost that no load on the machine
    changes."""
    parser, count = Parser(name, read, shown=("code.py",)), 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for at in range(0, len(text), cut):
            for _ in parser.feed(text[at : at + cut]):
                pass
        for _ in parser.finish():
            pass
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("cut", [7, 1 << 20], ids=["small pieces", "at once"])
@pytest.mark.parametrize("name", TEXTS)
def test_four_times_the_lines_take_four_times_the_work(name, cut):
    format_name, make = TEXTS[name]
    few, many = (lines_run(format_name, make(n), cut) for n in (60, 240))
    assert many < 5.5 * few


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_without_a_header_are_read_in_time_in_proportion(name):
    # The file itself is read once, whatever the answer is like.
    nothing, few, many = (lines_run("auto", SHAPES[name](n), 40) for n in (1, 60, 240))
    assert many - nothing < 5.5 * (few - nothing)


@pytest.mark.parametrize("name", LONG)
def test_a_long_line_is_looked_at_as_a_whole_only_a_few_times(name, monkeypatch):
    format_name, make = LONG[name]
    looked = []
    decide = Parser._decide

    def counted(parser):
        looked.append(parser._length)
        return decide(parser)

    monkeypatch.setattr(Parser, "_decide", counted)
    text = make(40_000)
    parser = Parser(format_name, read)
    for at in range(0, len(text), 3):
        for _ in parser.feed(text[at : at + 3]):
            pass
    for _ in parser.finish():
        pass
    assert sum(looked) < 10 * len(text) + 1024 * 1024


def test_a_marker_with_a_row_of_spaces_is_read_at_once():
    name = "a" + " " * ENDLESS + "b"
    found = OPENING.fullmatch(f"----- BEFORE {name}  ")
    assert found is not None and found[1] == name


def test_a_long_new_line_is_joined_once():
    from spark_tui.edits.hunk_draft import HunkDraft

    draft = HunkDraft(1, "a.py", 0, ())
    for _ in draft.next_line():
        pass
    for _ in range(1000):
        draft.text("ab")
    assert len(draft._more) == 1000
    assert draft.new == ["ab" * 1000] and draft.chars == 2001
    assert draft._more == []


def test_prose_never_asks_the_disk_for_the_names_in_it():
    asked = []
    parser = Parser("auto", asked.append)
    text = "".join(f"word{at}\nsee the file number{at}.py\n" for at in range(200))
    for at in range(0, len(text), 5):
        for _ in parser.feed(text[at : at + 5]):
            pass
    for _ in parser.finish():
        pass
    assert asked == []


def test_prose_comes_out_as_it_went_in_however_it_is_cut():
    text = "One.\n  \n\nword\nsrc/a.py\nTwo\n```\ncode\n```\n<think>\nhm\n\n</think>\n*** rule\nLast\n"
    for name, told in (
        ("search_replace", text),
        ("auto", text.replace("<think>", "").replace("</think>", "")),
    ):
        said = set()
        for cut in (1, 2, 3, 7, 1000):
            parser = Parser(name, lambda path: None)
            pieces = [
                event.text for at in range(0, len(text), cut) for event in parser.feed(text[at : at + cut])
            ]
            said.add("".join([*pieces, *(event.text for event in parser.finish())]))
        assert said == {told}


def test_thinking_is_told_apart_from_prose():
    parser = Parser("auto", lambda path: None)
    events = [*parser.feed("<think>hm\nso\n</think>\nYes.\n"), *parser.finish()]
    thought = "".join(event.text for event in events if isinstance(event, Reasoning))
    assert thought.split() == ["hm", "so"]
    assert "".join(event.text for event in events if isinstance(event, Prose)) == "Yes.\n"
