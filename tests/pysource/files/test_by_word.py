"""The files that have a word: kept words give what is asked anew, also of changed files."""

from __future__ import annotations

import pytest

from spark_tui.pysource import summary
from spark_tui.pysource.files import by_word
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.files.tree import DictTree

FILES = {
    "a.py": "total = 1\n",
    "b.py": "x = 'total of it'\n",
    "c.py": "other = total_of = 2\n",
    "d.py": "other\n",
}


@pytest.mark.parametrize("bits", [8, 2048])
def test_words_are_found_whole_with_and_without_summaries(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where most words have their bit in common with another one."""
    monkeypatch.setattr(summary, "_BITS", bits)
    index = Index(DictTree(FILES))
    assert list(index.files_with("total")) == ["a.py", "b.py"]
    assert index.summaries
    for _ in range(2):
        assert list(index.files_with("total")) == ["a.py", "b.py"]
        assert list(index.files_with("other", "total")) == ["a.py", "b.py", "c.py", "d.py"]
        assert not list(index.files_with("tot"))


def test_changed_files_are_looked_at_again() -> None:
    index = Index(DictTree(FILES))
    assert index.summaries
    assert list(index.files_with("total"))
    after = index.with_changes({"a.py": "sum_of = 1\n", "d.py": "print(total)\n"})
    assert list(after.files_with("total")) == ["b.py", "d.py"]
    assert list(index.files_with("total")) == ["a.py", "b.py"]


def test_few_paths_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_word, "_MOST_KEPT", 3)
    index = Index(DictTree(FILES))
    found = by_word.FilesByWord(index.summaries, lambda one: one.words)
    for word in ("total", "other", "total", "x"):
        found.of([word])
        assert sum(map(len, found._known.values())) <= 3
