"""What is done to a list of names is one order, and all of the list has one slot."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.names.implied_slots import with_whole_lists
from spark_tui.intent.reading.order_parts import going_on
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize


class Symbols:
    def roles(self, name: str) -> frozenset[str]:
        return frozenset(("function",)) if name in ("load", "save", "scan") else frozenset()

    def word_roles(self, word: str) -> frozenset[str]:
        return frozenset()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("log it in load, save and scan", ", save and scan"),
        ("log it in load, save, scan. sort it", ", save , scan"),
        ("load, save and scan should return 1", ", save and scan"),
        ("rename load to x, save and scan to y", ""),
        ("sort load, save", ""),
        ("sort load, save and sort scan", ""),
        ("in load, save and scan sort it", ""),
    ],
)
def test_no_order_begins_in_a_list_of_names(text: str, rest: str) -> None:
    tokens = tokenize(text)
    assert " ".join(tokens.items[at].text for at in going_on(tokens, Symbols())) == rest


def read(text: str, **slots: tuple[str, ...]) -> Reading:
    def span(one: str) -> Span:
        return Span(text.index(one), text.index(one) + len(one), one)

    return Reading("set_value", 0.95, {slot: tuple(map(span, words)) for slot, words in slots.items()})


def test_all_of_a_list_has_the_slot_of_most_of_it() -> None:
    text = "set the timeout of Base, Http and Ftp to 5"
    found = with_whole_lists(read(text, variable=("timeout", "Ftp"), **{"class": ("Base", "Http")}), text)
    assert [one.text for one in found.slots["variable"]] == ["timeout"]
    assert [one.text for one in found.slots["class"]] == ["Base", "Http", "Ftp"]
    text = "set Base, Http and limit to 5"
    told = read(text, variable=("limit",), **{"class": ("Base", "Http")})
    assert with_whole_lists(told, text) == told


def test_a_key_is_set_in_each_table_that_is_named() -> None:
    code = (
        "[tool.ruff]\nline-length = 88\n\n[tool.black]\nline-length = 88\n\n[tool.isort]\nline-length = 88\n"
    )
    text = "set line-length to 100 for ruff and black"
    slots = {"key": (Span(4, 15, "line-length"),), "value": (Span(19, 22, "100"),)}
    order = Order(0, len(text), (Reading("set_key", 0.95, slots),))
    files = {"pyproject.toml": code, PATH: "x = 1\n"}
    found = answer_orders([order], situation(files, instruction=text))
    assert result(found, files, "pyproject.toml") == code.replace("88", "100", 2)


def test_a_new_name_is_no_value() -> None:
    code = 'A = {"host": "x"}\n'
    text = "rename the key host to server in A"
    assert not answer_to(code, text, "set_entry", key="host", value="server", variable="A").ways
