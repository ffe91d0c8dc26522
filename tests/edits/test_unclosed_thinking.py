"""Reasoning that an answer begins and never ends: the edits behind it are read, with a mark."""

import pytest

from spark_tui.edits.parser import answer_parser
from spark_tui.events import Doubt, HunkClosed, HunkFailed, Prose, Reasoning

FILE = ("def f():", "    return 1")
BLOCK = "a.py\n```python\n<<<<<<< SEARCH\ndef f():\n=======\ndef g():\n>>>>>>> REPLACE\n```\n"


def read(text, size):
    parser = answer_parser("search_replace", lambda path: FILE if path == "a.py" else None, shown=("a.py",))
    pieces = (text[at : at + size] for at in range(0, len(text), size))
    return [*(event for piece in pieces for event in parser.feed(piece)), *parser.finish()]


def hunks(found):
    return [(event.old_lines, event.new_lines) for event in found if isinstance(event, HunkClosed)]


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    "text",
    [
        f"<think>\nIt is to be renamed.\n{BLOCK}",
        f"<think>It is to be renamed.\n\n{BLOCK}<think>\nDone.",
        f"The template prints\n<think>\nand nothing else:\n{BLOCK}Done.\n",
        f"<think>\nHm.\n</think>\n<thinking>\n{BLOCK}",
    ],
)
def test_edits_behind_a_tag_that_is_never_closed_are_read_and_marked(text, size):
    found = read(text, size)
    assert hunks(found) == [(("def f():",), ("def g():",))]
    assert "never ended" in next(event.reason for event in found if isinstance(event, Doubt))
    shown = "".join(event.text for event in found if isinstance(event, (Prose, Reasoning)))
    assert shown.count("SEARCH") == 1


def test_what_a_closed_tag_holds_is_no_edit_and_words_alone_stay_reasoning():
    assert not hunks(read(f"<think>\n{BLOCK}</think>\nIt stays.\n", 7))
    found = read("<think>\nNothing is to be done.\n", 7)
    assert {type(event) for event in found} == {Reasoning}


def test_a_tag_in_a_fence_is_a_line_of_the_code():
    text = "a.py, in whole:\n```python\n<think>\ndef f():\n    return 2\n```\n"
    assert hunks(read(text, 7)) == [(FILE[:0], ("<think>",)), (FILE[1:], ("    return 2",))]


def test_an_edit_that_breaks_off_behind_such_a_tag_is_told():
    (failed,) = (event for event in read(f"<think>\n{BLOCK[:-30]}", 7) if isinstance(event, HunkFailed))
    assert "ends inside" in failed.message


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize(
    "final", [BLOCK.replace("g()", "h()"), BLOCK.replace("g()", "h()").replace("```", "~~~")]
)
def test_of_drafts_the_last_is_read(size, final):
    found = read(f"<think>\nPerhaps so:\n\n{BLOCK}\nNo, better so:\n\n{final}\nDone.\n", size)
    assert hunks(found) == [(("def f():",), ("def h():",))]
    assert not [event for event in found if isinstance(event, HunkFailed)]
    assert "never ended" in next(event.reason for event in found if isinstance(event, Doubt))


def test_an_edit_that_fails_for_itself_leaves_the_one_before():
    other = BLOCK.replace("def f():", "def nowhere():").replace("g()", "h()")
    found = read(f"<think>\n{BLOCK}\n{other}\n", 7)
    assert hunks(found) == [(("def f():",), ("def g():",))]
    assert sum(isinstance(event, HunkFailed) for event in found) == 1


def test_all_edits_of_the_last_draft_are_read():
    second = BLOCK.replace("def f():", "    return 1").replace("def g():", "    return 2")
    final = BLOCK.replace("g()", "h()") + second.replace("2", "3")
    found = read(f"<think>\n{BLOCK}{second}\nNo, better so:\n\n{final}", 7)
    assert hunks(found) == [(("def f():",), ("def h():",)), (("    return 1",), ("    return 3",))]
    assert not [event for event in found if isinstance(event, HunkFailed)]
