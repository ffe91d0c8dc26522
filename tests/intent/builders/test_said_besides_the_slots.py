"""What words beside a slot say: the name of a cause, *that function*, what a function is called with."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """\
from contextlib import contextmanager

LIMIT = 3


def other():
    return 1


def connect(receiver, sender=None):
    return receiver, sender, LIMIT


@contextmanager
def muted(signal):
    signal.off = True
    yield None


def compiled(text, known):
    try:
        return int(text)
    except ValueError:
        raise KeyError("no number")
    return None


class Store:
    def write(self, data: dict[str, int]):
        self.data = data
"""


def test_the_cause_has_the_name_that_is_said() -> None:
    code = changed(CODE, "in compiled raise it from err please", "raise_from", function="compiled")
    assert "except ValueError as err:" in code
    assert 'raise KeyError("no number") from err' in code


def test_that_function_is_the_one_that_is_named() -> None:
    said = "LIMIT = 3 is used by connect only, move it right above that function"
    code = changed(CODE, said, "move_before", code="LIMIT = 3", anchor="that function")
    assert "LIMIT = 3\n\n\ndef connect(" in code


def test_what_a_function_is_called_with_is_its_first_parameter() -> None:
    said = "in connect: connecting something that isn't callable should fail with a TypeError"
    code = changed(
        CODE,
        said,
        "guard_raise",
        condition="connecting something that isn't callable",
        exception="TypeError",
        function="connect",
    )
    assert "    if not callable(receiver):\n        raise TypeError" in code


def test_a_generator_gets_no_other_result() -> None:
    said = "sending a muted signal should return an empty list"
    assert not answer_to(CODE, said, "set_return", function="muted", result="an empty list").ways


def test_a_condition_that_is_not_understood_is_not_left_out() -> None:
    said = "compiled must return None for a blocked plugin"
    slots = {"function": "compiled", "result": "None", "condition": "a blocked plugin"}
    assert not answer_to(CODE, said, "set_return", **slots).ways


def test_the_type_of_a_pasted_parameter_is_not_that_of_the_result() -> None:
    said = "return type missing\\n    def write(self, data: dict[str, int]):"
    code = changed(CODE, said, "annotate_return", function="write", type="dict[str, int]")
    assert "def write(self, data: dict[str, int]) -> None:" in code
