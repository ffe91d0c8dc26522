"""Titles of edits to choose from."""

from __future__ import annotations

from spark_tui.codemods import registry
from spark_tui.intent.planning.titles import title_of


def test_of_a_long_title_the_text_is_cut_and_the_place_stays() -> None:
    said = 'raise TypeError("the code of a parcel must not be negative, and neither may be its weight")'
    call = {"op": "add_guard", "place": "in store.py::Store.remove", "condition": "code < 0", "action": said}
    title = title_of(registry.from_json(call))
    assert title.endswith("… in Store.remove") and "code < 0" in title and len(title) <= 100


def test_what_goes_is_no_place_alone() -> None:
    call = {"op": "delete_statements", "place": "store.py:8"}
    assert title_of(registry.from_json(call)) == "delete what is at store.py:8"
