"""Roles that are kept from message to message are those of a repository that is read from the start."""

from __future__ import annotations

import pytest

from spark_tui.intent.reading.symbol_roles import RepositoryRoles, RoleTable, repository_roles
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree

FILES = {
    "shop/cart.py": "import os\n\nMAX_ITEMS = 3\n\n\nclass Cart:\n    def add_item(self, new_item): ...\n",
    "shop/uses.py": "from shop.cart import Cart\n\n\ndef add_item(): return Cart()\n",
    "settings.toml": "limit = 3\n",
}
CHANGES: dict[str, dict[str, str | None]] = {
    "nothing": {},
    "a name less": {"shop/cart.py": FILES["shop/cart.py"].replace("MAX_ITEMS", "limit")},
    "a name that stays elsewhere": {"shop/uses.py": ""},
    "a setting": {"settings.toml": "other = 3\n"},
    "a new file": {"shop/new.py": "def add_item(): ...\n"},
    "a file less": {"shop/uses.py": None},
}
NAMES = [
    *("add_item", "new_item", "Cart", "MAX_ITEMS", "limit", "other", "os", "shop.cart"),
    *("cart.py", "shop/", "shop/new.py"),
]
WORDS = ["add", "item", "new", "max", "items", "cart", "limit"]


def seen(table: RoleTable) -> list[object]:
    return [*(table.roles(item) for item in NAMES), *(table.word_roles(item) for item in WORDS)]


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("opened", [(), ("shop/cart.py",)])
def test_kept_roles_are_those_of_a_new_reading(name: str, opened: tuple[str, ...]) -> None:
    kept, first = RepositoryRoles(), Index(DictTree(FILES))
    assert seen(kept.of(first, opened)) == seen(repository_roles(first, opened))
    texts = {path: text for path, text in {**FILES, **CHANGES[name]}.items() if text is not None}
    expected = seen(repository_roles(Index(DictTree(texts)), opened))
    assert seen(kept.of(first.reread(DictTree(texts)), opened)) == expected
    assert seen(kept.of(first.with_changes(CHANGES[name]), opened)) == expected
    assert seen(kept.of(first, opened)) == seen(repository_roles(first, opened))


def test_files_that_are_opened_in_turn_count_only_while_they_are_open() -> None:
    kept, index = RepositoryRoles(), Index(DictTree(FILES))
    for opened in (
        ["shop/cart.py"],
        ["shop/uses.py"],
        ["shop/cart.py", "shop/uses.py"],
        [],
        ["shop/cart.py"],
    ):
        assert seen(kept.of(index, opened)) == seen(repository_roles(index, opened))
    assert kept.of(index, ["shop/cart.py"]) is kept.of(index, ["shop/cart.py"])
