"""What a form is to be written with is what it becomes, whichever way the order was read."""

from __future__ import annotations

import pytest
from intent.asking import answer_to

CODE = 'def f(a):\n    return "x %s" % a\n\n\ndef g(a):\n    return f"x {a}"\n'


@pytest.mark.parametrize(
    ("said", "function", "made"),
    [
        ("use .format in g", "g", '"x {}".format(a)'),
        ("use % formatting in g", "g", '"x %s" % (a,)'),
        ("use f-strings in f", "f", 'f"x {a}"'),
        ("use .format in f", "f", ""),
        ("f is still using % formatting, make it an f-sting", "f", 'f"x {a}"'),
    ],
)
def test_the_form_that_is_to_be_used_is_made(said: str, function: str, made: str) -> None:
    answer = answer_to(CODE, said, "to_f_string", function=function)
    assert [edit.new for way in answer.ways for edit in way.plan.edits] == [made] * bool(made)
    assert "nothing to do" not in answer.reason
