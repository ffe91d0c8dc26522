"""Values that stand beside what was read, and texts that nobody said."""

from __future__ import annotations

import pytest
from intent.asking import changed
from intent.support import PATH, situation

from spark_tui.codemods.registry import render
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words.readings import Reading, Span

CODE = "def names(items):\n    return str(items)\n"


def calls(intent: str, said: str, code: str, **words: str) -> list[str]:
    slots = {
        slot: (Span(said.index(text), said.index(text) + len(text), text),) for slot, text in words.items()
    }
    found = find_candidates(Reading(intent, 0.9, slots), situation({PATH: code}, instruction=said))
    return [render(call) for candidate in found for call in candidate.calls]


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("return an empty list in names if items is None", "return []"),
        ("names: si items is None, renvoie une chaîne vide", 'return ""'),
        ("return from names early if items is None", "return"),
        ("if items is None an early return in names, no more", "return"),
    ],
)
def test_what_is_returned_early_is_found_beside_the_slots(said: str, result: str) -> None:
    first = calls("guard_return", said, CODE, function="names", condition="items is None")[0]
    assert first.endswith(f"items is None, {result})")


def test_a_docstring_that_nobody_said_takes_the_place_of_none() -> None:
    said = "add a docstring to names"
    assert calls("write_docstring", said, CODE, function="names")
    documented = CODE.replace("\n    ", '\n    """Join them."""\n    ', 1)
    assert not calls("write_docstring", said, documented, function="names")


def test_one_of_several_comments_may_be_meant_alone() -> None:
    code = "# -*- coding: utf-8 -*-\nA = 1  # the first\nB = 2  # the second\n"
    for said, doubted in (("drop the comments on coding", True), ("drop the comments", False)):
        found = find_candidates(Reading("remove_comments", 0.9), situation({PATH: code}, instruction=said))
        assert any("may be meant" in doubt for doubt in found[0].doubts) == doubted


def test_a_result_is_what_the_function_reads_of_its_variable() -> None:
    body = "        part = self.parts[sku]\n        part.stock -= 1\n"
    code = f"class Store:\n    def low_stock(self):\n        pass\n\n    def ship(self, sku):\n{body}"
    words = {"function": "ship", "result": "the stock"}
    assert changed(code, "ship must return the stock", "set_return", **words).endswith(
        f"{body}        return part.stock\n"
    )
