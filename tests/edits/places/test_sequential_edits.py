"""Blocks of one answer that build on each other: as if made one after the other, or refused; never something
else."""

import itertools
import re

import pytest
from hypothesis import assume
from hypothesis import strategies as st
from support.edit_writers import changes, in_apply_patch, in_search_replace, in_udiff, in_whole, joined
from support.property_tests import law

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser

PATH = "app.py"
NAMES = [f"name_{n}" for n in range(12)]


def fenced_udiff(path, old, new, numbers):
    return f"```diff\n{in_udiff(path, old, new, numbers)}```\n\n"


WRITERS = {
    "search_replace": in_search_replace,
    "apply_patch": in_apply_patch,
    "udiff": lambda path, old, new: fenced_udiff(path, old, new, "true"),
    "udiff without numbers": lambda path, old, new: fenced_udiff(path, old, new, "none"),
    "whole": lambda path, _, new: in_whole(path, new) + "\n",
}
IN_TURN = [name for name in WRITERS if name != "whole"]
"""A second whole file is always refused."""


def operations_of_one_patch(path, states):
    """Several operations on one file between one pair of markers."""
    body = "".join(in_apply_patch(path, a, b) for a, b in itertools.pairwise(states))
    return body.replace("*** End Patch\n*** Begin Patch\n", "")


@st.composite
def histories(draw):
    """A file, and what two or three changes, each on top of the last, make of it."""
    alphabet = (*NAMES, "", "    pass")
    old, new = draw(changes(alphabet, low=4, high=10))
    states = [old, new]
    for _ in range(draw(st.integers(1, 2))):
        last = list(states[-1])
        at = draw(st.integers(0, len(last)))
        last[at : at + draw(st.integers(0, 2))] = draw(
            st.lists(st.sampled_from([*NAMES, "more"]), max_size=2)
        )
        states.append(last)
    return states


_HEADS = re.compile(r"^(?:@@.*|<+ SEARCH)$", re.MULTILINE)


@st.composite
def answers(draw, names=("search_replace",)):
    """A file, what changes in turn make of it, and the answer that says them, each in one of these
    formats."""
    states = draw(histories())
    steps = list(itertools.pairwise(states))
    chosen = draw(st.tuples(*(st.sampled_from(names) for _ in steps)))
    said = "".join(WRITERS[name](PATH, a, b) for name, (a, b) in zip(chosen, steps, strict=True))
    pieces = _HEADS.split(said)[1:]
    assume(len(set(pieces)) == len(pieces))  # what is said twice is made once
    if set(chosen) == {"apply_patch"} and draw(st.booleans()):
        said = operations_of_one_patch(PATH, states)
    return states[0], states[-1], said


def parse(text, old, pieces=None):
    parser = Parser("auto", {PATH: old}.get, asked="whole")
    events = []
    for piece in pieces or [text]:
        events += parser.feed(piece)
    events += parser.finish()
    return parser, events


def holds(answer):
    old, new, text = answer
    parser, events = parse(text, old)
    assert joined(parse(text, old, list(text))[1]) == joined(events)
    if not parser.failures:
        assert apply_to_lines(old, parser.hunks) == new


@law(answer=answers(), quick=120)
def test_blocks_in_turn_give_what_making_them_in_turn_gives_or_are_refused(answer):
    holds(answer)


@law(answer=answers(("apply_patch",)), quick=120)
def test_operations_in_turn_give_what_making_them_in_turn_gives_or_are_refused(answer):
    holds(answer)


@law(answer=answers(("udiff", "udiff without numbers")), quick=120)
def test_diffs_in_turn_give_what_making_them_in_turn_gives_or_are_refused(answer):
    holds(answer)


@law(answer=answers(tuple(WRITERS)), quick=120)
def test_edits_in_turn_in_several_formats_give_what_making_them_in_turn_gives_or_are_refused(answer):
    holds(answer)


@pytest.mark.parametrize("first", WRITERS)
@pytest.mark.parametrize("then", IN_TURN)
def test_most_such_answers_are_understood(first, then):
    tried = understood = 0
    for start in range(6):
        for second in range(6):
            old = [f"line {n}" for n in range(8)]
            middle = [*old[:start], "put in", *old[start:]]
            new = list(middle)
            new[second + 1] = "changed"
            if "put in" not in new:
                continue
            text = WRITERS[first](PATH, old, middle) + WRITERS[then](PATH, middle, new)
            tried += 1
            parser, _ = parse(text, old)
            if not parser.failures:
                assert apply_to_lines(old, parser.hunks) == new
                understood += 1
    assert tried >= 20
    assert understood >= 0.8 * tried


def block(search, replaced):
    """One block, with no more around it than is said."""
    lines = [PATH, "```", "<<<<<<< SEARCH", *search, "=======", *replaced, ">>>>>>> REPLACE", "```", ""]
    return "\n".join(lines) + "\n"


def test_blank_lines_that_an_earlier_block_wrote_are_not_taken_for_nothing():
    old = ["one", "two", ""]
    parser, _ = parse(block(["two", ""], ["two", "", ""]) + block(["", ""], [""]), old)
    assert parser.failures or apply_to_lines(old, parser.hunks) == old


def test_lines_that_stand_elsewhere_after_an_earlier_block_are_refused_with_both_places():
    old = ["b", "c", "a", "b"]
    text = block(["b", "c"], ["a", "b", "c"]) + block(["a", "b"], ["b"])
    parser, _ = parse(text, old)
    assert [failure.candidates for failure in parser.failures] == [(1, 4)]
    parted = block(["c", "a", "b"], ["a", "b", "c", "a", "new", "b"]) + block(["a", "b"], ["b"])
    parser, _ = parse(parted, old)
    assert [len(failure.candidates) for failure in parser.failures] == [2]


def test_a_block_takes_back_an_earlier_one_that_wrote_a_blank_line():
    old = ["name_0", "name_1", "name_1", "name_1"]
    parser, _ = parse(block(["name_0"], [""]) + block(["", "name_1"], ["name_0", "name_1"]), old)
    assert not parser.failures
    assert apply_to_lines(old, parser.hunks) == old


def test_lines_that_an_earlier_block_took_away_do_not_stand_already():
    parser, _ = parse(block(["x"], ["z"]) + block(["y"], ["x"]), ["x", "y", "y"])
    assert [failure.candidates for failure in parser.failures] == [(2, 3)]


def test_a_change_that_would_come_behind_lines_put_in_at_its_place_is_refused():
    states = [["a"] * 4, ["a", "a", "a", "b"], ["a", "a", "a", "b", "a"], ["a", "a", "a", "a", "b", "a"]]
    hunks = ("@@ -1,4 +1,4 @@\n a\n a\n a\n-a\n+b\n", "@@ -2,3 +2,4 @@\n a\n a\n b\n+a\n")
    hunks += ("@@ -1,3 +1,4 @@\n a\n a\n a\n+a\n",)
    heads = f"--- a/{PATH}\n+++ b/{PATH}\n"
    parser, _ = parse("".join(f"```diff\n{heads}{hunk}```\n\n" for hunk in hunks), states[0])
    done = len(states) - 1 - len(parser.failures)
    assert done >= 2
    assert apply_to_lines(states[0], parser.hunks) == states[done]


@pytest.mark.parametrize(
    "writer", [in_search_replace, WRITERS["apply_patch"], WRITERS["udiff without numbers"]]
)
def test_an_edit_that_fits_several_places_is_refused_even_if_its_new_lines_stand_elsewhere(writer):
    old = ["new", "old", "old"]
    parser, _ = parse(writer(PATH, ["old"], ["new"]), old)
    assert [failure.message for failure in parser.failures] == [
        "the quoted lines match several places: lines 2, 3"
    ]


def test_an_edit_that_a_later_one_took_back_is_not_taken_for_made():
    old = ["a"] * 4
    states = [old, old[1:], old, old[1:]]
    text = "".join(WRITERS["apply_patch"](PATH, a, b) for a, b in itertools.pairwise(states))
    parser, _ = parse(text, old)
    assert parser.failures or apply_to_lines(old, parser.hunks) == states[-1]
