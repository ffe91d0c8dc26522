"""An index that shares what it knows with the one before it answers like one that is read from the start."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree, OverlayTree

FILES = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": "import os\n\n\nclass Cart:\n    def add(self): ...\n    def drop(self): ...\n",
    "shop/uses.py": "from shop.cart import Cart\n\n\ndef add(): return Cart().add()\n",
}
CHANGES: dict[str, dict[str, str | None]] = {
    "a renamed member": {"shop/cart.py": FILES["shop/cart.py"].replace("add", "put")},
    "another import": {"shop/uses.py": "from shop import Cart\nimport shop.other\n"},
    "lines that moved": {"shop/uses.py": "\n\n" + FILES["shop/uses.py"]},
    "a new file": {"shop/other.py": "def add(): ...\n"},
    "a file less": {"shop/uses.py": None},
    "code that does not parse": {"shop/cart.py": "class Cart(:\n"},
}


def seen(index: Index) -> object:
    names = sorted(index.symbol_names)
    return (
        index.paths,
        {name: index.symbols(name) for name in names},
        {path: index.importers(path) for path in index.paths},
        {name: list(index.files_with(name)) for name in (*names, "os", "import")},
        {path: summary.words for path, summary in index.summaries.items()},
        {path: index.modules.name(path) for path in index.paths},
    )


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_index_answers_like_a_new_one(name: str) -> None:
    before = Index(DictTree(FILES))
    seen(before)
    texts = {path: text for path, text in {**FILES, **CHANGES[name]}.items() if text is not None}
    assert seen(before.with_changes(CHANGES[name])) == seen(Index(DictTree(texts)))


def test_changes_upon_changes_answer_like_a_new_index() -> None:
    before = Index(DictTree(FILES))
    seen(before)
    middle = before.with_changes(CHANGES["a renamed member"])
    last = middle.with_changes(CHANGES["another import"])
    changes = {**CHANGES["a renamed member"], **CHANGES["another import"]}
    texts = {path: changes.get(path) or text for path, text in FILES.items()}
    assert seen(last) == seen(Index(DictTree(texts)))
    assert seen(before) == seen(Index(DictTree(FILES)))


def test_a_file_that_an_index_holds_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spark_tui.pysource.files.content_store.MOST_PARSED_CHARACTERS", 1)
    before = Index(DictTree(FILES))
    held = {path: before.scopes(path) for path in before.paths}
    after = before.with_changes(CHANGES["a renamed member"])
    same = {path for path in after.paths if after.scopes(path) is held[path]}
    assert same == FILES.keys() - CHANGES["a renamed member"].keys()


class StampedFiles(DictTree):
    """Files that tell when they were written, and which were read."""

    def __init__(self, files: Mapping[str, str], stamps: Mapping[str, int]) -> None:
        super().__init__(files)
        self.stamps, self.was_read = stamps, list[str]()

    def stamp(self, path: str) -> object:
        return self.stamps.get(path)

    def read(self, path: str) -> str | None:
        self.was_read.append(path)
        return super().read(path)


@pytest.mark.parametrize("name", CHANGES)
def test_files_that_are_read_again_answer_like_a_new_index(name: str) -> None:
    before = Index(StampedFiles(FILES, dict.fromkeys(FILES, 1)))
    seen(before)
    texts = {path: text for path, text in {**FILES, **CHANGES[name]}.items() if text is not None}
    files = StampedFiles(texts, {path: 2 if path in CHANGES[name] else 1 for path in texts})
    assert seen(before.reread(files)) == seen(Index(DictTree(texts)))
    assert set(files.was_read) == CHANGES[name].keys() & texts.keys()


def test_only_files_with_another_stamp_or_none_are_read_again() -> None:
    before = Index(StampedFiles(FILES, dict.fromkeys(FILES, 1)))
    seen(before)
    files = StampedFiles(FILES, {"shop/__init__.py": 1, "shop/cart.py": 2})
    after = before.reread(files)
    assert seen(after) == seen(before)
    assert sorted(files.was_read) == ["shop/cart.py", "shop/uses.py"]
    assert after.summaries is before.summaries


@pytest.mark.parametrize("name", CHANGES)
def test_files_under_changes_are_not_read_again(name: str) -> None:
    stamps = dict.fromkeys(FILES, 1)
    before = Index(StampedFiles(FILES, stamps))
    seen(before)
    files = StampedFiles(FILES, stamps)
    texts = {path: text for path, text in {**FILES, **CHANGES[name]}.items() if text is not None}
    assert seen(before.reread(OverlayTree(files, CHANGES[name]))) == seen(Index(DictTree(texts)))
    assert files.was_read == []


def test_what_was_stored_answers_like_what_is_read_and_is_stored_again(tmp_path: Path) -> None:
    first = Index(DictTree(FILES), tmp_path)
    seen(first)
    (stored,) = tmp_path.iterdir()
    kept = stored.read_text()
    second = Index(DictTree({**FILES, "shop/more.py": "from shop import cart\n"}), tmp_path)
    assert second.summary("shop/cart.py") == first.summary("shop/cart.py")
    second.save()
    assert stored.read_text() == kept
    assert second.summaries.keys() == {*FILES, "shop/more.py"}
    assert json.loads(kept).items() < json.loads(stored.read_text()).items()


def test_what_a_plan_would_make_is_not_stored(tmp_path: Path) -> None:
    before = Index(DictTree(FILES), tmp_path)
    seen(before)
    (stored,) = tmp_path.iterdir()
    seen(before.with_changes(CHANGES["a renamed member"]))
    stored.unlink()
    seen(before.reread(DictTree(FILES)))
    assert not list(tmp_path.iterdir())
