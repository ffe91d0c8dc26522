"""What becomes None by default has a type that says so."""

from __future__ import annotations

import pytest
from codemods.repositories import after

FORMS = [
    ("str", "str | None"),
    ("'Cart'", "'Cart | None'"),
    ("int | None", "int | None"),
    ("Any", "Any"),
    ("dict[str, Any]", "dict[str, Any] | None"),
    ("Callable[[], None]", "Callable[[], None] | None"),
    ("Union[str, None]", "Union[str, None]"),
    ("typing.Optional[dict[str, Any]]", "typing.Optional[dict[str, Any]]"),
    ("Annotated[str | None, 'name']", "Annotated[str | None, 'name']"),
    ("'Cart | None'", "'Cart | None'"),
    ("Mapped[Optional[str]]", "Mapped[Optional[str]]"),
    ("Literal['a', None]", "Literal['a', None]"),
    ("Literal['None', 'all']", "Literal['None', 'all'] | None"),
]


@pytest.mark.parametrize(("was", "now"), FORMS)
def test_a_parameter_that_becomes_none(was: str, now: str) -> None:
    code = "def find(name: {} = 0):\n    return name\n"
    changed = after("set_default m.py::find name None", code.format(was))
    assert changed == code.format(now).replace("= 0", "= None")


@pytest.mark.parametrize(("was", "now"), FORMS)
def test_a_field_that_becomes_none(was: str, now: str) -> None:
    code = "class Cart:\n    size: {} = 0\n"
    assert after("set_value m.py::Cart.size None", code.format(was)) == code.format(now).replace(
        "= 0", "= None"
    )


def test_the_form_that_is_imported_is_taken() -> None:
    code = "from typing import Optional\n\n\ndef find(name: str, limit: Optional[int]):\n    return limit\n"
    new = after("set_default m.py::find limit None", code)
    assert "limit: Optional[int] = None" in new
    assert "name: Optional[str] = None" in after("set_default m.py::find name None", new)


def test_another_value_leaves_the_type() -> None:
    code = "def find(name: str):\n    return name\n"
    assert "name: str = 'x'" in after("""set_default m.py::find name "'x'\"""", code)
