"""A loop that only leaves where something is found asks with `any`."""

from __future__ import annotations

import pytest
from codemods.repositories import after, refusal

LOOP = "def f(a, d, xs):\n    for x in xs:\n        if x in d:\n            {}\n    return a\n"


@pytest.mark.parametrize("way", ["return []", "raise ValueError('there')"])
def test_it_leaves_with_what_the_loop_does_not_set(way: str) -> None:
    new = f"def f(a, d, xs):\n    if any(x in d for x in xs):\n        {way}\n    return a\n"
    assert after("apply_pattern any 'in f'", LOOP.format(way)) == new


@pytest.mark.parametrize("way", ["return [x]", "raise KeyError(x)"])
def test_what_was_found_is_no_answer_to_any(way: str) -> None:
    assert "used in the rest" in str(refusal("apply_pattern any 'in f'", {"m.py": LOOP.format(way)}))
