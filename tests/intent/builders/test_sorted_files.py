"""Paths are sorted by what is asked of the files."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """import glob
import os


def logs(folder):
    return sorted(folder.glob("*.log"))


def found(root):
    out = []
    for path in root.iterdir():
        if path.suffix:
            out.append(path)
    out.sort()
    return out


def names(folder):
    files = [one for one in os.listdir(folder) if one]
    files.sort()
    return files


def reports(folder):
    return sorted(glob.glob(folder + "/*.txt"))


def people(rows):
    return sorted(rows)
"""
MTIME = "os.path.getmtime"


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("sort logs by size", "size", 'sorted(folder.glob("*.log"), key=lambda item: item.stat().st_size)'),
        ("sort found by mtime", "mtime", "out.sort(key=lambda path: path.stat().st_mtime)"),
        ("sort names by mtime", "mtime", f"files.sort(key=lambda item: {MTIME}(os.path.join(folder, item)))"),
        (
            "sort reports by modification time",
            "modification time",
            f'return sorted(glob.glob(folder + "/*.txt"), key=lambda item: {MTIME}(item))',
        ),
    ],
)
def test_paths_are_sorted_by_facts_about_the_files(text: str, key: str, line: str) -> None:
    assert line in changed(CODE, text, "sort_by", key=key, function=text.split()[1])


def test_newest_paths_are_those_that_changed_last() -> None:
    after = changed(CODE, "found: newest first", "sort_by", order="newest first", function="found")
    assert "out.sort(key=lambda path: path.stat().st_mtime, reverse=True)" in after


def test_nothing_is_sorted_otherwise_than_is_said() -> None:
    answer = answer_to(CODE, "sort people by age", "sort_by", key="age", function="people")
    assert (answer.ways, "'age' is nothing that the items have" in answer.reason) == ((), True)
