"""The traces are what their README says, and big enough to measure with."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "examples" / "traces"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def loader_of_the_readme() -> Any:
    code = re.search(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert code
    namespace: dict[str, Any] = {}
    exec(code[1], namespace)
    return namespace["pair"]


def test_short_edits_parse_before_and_after_and_change_something() -> None:
    short = rows("short.jsonl")
    assert len(short) >= 60
    assert len({row["id"] for row in short}) == len(short)
    for row in short:
        assert set(row) == {"id", "path", "before", "instruction", "after"}
        assert 20 <= row["before"].count("\n") <= 80, row["id"]
        assert row["before"] != row["after"], row["id"]
        assert ast.dump(ast.parse(row["before"])) != ast.dump(ast.parse(row["after"])), row["id"]


def test_long_edits_parse_before_and_after_and_change_something() -> None:
    pair = loader_of_the_readme()
    long = rows("long.jsonl")
    assert len(long) >= 60
    assert len({row["id"] for row in long}) == len(long)
    for row in long:
        before, instruction, after = pair(row, FOLDER)
        assert instruction.strip()
        assert 300 <= before.count("\n") <= 1200, row["id"]
        assert ast.dump(ast.parse(before)) != ast.dump(ast.parse(after)), row["id"]


def test_long_edits_are_sorted_minimal_and_do_not_overlap() -> None:
    for row in rows("long.jsonl"):
        lines = (FOLDER / "files" / row["path"]).read_text(encoding="utf-8").split("\n")
        last = 0
        for edit in row["edits"]:
            assert last < edit["start"] <= edit["end"] <= len(lines), row["id"]
            last = edit["end"]
            old = lines[edit["start"] - 1 : edit["end"] - 1]
            assert old != edit["new_lines"]
            if old and edit["new_lines"]:
                assert old[0] != edit["new_lines"][0], row["id"]


def test_every_long_file_is_edited_in_several_ways_and_some_edits_have_many_places() -> None:
    long = rows("long.jsonl")
    for path in (FOLDER / "files").glob("*.py"):
        assert sum(row["path"] == path.name for row in long) >= 5, path.name
    assert sum(len(row["edits"]) == 1 for row in long) >= 20
    assert sum(len(row["edits"]) >= 4 for row in long) >= 10


def test_short_edits_of_the_shop_start_from_the_shop_as_it_is() -> None:
    shop = FOLDER.parent / "shop"
    seen = 0
    for row in rows("short.jsonl"):
        if row["path"].startswith("shop/"):
            assert row["before"] == (shop / row["path"]).read_text(encoding="utf-8"), row["id"]
            seen += 1
    assert seen >= 20
