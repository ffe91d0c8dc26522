"""What a model with a small window is asked: the file is shown, so where it lies is left out of the words."""

from __future__ import annotations

import pytest

from spark_tui.context.mentions import without_files


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("annotate count with int @shop/cart.py", "annotate count with int"),
        ("in @shop/cart.py, raise ValueError in add", "raise ValueError in add"),
        ("add a docstring to add in @cart.py.", "add a docstring to add."),
        ("use sum() in @cart.py:10-20 please", "use sum() please"),
        ("rename @Cart.add to put", "rename @Cart.add to put"),
        ("add  @functools.cache to load ,please", "add  @functools.cache to load ,please"),
        ("put @property on size in @cart.py", "put @property on size"),
        ('fix the guard in @"my file.py"', "fix the guard"),
        ("mail ann@example.org in notify", "mail ann@example.org in notify"),
        ("@cart.py", "@cart.py"),
    ],
)
def test_a_small_model_does_not_see_the_path_of_the_file(typed: str, asked: str) -> None:
    assert without_files(typed) == asked
