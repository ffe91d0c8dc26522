"""Blocks of one answer that build on each other: as if made one after the other, or refused; never something else."""

import itertools

from edit_writers import changes, in_search_replace, joined
from hypothesis import strategies as st
from laws import law

from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser

PATH = "app.py"
NAMES = [f"name_{n}" for n in range(12)]


@st.composite
def answers(draw):
    """A file, two or three changes each on top of the last, and the answer that says them in turn."""
    alphabet = (*NAMES, "", "    pass")
    old, new = draw(changes(alphabet, low=4, high=10))
    states = [old, new]
    for _ in range(draw(st.integers(1, 2))):
        last = list(states[-1])
        at = draw(st.integers(0, len(last)))
        last[at : at + draw(st.integers(0, 2))] = draw(st.lists(st.sampled_from([*NAMES, "more"]), max_size=2))
        states.append(last)
    text = "".join(in_search_replace(PATH, a, b) for a, b in itertools.pairwise(states))
    return old, states[-1], text


def parse(text, old, pieces=None):
    parser = Parser("search_replace", {PATH: old}.get)
    events = []
    for piece in pieces or [text]:
        events += parser.feed(piece)
    events += parser.finish()
    return parser, events


@law(answer=answers(), quick=120)
def test_blocks_in_turn_give_what_making_them_in_turn_gives_or_are_refused(answer):
    old, new, text = answer
    parser, events = parse(text, old)
    assert joined(parse(text, old, list(text))[1]) == joined(events)
    if not parser.failures:
        assert apply_to_lines(old, parser.hunks) == new


def test_most_such_answers_are_understood():
    tried = understood = 0
    for start in range(6):
        for second in range(6):
            old = [f"line {n}" for n in range(8)]
            middle = [*old[:start], "put in", *old[start:]]
            new = list(middle)
            new[second + 1] = "changed"
            if "put in" not in new:
                continue
            text = in_search_replace(PATH, old, middle) + in_search_replace(PATH, middle, new)
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
