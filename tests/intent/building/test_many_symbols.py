"""A name that very many symbols have is looked at once for all of them."""

from __future__ import annotations

from typing import Any

import pytest
from intent.asking import answer_to

from spark_tui.intent.building import named_symbols


def test_what_else_has_a_name_is_looked_up_once_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[str, str]] = []
    list_targets = named_symbols.list_targets

    def counted(repo: Any, path: str, name: str = "") -> Any:
        looked.append((path, name))
        return list_targets(repo, path, name)

    monkeypatch.setattr(named_symbols, "list_targets", counted)
    code = "\n\n".join(f"def part{at}(value):\n    return value + {at}\n" for at in range(40))
    found = answer_to(code, "rename value to amount", "rename", symbol="value", new="amount")
    assert found.ways and len(looked) == len(set(looked)) == 1
