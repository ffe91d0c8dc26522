# ruff: noqa: E501 - tables read better unbroken
"""What a message wants changed of an answer, read from its words and done on the hunks that stand."""

from __future__ import annotations

import difflib

import pytest

from spark_tui.engine.layout import WindowHunk
from spark_tui.steers.corrected import answer, applied, touch, wanted
from spark_tui.steers.corrections import Correction, Reading, plain
from spark_tui.steers.steered_by_program import wanted as behind
from spark_tui.steers.terms import bare, sort_of

LINES = (
    "import os", "", "LIMIT = 10", "", "",
    "def load(path, retries=3):", '    """Read a file."""', "    if not os.path.exists(path):", "        raise KeyError(path)", "    return open(path).read()",
    "", "",
    "def save(path, text):", '    print("saving")', '    with open(path, "w") as handle:', "        handle.write(text)", "",
)  # fmt: skip


def done(*pairs):
    text = "\n".join(LINES)
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.split("\n")


def hunks(*pairs):
    after = done(*pairs)
    codes = difflib.SequenceMatcher(None, LINES, after, autojunk=False).get_opcodes()
    return [WindowHunk(a, b, tuple(after[c:d])) for code, a, b, c, d in codes if code != "equal"]


def corrected(asked, stood, said):
    """The text behind the message; None where its words do not say what to do with what stands."""
    final = behind(LINES, asked, said, hunks(*stood))
    return None if final is None else applied(LINES, final)


LIMIT = ("LIMIT = 10", "LIMIT = 20")
GUARD = ("    print(", '    if not text:\n        raise ValueError("no text")\n    print(')
RENAME = (("def save(path, text)", "def save(path, body)"), ("handle.write(text)", "handle.write(body)"))
LOUD = ("    return open", '    print("loaded")\n    return open')


@pytest.mark.parametrize(
    ("asked", "stood", "said", "now"),
    [
        ("set LIMIT to 20", [LIMIT], "no, 30", [("LIMIT = 10", "LIMIT = 30")]),
        ("raise the limit", [LIMIT], "30 is enough", [("LIMIT = 10", "LIMIT = 30")]),
        ("set LIMIT to 20", [LIMIT], "sorry, make that 1_000 please", [("LIMIT = 10", "LIMIT = 1_000")]),
        ("set LIMIT to 20", [LIMIT], "nooo, could it be 40?", [("LIMIT = 10", "LIMIT = 40")]),
        ("set LIMIT to 20", [LIMIT], "not 20, None", [("LIMIT = 10", "LIMIT = None")]),
        ("rename text to body", RENAME, "call it content instead", [(a, b.replace("body", "content")) for a, b in RENAME]),
        ("rename text to body", RENAME, "body -> data", [(a, b.replace("body", "data")) for a, b in RENAME]),
        ("name the seconds", [("LIMIT = 10", "LIMIT = 10\nWAIT = 5")], "PAUSE please", [("LIMIT = 10", "LIMIT = 10\nPAUSE = 5")]),
        ("check the text in save", [GUARD], "TypeError rather", [(GUARD[0], GUARD[1].replace("ValueError", "TypeError"))]),
        ("check the text in save", [GUARD], "return None instead of raising", [(GUARD[0], "    if not text:\n        return None\n    print(")]),
        ("check the text in save", [GUARD], "just return", [(GUARD[0], "    if not text:\n        return\n    print(")]),
        ("check the text in save", [GUARD], "return an empty string, callers expect one", [(GUARD[0], '    if not text:\n        return ""\n    print(')]),
        ("check the text in save", [GUARD], "without the message", [(GUARD[0], "    if not text:\n        raise ValueError\n    print(")]),
        ("say what is missing", [("KeyError(path)", "OSError(path)")], "raise LookupError", [("KeyError(path)", "LookupError(path)")]),
        ("try 5 times", [("retries=3", "attempts=5")], "keep the name retries", [("retries=3", "retries=5")]),
        ("add a mode to load", [("(path, r", '(path, mode="r", r')], "without the default", [("(path, r", "(path, mode, r")]),
        ("add a mode to load", [("retries=3", 'retries=3, mode="r"')], "no mode", []),
        ("print when it is loaded", [LOUD], "use logging instead", [("import os", "import logging\nimport os"), ("    return open", '    logging.info("loaded")\n    return open')]),
        ("say more in load", [("Read a file.", "Read it."), LIMIT], "leave the docstring alone", [LIMIT]),
        ("say more in load", [("Read a file.", "Read it."), LIMIT], "why limit? undo that one", [("Read a file.", "Read it.")]),
        ("use pathlib", [("KeyError(path)", "OSError(path)"), ('"saving"', '"save"')], "only in load", [("KeyError(path)", "OSError(path)")]),
        ("use pathlib", [("KeyError(path)", "OSError(path)"), ('"saving"', '"save"')], "not in load", [('"saving"', '"save"')]),
    ],
)  # fmt: skip
def test_a_correction_is_done_on_what_stands(asked, stood, said, now):
    assert corrected(asked, stood, said) == done(*now) or (
        not now and corrected(asked, stood, said) in (None, list(LINES))
    )


@pytest.mark.parametrize(
    "said",
    ["undo that", "never mind", "no, leave it as it was", "Undo, the old code was fine.", "take that back", "don't", "forget it",
     "no, undo all that", "take it all back"],
)  # fmt: skip
def test_a_message_that_takes_all_back(said):
    assert Reading(LINES, "set LIMIT to 20", said, hunks(LIMIT)).correction() == Correction(back=True)


@pytest.mark.parametrize(
    "said",
    [
        "make it async as well", "then append does not work any more", "and close the file",
        "don't read it twice", "why?", "use the same as in the other functions", "a comment, not a docstring", ">=", "",
    ],
)  # fmt: skip
def test_what_the_words_do_not_say_is_left_to_the_model(said):
    assert corrected("set LIMIT to 20", [LIMIT], said) is None


@pytest.mark.parametrize(
    ("said", "order", "more"),
    [
        ("not there, in save", "add a docstring to save", False),
        ("no, save", "add a docstring to save", False),
        ("to save, not load", "add a docstring to save", False),
        ("also in save()", "add a docstring to save", True),
        ("save too", "add a docstring to save", True),
    ],
)
def test_another_function_is_asked_for_in_the_words_of_the_first(said, order, more):
    found = Reading(LINES, "add a docstring to load", said).correction()
    assert (found.order, found.more) == (order, more)


def test_a_word_of_the_sentence_is_no_name():
    assert (
        Reading(LINES, "shorten it in load. keep it small", "the name should be last_seen").correction() == Correction()
    )
    assert Reading(LINES, "rename text to body", "call it data").correction().order == "rename text to data"


def test_where_nothing_stands_the_correction_takes_its_place_in_what_was_asked():
    assert Reading(LINES, "set LIMIT to 20", "no, 30").correction().order == "set LIMIT to 30"
    assert (
        Reading(LINES, "raise KeyError when path is empty", "return None").correction().order
        == "return None when path is empty"
    )
    assert wanted(LINES, (), Reading(LINES, "set LIMIT to 20", "no, 30").correction()) is None


def test_what_stands_and_is_wanted_is_not_said_again_and_what_is_not_is_taken_back():
    one, two = hunks(LIMIT), hunks(('"saving"', '"save"'))
    other = [WindowHunk(old.first, old.last, ("LIMIT = 5",)) for old in one]
    assert answer(LINES, [*one, *two], [*other, *two]) == other
    taken = answer(LINES, [*one, *two], two)
    assert taken == [WindowHunk(2, 3, ("LIMIT = 10",))]
    assert answer(LINES, one, one) == []


def test_a_hunk_that_touches_one_that_stays_is_said_together_with_it():
    stays, new = WindowHunk(2, 3, ("LIMIT = 20",)), WindowHunk(3, 3, ("MOST = 5",))
    assert touch(stays, new)
    assert answer(LINES, [stays], [stays, new]) == [WindowHunk(2, 3, ("LIMIT = 20", "MOST = 5"))]


def test_openers_and_closers_say_nothing():
    assert plain("No, wait, 30 please!") == "30"
    assert plain("  hmm... use  os.path instead. ") == "use os.path"


@pytest.mark.parametrize(
    ("term", "sort"),
    [("3", "number"), ("two", "number"), ("None", "constant"), ("OSError", "error"), ("list[str]", "type"), ("'a b'", "text"), ("a.b", "name"), ("x@y.org", "text")],
)  # fmt: skip
def test_sorts_of_terms(term, sort):
    assert sort_of(term) == sort


def test_a_term_without_its_quotes():
    assert [bare(term) for term in ("`a`", "'a'", '"""a"""', "a()", "'")] == ["a", "a", "a", "a", "'"]
