"""Operations in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from spark_tui.codemods import describe, registry

PAGE = Path(__file__).parents[2] / "docs" / "refactor.md"


def test_the_page_lists_every_operation_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    assert page == describe.with_operations(page), (
        "run: python -m spark_tui.codemods.describe docs/refactor.md"
    )
    assert all(f"\n| `{name}" in page for name in registry.operations())


@pytest.mark.parametrize("name", sorted(registry.operations()))
def test_the_example_of_an_operation_is_a_call_of_it(name: str) -> None:
    call = registry.parse(describe.example(registry.operations()[name]))
    assert registry.operation_name(type(call)) == name


@pytest.mark.parametrize("name", sorted(registry.operations()))
def test_the_help_of_an_operation_names_all_fields(name: str) -> None:
    operation = registry.operations()[name]
    text = describe.help_text(operation)
    assert all(item.name in text and item.help in text for item in registry.slots_of(operation))
