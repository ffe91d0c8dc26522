"""What a model with a small window is asked: the file is shown, so where it lies is left out of the words."""

from __future__ import annotations

import pytest

from spark_tui.context.mentions import with_mentions, without_files


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


FILES = {"my file.py", "file.py", "my dir/x y.py", "a[1]/z.py", "(copy).py", "#1.py", "größe.py", "cart.py"}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("set LIMIT to 5 in my file.py", 'set LIMIT to 5 in @"my file.py"'),
        ("set LIMIT to 5 in 'my dir/x y.py'.", 'set LIMIT to 5 in @"my dir/x y.py".'),
        ('in "a[1]/z.py", set LIMIT to 5', 'in @"a[1]/z.py", set LIMIT to 5'),
        ("in @my file.py:3-5 use 5", 'in @"my file.py":3-5 use 5'),
        ("move add from (copy).py to größe.py", 'move add from @"(copy).py" to @"größe.py"'),
        ("see (#1.py)", 'see (@"#1.py")'),
        ('in @"my file.py" use 5', 'in @"my file.py" use 5'),
        ('set NAME to "my file.py" in cart.py', 'set NAME to "my file.py" in cart.py'),
        ('set NAME to "see my file.py there"', 'set NAME to "see my file.py there"'),
        ("move add from cart.py to file.py", "move add from cart.py to file.py"),
        ("log in my other file.py; a.b", "log in my other file.py; a.b"),
    ],
)
def test_a_bare_path_with_a_space_or_a_bracket_is_a_mention(typed: str, meant: str) -> None:
    assert with_mentions(typed, FILES.__contains__) == meant
