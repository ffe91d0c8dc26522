"""Code that is shown in part or named by a part: calls, the list in a value, the result of a function."""

from __future__ import annotations

import pytest
from intent.asking import edited

WARN = "def f(a):\n    warn('old', UserWarning)\n    warn('new', UserWarning)\n"


@pytest.mark.parametrize("shown", ["warn('new')", "warn('new'"])
def test_a_call_is_found_by_its_first_arguments(shown: str) -> None:
    slots = {"argument": "level", "value": "2", "call": shown}
    new = edited(f"pass level=2 to {shown}", "set_argument", slots, WARN)
    assert new == WARN.replace("'new', UserWarning", "'new', UserWarning, level=2")


@pytest.mark.parametrize("value", ["any(name.startswith(one) for one in ['aix'])", "{'hosts': ['aix']}"])
def test_an_item_goes_to_the_only_list_in_a_value(value: str) -> None:
    code = f"name = read()\nNIX = {value}\n"
    new = edited("add 'linux' to NIX", "add_item", {"value": "linux", "variable": "NIX"}, code)
    assert new == code.replace("['aix']", "['aix', 'linux']")


def test_of_two_lists_in_a_value_none_is_meant() -> None:
    code = "NIX = [['aix'], ['linux']][kind]\n"
    assert edited("add 'bsd' to NIX", "add_item", {"value": "bsd", "variable": "NIX"}, code) != code.replace(
        "['linux']", "['linux', 'bsd']"
    )


def test_the_result_of_a_named_function_gets_a_name() -> None:
    slots = {"expression": "join", "name": "full", "function": "f"}
    new = edited(
        "keep the result of join in full in f", "extract_variable", slots, "def f(a):\n    use(join(a))\n"
    )
    assert new == "def f(a):\n    full = join(a)\n    use(full)\n"


@pytest.mark.parametrize("said", ["TooBigError", "'two %s'"])
def test_of_several_strings_those_beside_named_code_become_f_strings(said: str) -> None:
    code = "def f(a):\n    print('one %s' % a)\n    raise TooBigError('two %s' % a)\n"
    new = edited(f"an f-string for the {said} in f", "to_f_string", {"function": " f"}, code)
    assert new == code.replace("'two %s' % a", "f'two {a}'")
