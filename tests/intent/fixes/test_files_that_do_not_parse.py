"""Messages about an open file that does not parse."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles


@pytest.mark.parametrize(
    ("code", "message", "wanted"),
    [
        (
            "class Box:\n    def put(self, item: Item) -> bool | None\n        return item\n",
            'it says this\n\n  File "box.py", line 2\n    def put(self, item: Item) -> bool | None\n'
            "SyntaxError: expected ':'",
            "    def put(self, item: Item) -> bool | None:\n",
        ),
        (
            "class Box(Base, frozen=True)\n    size: int = 0\n",
            "look\nFile \"box.py\", line 1\n    class Box(Base, frozen=True)\nSyntaxError: expected ':'",
            "class Box(Base, frozen=True):\n",
        ),
        ("rows = load(open(path)\nprint(rows)\n", "one parenthesis is missing there", "load(open(path))\n"),
    ],
)
def test_it_is_repaired_whatever_stands_in_its_line(code: str, message: str, wanted: str) -> None:
    here = situation({PATH: code})
    found = answer(message, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert found.kind == "edit" and wanted in result(found, {PATH: code})
    assert len(result(found, {PATH: code})) == len(code) + 1
