"""A definition that is moved to a new file, and a file that gets another name."""

from __future__ import annotations

import pytest
from intent.support import answered, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

FILES = {
    "shop/item.py": "class ItemList:\n    pass\n\n\ndef total(rows):\n    return sum(rows)\n",
    "main.py": "",
}


def moved(text: str, intent: str, **slots: list[str]) -> Answer:
    found = {
        slot: tuple(Span(text.index(item), text.index(item) + len(item), item) for item in own)
        for slot, own in slots.items()
    }
    order = Order(0, len(text), (Reading(intent, 0.95, found),))
    return answer_orders([order], situation(FILES, path="main.py", instruction=text))


def test_a_new_file_stands_beside_the_one_that_is_left() -> None:
    found = answered(FILES, ("move_definition", {"symbol": "total", "file": "sums.py"}), path="main.py")
    assert "shop/sums.py" in found.ways[0].plan.created


def test_of_two_files_the_other_one_gets_the_definition() -> None:
    text = "move total out of item.py into sums.py"
    plan = moved(text, "move_definition", symbol=["total"], file=["item.py", "sums.py"]).ways[0].plan
    assert set(plan.created) == {"shop/sums.py"} and not plan.moved


@pytest.mark.parametrize(("name", "path"), [("total", "shop/total.py"), ("ItemList", "shop/item_list.py")])
def test_a_module_of_its_own_is_called_like_the_definition(name: str, path: str) -> None:
    found = moved(f"move {name} into its own module", "move_definition", symbol=[name])
    assert path in found.ways[0].plan.created
    assert any("was made from" in mark for mark in found.ways[0].marked)


def test_a_file_with_a_new_name_stays_in_its_folder() -> None:
    plan = moved("rename item.py to goods.py", "rename_file", file=["item.py"], new=["goods.py"]).ways[0].plan
    assert dict(plan.moved) == {"shop/item.py": "shop/goods.py"}


def test_the_open_file_gets_the_name_if_none_is_named() -> None:
    text = "rename this file to goods.py"
    order = Order(0, len(text), (Reading("rename_file", 0.7, {"new": (Span(20, 28, "goods.py"),)}),))
    found = answer_orders([order], situation(FILES, path="shop/item.py", instruction=text))
    assert dict(found.ways[0].plan.moved) == {"shop/item.py": "shop/goods.py"}


def test_which_class_is_meant_is_doubted_where_two_have_both_methods() -> None:
    both = "class {}:\n    def load(self):\n        return 1\n\n    def save(self):\n        return 2\n\n\n"
    text = "move save above load"
    order = Order(
        0,
        len(text),
        (
            Reading(
                "move_before",
                0.95,
                {
                    "code": (Span(5, 9, "save"),),
                    "anchor": (Span(16, 20, "load"),),
                },
            ),
        ),
    )
    files = {"main.py": both.format("Cart") + both.format("Shop")}
    found = answer_orders([order], situation(files, path="main.py", instruction=text))
    assert all(way.marked for way in found.ways)
