"""Numbers that are multiplied and divided, as the sentence says it."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Reading, Span


@pytest.mark.parametrize(
    ("said", "factor", "value"),
    [
        ("divide TIMEOUT by 3", "3", "20"),
        ("multiply TIMEOUT by 3", "3", "180"),
        ("halve TIMEOUT", "", "30"),
        ("verdopple TIMEOUT", "", "120"),
        ("TIMEOUT 除以 3", "3", "20"),
        ("quiero TIMEOUT dividido, la mitad", "la mitad", "30"),
    ],
)
def test_a_number_is_scaled_as_the_sentence_says(said: str, factor: str, value: str) -> None:
    slots = {
        slot: (Span(said.index(text), said.index(text) + len(text), text),)
        for slot, text in (("variable", "TIMEOUT"), ("factor", factor))
        if text
    }
    found = find_candidates(
        Reading("scale_value", 0.9, slots), situation({PATH: "TIMEOUT = 60\n"}, instruction=said)
    )
    assert [candidate.calls[0].value for candidate in found[:1]] == [value]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("said", "scaled"), [("TIMEOUT should be 90", False), ("TIMEOUT should be 3 times that", True)]
)
def test_what_a_number_is_to_be_is_no_factor(said: str, scaled: bool) -> None:
    factor = said.split()[3]
    slots = {
        "variable": (Span(0, 7, "TIMEOUT"),),
        "factor": (Span(said.index(factor), said.index(factor) + len(factor), factor),),
    }
    found = find_candidates(
        Reading("scale_value", 0.9, slots), situation({PATH: "TIMEOUT = 60\n"}, instruction=said)
    )
    assert any(candidate.calls for candidate in found) is scaled
