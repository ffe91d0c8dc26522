"""Operations in words."""

from __future__ import annotations

from pathlib import Path

from support.named_cases import case_named

from spark_tui.codemods import describe, registry

PAGE = Path(__file__).parents[2] / "docs" / "refactor.md"


def test_the_page_lists_every_operation_as_it_is() -> None:
    page = PAGE.read_text("utf-8")
    assert page == describe.with_operations(page), (
        "run: python -m spark_tui.codemods.describe docs/refactor.md"
    )
    assert all(f"\n| `{name}" in page for name in registry.operations())


def test_the_example_of_an_operation_is_a_call_of_it() -> None:
    for name, operation in registry.operations().items():
        with case_named(name):
            call = registry.parse(describe.example(operation))
            assert registry.operation_name(type(call)) == name


def test_the_help_of_an_operation_names_all_fields() -> None:
    for operation in registry.operations().values():
        text = describe.help_text(operation)
        for item in registry.slots_of(operation):
            assert item.name in text
            assert item.help in text
