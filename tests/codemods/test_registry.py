"""Operations can be listed, described, read and printed."""

from __future__ import annotations

import jsonschema
import pytest
from support.named_cases import case_named

from spark_tui.codemods import registry

CALLS = [
    "rename(Cart.add, put)",
    "rename(shop/cart.py::total@12, sum_up)",
    "add_parameter(Cart.add, note, annotation=dict[str, int], default={'a': 1}, keyword_only=true)",
    "reorder_parameters(total, [tax, cart])",
    "remove_unused_imports()",
    "add_import(a.py, os, name=path)",
    "drop_python2(in shop/cart.py)",
]


@pytest.mark.parametrize("text", CALLS)
def test_a_printed_call_reads_back_as_itself(text: str) -> None:
    call = registry.parse(text)
    assert registry.render(call) == text
    assert registry.from_json(registry.to_json(call)) == call


def test_every_operation_says_what_it_is_and_has_a_valid_schema() -> None:
    for name, operation in registry.operations().items():
        with case_named(name):
            schema = registry.schema(operation)
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["description"].endswith(".")
            assert all(item["description"] for item in schema["properties"].values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("renam a b", "did you mean rename"),
        ("rename a", "needs new"),
        ("rename a b c", "one too many"),
        ("rename 'a b", "quotation"),
        ("", "no operation"),
        ("add_parameter f x keyword_only=perhaps", "true or false"),
    ],
)
def test_a_malformed_call_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(registry.MalformedCall, match=message):
        registry.parse(text)
