"""What holds of every answer that is completed, put right, parted or found idle, whatever it is about."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.spark_tokenizer import spark_tokenizer

from spark_tui.backends.answers.answer_check import AnswerCheck, parses, read_hunks
from spark_tui.backends.answers.copy_repair import MOST_DIFFERENCES, copy_errors, repaired_hunks
from spark_tui.backends.answers.instruction_splitter import instruction_splits
from spark_tui.backends.answers.noop_classifier import (
    NoopClassifier,
    discounted_confidence,
    is_noop,
    noop_lower_bound,
    noop_probability,
)
from spark_tui.backends.answers.rename_completion import RenameCompletion
from spark_tui.engine import token_layout
from spark_tui.engine.token_layout import WindowHunk

NAMES = st.sampled_from(["a", "b", "total", "rate"])
ATOMS = st.one_of(NAMES, NAMES.map("self.{}".format), NAMES.map('"{}"'.format), NAMES.map("f(a={})".format))
STATEMENTS = st.tuples(NAMES, ATOMS, ATOMS).map(lambda parts: "    {} = {} + {}  # total".format(*parts))


@given(st.lists(STATEMENTS, min_size=1, max_size=6), st.lists(STATEMENTS, max_size=3), NAMES)
def test_a_completed_answer_is_the_replacement_at_each_place_and_nothing_else(first, second, old):
    lines = [f"def one({old}, b_):", *first, "", "", "def two(b_):", *(second or ["    pass"])]
    written = WindowHunk(0, 1, (lines[0].replace(old, "brand_new", 1),))
    (hunks, _), *_ = RenameCompletion(lines, f"rename {old} to brand_new in one").completed([written])
    after = list(lines)
    for item in reversed(hunks):
        assert item.last - item.first == len(item.new)
        after[item.first : item.last] = item.new
    assert [re.sub(r"\bbrand_new\b", old, line) for line in after] == lines
    assert all(number < len(first) + 1 for item in hunks for number in range(item.first, item.last))
    one = ast.parse("\n".join(after)).body[0]
    kept = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
    assert old not in kept
    strings = [node.value for node in ast.walk(one) if isinstance(node, ast.Constant)]
    assert "brand_new" not in strings
    assert all(line.endswith("# total") for line in after[1 : len(first) + 1])
    assert not any("self.brand_new" in line for line in after)


TOKENIZER = spark_tokenizer()
NEWLINE = TOKENIZER.encode("\n")[0]
WORDS = ["load", "rows", "limit", "3", "strict", '"a b"', "[0]"]


def ids(*hunks):
    return [
        *(token for hunk in hunks for token in token_layout.encode_hunk(TOKENIZER.encode, hunk)),
        token_layout.EOS,
    ]


def test_nothing_is_put_back_that_has_more_to_speak_against_it_than_the_answer_has():
    lines = ("def work(sides, clock, entry, path):", "    clock.tick(30)")
    check = AnswerCheck(lines, "60 ticks, please", TOKENIZER.decode, NEWLINE, encode=TOKENIZER.encode)
    written = ids(WindowHunk(1, 2, ("    ure.tick(60)",)))
    assert not check.put_right(written, 0.0)
    found = check.put_right(written, 0.1)
    assert read_hunks(found, TOKENIZER.decode, NEWLINE)[1][0].new == ("    clock.tick(60)",)


def test_lines_of_another_number_and_lines_that_have_little_in_common_are_no_copies():
    lines = ("a(b, c)",)
    assert repaired_hunks(lines, [WindowHunk(0, 1, ("a(d, e)", "f"))]) == []
    many = " + ".join(f"a{n}" for n in range(MOST_DIFFERENCES + 1))
    assert repaired_hunks((many,), [WindowHunk(0, 1, (many.replace("a", "b"),))]) == []


def calls():
    words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)
    return words.map(lambda found: f"call({', '.join(found)})")


@settings(max_examples=40, deadline=None)
@given(calls(), calls(), calls())
def test_only_pieces_that_differ_are_put_back(old, new, other):
    lines = (old, other)
    hunks = [WindowHunk(0, 1, (new,))]
    found = list(copy_errors(lines, hunks))
    for way in repaired_hunks(lines, hunks):
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


CLASS = ("class A:", "    def __init__(self, path):", "        self.path = path", "        self.limit = 10")


def test_the_chance_falls_with_sureness_and_rises_with_signs():
    assert noop_probability(0.1, 0.9, 0.0) < noop_probability(0.1, 0.1, 0.0) < noop_probability(0.1, 0.1, 1.9)
    assert noop_probability(0.1, 0.5, 0.0) < noop_probability(0.5, 0.5, 0.0)
    assert noop_probability(0.1, 1e-9, 0.0) == noop_probability(0.1, 1e-4, 0.0), "hard is not idle"
    assert 0 <= noop_probability(0.0, 0.0, -9.0) < noop_probability(1.0, 0.0, 9.0) <= 1


def test_what_is_decided_early_would_be_decided_so_after_any_edit():
    for said in (0.01, 0.2, 0.6, 0.9, 0.99):
        for sure in (0.001, 0.3, 1.0):
            for hunks in ([], [WindowHunk(3, 4, ("        self.most = 10",))]):
                signs = NoopClassifier(CLASS, "rename `limit` to `most`").signs(hunks)
                assert noop_lower_bound(said) <= noop_probability(said, sure, signs) + 1e-9


def test_nobody_tells_where_an_edit_is_only_unsure():
    assert not is_noop(0.0005, 0.0)
    assert is_noop(0.05, 0.0)
    assert is_noop(0.0005, 3.7)


def test_an_edit_is_less_sure_where_none_may_be_wanted():
    assert discounted_confidence(0.8, 0.001) == 0.8
    assert 0 < discounted_confidence(0.8, 0.4) < discounted_confidence(0.8, 0.1) < 0.8


@pytest.mark.parametrize(
    "text", ["rename a to b and drop c. " * 4000, "1. " * 330, ",." * 450 + " and", "and then , " * 80]
)
def test_a_story_is_not_searched_for_orders(text):
    assert instruction_splits(text) == []
