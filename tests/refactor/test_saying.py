"""What is said around an order is no part of it."""

from __future__ import annotations

import pytest

from spark_tui.refactor.saying import order_in


@pytest.mark.parametrize(
    "instruction",
    [
        "please sort the imports",
        "Hey, could you sort the imports for me?",
        "btw, sort the imports",
        "one more thing: sort the imports!",
        "small change: sort the imports. the rest is fine",
        "I changed my mind. sort the imports, thx",
        "why don't you sort the imports?",
        "sort the imports, leave everything else as it is",
        "sort the imports - for consistency",
        "hmm, sort the imports, right?",
        "sort the imports. minimal change please",
        "ok so sort the imports (imo)",
        "> sort the imports",
        "sort the imports because ruff complains about them",
        "sort the imports, since nobody finds anything",
        "sort the imports so that people find things",
        "sort the imports; should be easy",
        "sort the imports (the reviewer asked for it)",
        "sort the imports, needed for the next ticket",
        "if you have a minute, sort the imports",
        "I think you should sort the imports",
        "not urgent, but sort the imports",
        "uh, sort the imports",
        "quick fix: sort the imports",
        "before we merge: sort the imports",
        "no rush but could you sort the imports",
        "while you're at it, sort the imports",
        "i guess we should sort the imports",
        "sort the imports when you have time, no rush",
    ],
)
def test_the_order_is_what_is_left(instruction: str) -> None:
    assert order_in(instruction) == "sort the imports"


@pytest.mark.parametrize(
    "instruction",
    [
        "right-align the column",
        "note the version in the header",
        "one more retry",
        "write the rest",
        "add a small change counter",
        "quick_sort needs a docstring",
        "call save()",
        "drop line 3 (just before `x = load(a)`)",
        "print no questions asked",
        "wait for now",
        "add a comment above line 3: skipped because the api is slow",
        "rename start to since",
        "add a parameter since to fetch",
        "print 'late' so that it shows \"late\"",
        "load only what is new since the last run",
    ],
)
def test_words_of_the_order_stay(instruction: str) -> None:
    assert order_in(instruction) in (instruction, instruction.removesuffix(" for now"))


@pytest.mark.parametrize(
    "instruction",
    [
        "someone on the team noticed that load crashes for empty files",
        "I think load crashes for empty files",
        "a customer reported that load crashes for empty files",
        "bug: load crashes for empty files",
        "we noticed load crashes for empty files, no hurry",
    ],
)
def test_who_saw_it_is_no_part_of_a_complaint(instruction: str) -> None:
    assert order_in(instruction) == "load crashes for empty files"
