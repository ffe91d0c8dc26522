"""A default after another one is that of the parameter which the message names."""

from __future__ import annotations

from intent.following import answer_behind

BEFORE = "def pick(items, lo=1, hi=10):\n    return items[lo:hi]\n"


def test_the_parameter_of_the_function_that_is_named_gets_it() -> None:
    now = BEFORE.replace("hi=10", "hi=5")
    _, after = answer_behind(BEFORE, now, "and lo to 2", "set_default", default="2")
    assert "def pick(items, lo=2, hi=5):" in after


def test_a_default_is_that_of_the_key_that_was_looked_up() -> None:
    before = 'import os\n\n\ndef key():\n    word = os.environ["WORD"]\n    return word\n'
    now = before.replace('["WORD"]', '.get("WORD")')
    _, after = answer_behind(before, now, "with 'plain' as the default", "set_default", default="plain")
    assert '    word = os.environ.get("WORD", "plain")\n' in after
