"""References to what stands in the code: they name it in other ways and never mean two things."""

from __future__ import annotations

from random import Random

from spark_tui.train.place_phrases import hint
from spark_tui.train.referring_phrases import WindowNames, words_of
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.template_grammar import NameSlot, SubTemplate, WordsSlot, expand

SHOP = SourceWindow(
    "shop/stock.py",
    """REQUEST_TIMEOUT = 5


class ItemStore:
    def load_rows(self, path):
        for line in open(path):
            print(line)
        return path


def load_absences(limit):
    total = limit + REQUEST_TIMEOUT
    return total


def write_absences(limit):
    return limit
""",
)


def said(name: str, template: str = "look at {x}") -> set[str]:
    slots = WindowNames(SHOP).slots({"x": NameSlot(name)})
    return {"".join(text for text, _ in expand(template, slots, Random(seed))) for seed in range(1500)}


def test_a_long_name_is_said_in_words_by_its_part_and_with_what_it_is() -> None:
    assert {
        "look at load absences",
        "look at the load absences function",
        "look at stock.py:load_absences",
    } <= said("load_absences")
    assert {"look at the item store", "look at the class ItemStore"} <= said("ItemStore")
    assert {"look at the timeout", "look at request timeout"} <= said("REQUEST_TIMEOUT")
    assert "look at ItemStore.load_rows" in said("load_rows")


def test_a_part_that_two_names_share_is_never_said_alone() -> None:
    assert not {"look at the absences", "look at the absences function", "look at the load"} & said(
        "load_absences"
    )


def test_words_around_a_name_are_not_said_twice() -> None:
    for text in said("load_absences", "rename the function {x} to y") | said(
        "total", "the {x} variable is odd"
    ):
        assert "function function" not in text
        assert "variable variable" not in text
        assert "the the" not in text


def test_new_names_and_unknown_names_are_spelled_out() -> None:
    slots = WindowNames(SHOP).slots(
        {
            "new": NameSlot("total"),
            "x": NameSlot("elsewhere"),
            "s": SubTemplate("{f}", {"f": NameSlot("total")}),
        }
    )
    assert slots["new"] == NameSlot("total")
    assert slots["x"] == NameSlot("elsewhere")
    assert slots["s"] != SubTemplate("{f}", {"f": NameSlot("total")})
    assert words_of("HTTPServer_v2") == ["http", "server", "v", "2"]


def test_a_hint_is_true_of_the_hunk() -> None:
    from spark_tui.engine.token_layout import WindowHunk

    seen = set()
    for seed in range(400):
        place = hint(SHOP, [WindowHunk(6, 7, ("            print(path)",))], "", Random(seed))
        assert place is not None
        text = "".join(text for text, _ in expand(place.behind, place.slots, Random(seed)))
        assert not any(word in text for word in ("absences", "REQUEST", "top", "bottom"))
        seen.add(text)
    assert any("loop" in text for text in seen)
    assert " (line 7)" in seen
    assert any("ItemStore" in text for text in seen)
    assert hint(SHOP, [], "", Random(1)) is None
    assert isinstance(WindowNames(SHOP).slot(WordsSlot("x")), WordsSlot)
