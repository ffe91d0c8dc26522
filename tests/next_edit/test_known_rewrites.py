"""Changes that Python itself asks for, told from those of one repository."""

from __future__ import annotations

import pytest

from spark_tui.next_edit.changes import changes
from spark_tui.next_edit.known_rewrites import is_known


@pytest.mark.parametrize(
    "old, new",
    [
        ("a: typing.List[int] = b", "a: list[int] = b"),
        ("import typing as t\na: t.Optional[int] = b", "import typing as t\na: int | None = b"),
        ("import typing as t\na: t.Any = b", "import typing as t\na: Any = b"),
        ("a: Optional[int] = b", "a: int | None = b"),
        ("super(Cart, self).add(b)", "super().add(b)"),
        ("a = u'b'", "a = 'b'"),
        ("def f(a: 'Cart'): ...", "def f(a: Cart): ..."),
        ("class Cart(object): ...", "class Cart: ..."),
        ("a: Optional[List[int]] = b", "a: list[int] | None = b"),
        ("a: Union[int, Optional[str]] = b", "a: int | str | None = b"),
        ("def f(a: 'Optional[Cart]'): ...", "def f(a: Cart | None): ..."),
        ("a = set([1])", "a = {1}"),
        ("except (OSError, IOError): ...", "except OSError: ..."),
        ("for a in six.iteritems(b.c): ...", "for a in b.c.items(): ..."),
        ("from __future__ import absolute_import, division\na = 1", "a = 1"),
        ("# -*- coding: utf-8 -*-\na = 1", "a = 1"),
        ("from mock import Mock", "from unittest.mock import Mock"),
        ("from collections import Mapping", "from collections.abc import Mapping"),
        ("except IOError: ...", "except OSError: ..."),
    ],
)
def test_a_change_that_python_asks_for(old: str, new: str) -> None:
    (found,) = changes("a.py", f"{old}\n", f"{new}\n") or ()
    assert is_known(found)


@pytest.mark.parametrize(
    "old, new",
    [
        ("a = total(b)", "a = amount(b)"),
        ("f(cart, self)", "f()"),
        ("a = 'b'", "a = 'c'"),
        ("a = 'b'", "a = c"),
        ("t.add(b)", "add(b)"),
        ("from __future__ import annotations\na = 1", "a = 1"),
        ("from a import Mock", "from unittest.a import Mock"),
        ("a: Optional[int] = b", "a: str | None = b"),
    ],
)
def test_a_change_of_one_repository(old: str, new: str) -> None:
    (found,) = changes("a.py", f"{old}\n", f"{new}\n") or ()
    assert not is_known(found)
