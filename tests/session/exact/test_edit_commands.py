"""Commands for exact edits: what is typed becomes calls, with the cursor's place where one is left out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from spark_tui.codemods import registry
from spark_tui.codemods.registry import MalformedCall
from spark_tui.codemods.slots import SymbolKind
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.edit_commands import (
    UnknownWord,
    commands,
    complete_call,
    current_slot,
    is_edit_command,
    read,
    usage_of,
)
from spark_tui.session.exact.edit_cursor import Cursor, CursorPlace


class At:
    """A cursor in `Cart.add`."""

    def symbol(self, kinds: frozenset[SymbolKind]) -> str:
        return "Cart.add" if SymbolKind.METHOD in kinds else "Cart" if SymbolKind.CLASS in kinds else ""

    @property
    def places(self) -> Sequence[str]:
        return ("shop/cart.py:20", "Cart.add")

    def file(self) -> str:
        return "shop/cart.py"

    def definitions(self, path: str = "") -> tuple[str, ...]:
        return (f"{path}::Cart", f"{path}::add") if path else ()


@pytest.mark.parametrize(
    ("typed", "line", "shown"),
    [
        ("/rename Cart.add put", "/rename Cart.add put", "rename(Cart.add, put)"),
        ("/rename put", "/rename Cart.add put", "rename(Cart.add, put)"),
        ("/rename new=put", "/rename new=put Cart.add", "rename(Cart.add, put)"),
        (
            "/signature add note default=None",
            "/signature add Cart.add note default=None",
            "add_parameter(Cart.add, note, default=None)",
        ),
        (
            "/signature reorder Cart.add qty,sku",
            "/signature reorder Cart.add qty,sku",
            "reorder_parameters(Cart.add, [qty, sku])",
        ),
        ("/signature returns int", "/signature returns Cart.add int", "annotate_return(Cart.add, int)"),
        (
            "/imports",
            "/imports shop/cart.py",
            "remove_unused_imports(path=shop/cart.py), sort_imports(path=shop/cart.py)",
        ),
        ("/imports .", "/imports .", "remove_unused_imports(), sort_imports()"),
        ("/imports sort", "/imports sort path=shop/cart.py", "sort_imports(path=shop/cart.py)"),
        ("/imports sort .", "/imports sort .", "sort_imports()"),
        (
            "/imports add decimal name=Decimal",
            "/imports add shop/cart.py decimal name=Decimal",
            "add_import(shop/cart.py, decimal, name=Decimal)",
        ),
        (
            "/extract variable 'a + b' total",
            '/extract variable shop/cart.py:20 "a + b" total',
            "extract_variable(shop/cart.py:20, a + b, total)",
        ),
        ("/refactor to_dataclass", "/refactor to_dataclass Cart", "to_dataclass(Cart)"),
        ("/refactor rename(Cart.add, put)", "/refactor rename(Cart.add, put)", "rename(Cart.add, put)"),
        (
            "/refactor apply_pattern is_none",
            "/refactor apply_pattern is_none shop/cart.py:20",
            "apply_pattern(is_none, shop/cart.py:20)",
        ),
    ],
)
def test_a_command_is_completed_by_the_place_of_the_cursor(typed: str, line: str, shown: str) -> None:
    found = complete_call(typed, At())
    assert (found.line, found.shown) == (line, shown)
    again = complete_call(found.line, CursorPlace(Repository(DictTree({})), Cursor()))
    assert again.calls == found.calls


def test_the_definition_around_the_cursor_is_tried_after_the_line() -> None:
    found = complete_call("/refactor add_guard 'qty < 1' 'raise ValueError(qty)'", At())
    assert [item.line.split()[2] for item in (found, *found.others)] == ["shop/cart.py:20", "Cart.add"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("/rename", "rename needs target and new"),
        ("/rename a b c", "rename takes at most 2 arguments"),
        ("/signature", "/signature needs add or remove"),
        ("/refactor", "/refactor needs an operation"),
        ("/imports a.py b.py", "/imports takes one file"),
        ("/refactor add_comment a.py:1 text where=aside", "above, behind"),
    ],
)
def test_what_is_missing_or_wrong_is_said(typed: str, reason: str) -> None:
    with pytest.raises(MalformedCall, match=re.escape(reason)):
        complete_call(typed, At())


def test_where_nothing_fits_at_the_cursor_the_field_is_asked_for() -> None:
    with pytest.raises(MalformedCall, match="rename needs target: nothing at the cursor fits"):
        complete_call("/rename put", CursorPlace(Repository(DictTree({})), Cursor()))


@pytest.mark.parametrize(
    ("typed", "at", "nearest"),
    [
        ("/renam x y", 0, ("/rename",)),
        ("/signature rmove x", 1, ("remove",)),
        ("/refactor renam", 1, ("rename",)),
        ("/refactor dataclass", 1, ("to_dataclass",)),
    ],
)
def test_the_nearest_names_of_a_word_that_is_unknown(typed: str, at: int, nearest: tuple[str, ...]) -> None:
    with pytest.raises(UnknownWord) as caught:
        read(typed)
    assert caught.value.at == at
    assert caught.value.nearest[: len(nearest)] == nearest


def test_every_operation_of_the_table_exists_and_every_operation_can_be_called() -> None:
    known = registry.operations()
    for item in commands().values():
        for name in (*item.verbs.values(), *item.steps, *filter(None, [item.operation])):
            assert name in known
    for name in known:
        assert read(f"/refactor {name}").operation == name
        assert usage_of(f"/refactor {name} x").startswith(f"/refactor {name}")


@pytest.mark.parametrize(
    ("line", "slot", "text"),
    [
        ("/rename ", "target", ""),
        ("/rename Cart.a", "target", "Cart.a"),
        ("/rename Cart.add p", "new", "p"),
        ("/signature add Cart.add note default=No", "default", "No"),
        ("/signature add Cart.add note default=None ", "annotation", ""),
        ("/rename new=put Ca", "target", "Ca"),
    ],
)
def test_the_field_at_the_end_of_the_line(line: str, slot: str, text: str) -> None:
    found = current_slot(read(line), len(line))
    assert found is not None
    assert (found[0].name, found[1], line[found[2] :]) == (slot, text, text)


def test_behind_the_last_field_there_is_none() -> None:
    line = "/rename Cart.add put "
    assert current_slot(read(line), len(line)) is None


@pytest.mark.parametrize(
    ("text", "is_one"),
    [("/rename a b", True), (" /imports", True), ("rename a b", False), ("/model x", False), ("", False)],
)
def test_which_prompts_are_commands(text: str, is_one: bool) -> None:
    assert is_edit_command(text) is is_one


def test_tests_of_several_functions_or_of_a_file_are_one_command() -> None:
    typed = complete_call("/test Cart.add total", At())
    assert typed.line == "/test Cart.add total"
    assert typed.shown == "add_test(Cart.add), add_test(total)"
    whole = complete_call("/test shop/cart.py", At())
    assert whole.line == "/test shop/cart.py"
    assert whole.shown == "add_test(shop/cart.py::Cart), add_test(shop/cart.py::add)"
    beside = complete_call("/test total tests/test_cart.py", At())
    assert beside.shown == "add_test(total, path=tests/test_cart.py)"
    assert complete_call("/test", At()).shown == "add_test(Cart.add)"
