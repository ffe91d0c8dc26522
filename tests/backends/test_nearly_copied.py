"""What was copied wrongly is put back, and nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spark_tokenizer import spark_tokenizer

from spark_tui.backends.answer_check import AnswerCheck, parses, read_hunks
from spark_tui.backends.nearly_copied import MOST_DIFFERENCES, differences, put_back
from spark_tui.engine import layout
from spark_tui.engine.layout import WindowHunk

TOKENIZER = spark_tokenizer()
NEWLINE = TOKENIZER.encode("\n")[0]
WORDS = ["load", "rows", "limit", "3", "strict", '"a b"', "[0]"]


def ids(*hunks):
    return [*(token for hunk in hunks for token in layout.encode_hunk(TOKENIZER.encode, hunk)), layout.EOS]


def put_right(old, new, instruction, limit=None):
    """The line that is offered instead; None where there is none."""
    lines = ("def work(sides, clock, entry, path):", f"    {old}")
    check = AnswerCheck(lines, instruction, TOKENIZER.decode, NEWLINE, encode=TOKENIZER.encode)
    written = ids(WindowHunk(1, 2, (f"    {new}",)))
    wrong, against = check.look(written)
    given = float("inf") if wrong else against
    found = check.put_right(written, given if limit is None else limit)
    return read_hunks(found, TOKENIZER.decode, NEWLINE)[1][0].new[0].strip() if found else None


@pytest.mark.parametrize(
    ("old", "new", "instruction", "right"),
    [
        ("clock.tick(30)", "ure.tick(60)", "60 ticks, please", "clock.tick(60)"),
        ("return entry.expired() > 3", "return entry.expbetter() > 4", "4, not 3", "return entry.expired() > 4"),
        (
            'open(path, "r", encoding="utf-8")',
            'open(path, "r+")',
            'open with "r+"',
            'open(path, "r+", encoding="utf-8")',
        ),
        ("work(sides, clock, limit=3)", "work(sides)", "drop limit", "work(sides, clock)"),
        ("work(sides, clock)[0]", "work(clock, sides) + 1)", "the arguments the other way", "work(clock, sides)[0]"),
    ],
)
def test_what_suits_better_is_offered_with_the_wrong_copy_put_back(old, new, instruction, right):
    assert put_right(old, new, instruction) == right


@pytest.mark.parametrize(
    ("old", "new", "instruction"),
    [
        ("clock.tick(30)", "clock.tick(60)", "60 ticks, please"),
        ("work(sides, clock)", "work(clock, sides)", "swap sides and clock"),
    ],
)
def test_an_answer_without_a_fault_is_left_alone(old, new, instruction):
    assert put_right(old, new, instruction) is None


def test_nothing_is_put_back_that_has_more_to_speak_against_it_than_the_answer_has():
    case = ("clock.tick(30)", "ure.tick(60)", "60 ticks, please")
    assert put_right(*case, limit=0.0) is None
    assert put_right(*case, limit=0.1) == "clock.tick(60)"


def test_lines_of_another_number_and_lines_that_have_little_in_common_are_no_copies():
    lines = ("a(b, c)",)
    assert put_back(lines, [WindowHunk(0, 1, ("a(d, e)", "f"))]) == []
    many = " + ".join(f"a{n}" for n in range(MOST_DIFFERENCES + 1))
    assert put_back((many,), [WindowHunk(0, 1, (many.replace("a", "b"),))]) == []


def calls():
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(lambda words: f"call({', '.join(words)})")


@settings(max_examples=40, deadline=None)
@given(calls(), calls(), calls())
def test_only_pieces_that_differ_are_put_back(old, new, other):
    lines = (old, other)
    hunks = [WindowHunk(0, 1, (new,))]
    found = list(differences(lines, hunks))
    for way in put_back(lines, hunks):
        (made,) = way
        assert (made.first, made.last, len(made.new)) == (0, 1, 1)
        assert made.new[0] not in (old, new)
        # What old and new share stands in every way, in its order; the rest of it comes from one of the two.
        at = 0
        shared = re.findall(r"\w+|\s+|[^\w\s]", old)
        for item in reversed(found):
            shared[item.first : item.last] = []
        pieces = re.findall(r"\w+|\s+|[^\w\s]", made.new[0])
        for piece in shared:
            at = pieces.index(piece, at) + 1
        assert set(pieces) <= {*re.findall(r"\w+|\s+|[^\w\s]", old), *re.findall(r"\w+|\s+|[^\w\s]", new)}


@settings(max_examples=40, deadline=None)
@given(calls(), calls())
def test_what_is_offered_parses(old, new):
    check = AnswerCheck((old,), "other rows", TOKENIZER.decode, NEWLINE, encode=TOKENIZER.encode)
    found = check.put_right(ids(WindowHunk(0, 1, (new[:-1],))), float("inf"))
    if found:
        assert parses(read_hunks(found, TOKENIZER.decode, NEWLINE)[1][0].new)
