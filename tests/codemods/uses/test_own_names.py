"""Modules that look at their own names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from codemods.repositories import findings

from spark_tui.pysource.files.index import Index


def lines_found(text: str) -> list[int]:
    """The lines that are told where a name of the module is gone."""
    found = findings("own names", {"a.py": text + "\nlost = 1\n"}, {"a.py": text})
    return [item.line for item in found]


@pytest.mark.parametrize(
    "lookup", ["sys.modules[__name__]", "sys.modules[ # of\n  __name__]", "sys.modules[(\n\n__name__)]"]
)
def test_a_module_that_is_asked_for_by_its_own_name_is_told(lookup: str) -> None:
    assert lines_found(f"import sys\nhere = {lookup}\n") == [2]


def test_a_banner_below_the_word_modules_is_not_cut_in_every_way() -> None:
    """There are so many that the check would not end."""
    assert lines_found(f"# all modules\n{'#' * 79}\n{'# -' * 30}\nprint(__name__)\n") == []


def test_files_that_import_modules_by_text_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[str, ...]]()
    search = Index.files_with

    def counted(index: Index, *words: str) -> Iterator[str]:
        asked.append(words)
        return search(index, *words)

    monkeypatch.setattr(Index, "files_with", counted)
    files = {f"{name}.py": "kept = 1\n" for name in "abc"}
    looking = {"d.py": "import b\n\nprint(vars(b))\n"}
    found = findings("own names", files | looking, dict.fromkeys(files, "shown = 1\n") | looking)
    assert [(item.path, item.line) for item in found] == [("d.py", 3)]
    assert asked.count(("import_module",)) == 1
