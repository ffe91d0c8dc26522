"""What an example wants: of the values that are said near a call, the one that it does not give."""

from __future__ import annotations

import ast

from spark_tui.intent.trying.examples import Example
from spark_tui.intent.trying.said_values import Said
from spark_tui.trials.trial import Outcome, Test, Trial

_PROMPT = ">>> "


def value_of(example: Example) -> str:
    """The test that gives the value of an example."""
    return _PROMPT + "\n".join(filter(None, [example.setup, example.code]))


def wanted_tests(
    module: str, example: Example, outcome: Outcome, trial: Trial
) -> list[tuple[Test, str, bool]]:
    """The test that an example asks for, what it wants, and whether it fails now: a value that is said to be
    wanted, or the other one beside that which the call gives. None where no value is."""
    said = list(dict.fromkeys(example.said))
    if not said:
        return []
    states = trial.run([(module, _PROMPT + _comparison(one, example)) for one in said])
    others = [one for one, state in zip(said, states, strict=True) if state.state == "failed"]
    given = [one for one in said if one not in others]
    if outcome.state == "failed":
        raised = [one for one in others if one.kind == "error" and _last(one.code) == outcome.kind]
        others, given = [one for one in others if one not in raised], [*given, *raised]
    elif kept := [one for one in given if one.wanted and one.kind != "text"]:
        others = kept[:1]
    wanted = [one for one in others if one.wanted] or [one for one in others if given and not one.apart]
    wanted = [one for one in wanted if one.kind != "text"] or wanted
    if not wanted and outcome.state == "passed":
        wanted = given[:1]  # the message only shows what it gives now, which stays
    return [
        ((module, _PROMPT + _comparison(one, example)), _wish(one), one not in given) for one in wanted[:1]
    ]


def is_reproduced(example: Example, outcome: Outcome, trial: Trial, module: str) -> bool:
    """Whether a call gives what a message says that it gives now; true where it says nothing of that."""
    told = [one for one in example.said if not one.wanted and not one.apart]
    if not told or not any(one.wanted for one in example.said):
        return True
    if any(one.kind == "error" and _last(one.code) == outcome.kind for one in told):
        return True
    states = trial.run([(module, _PROMPT + _comparison(one, example)) for one in told])
    return any(one.state == "passed" for one in states)


def _wish(one: Said) -> str:
    return f"{'raises' if one.kind == 'error' else 'gives'} {one.code}"


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _comparison(one: Said, example: Example) -> str:
    """Code that fails unless the call gives a value, or raises an error."""
    if one.kind == "error":
        tried = f"try:\n    {example.code}\nexcept {one.code}:\n    pass"
        return "\n".join([example.setup, f"{tried}\nelse:\n    raise AssertionError('no {one.code}')"])
    equal = f"_spark_got == ({one.code})"
    if _is_number(one.code):
        equal = f"not isinstance(_spark_got, str) and abs(_spark_got - ({one.code})) < 1e-9"
    elif one.kind == "value":
        equal += f" or str(_spark_got) == ({one.code}) or repr(_spark_got) == ({one.code})"
    listed = "_spark_got = list(_spark_got) if hasattr(_spark_got, '__next__') else _spark_got"
    return "\n".join([example.setup, f"_spark_got = {example.code}", listed, f"assert {equal}"])


def _is_number(code: str) -> bool:
    try:
        value = ast.literal_eval(code)
    except (SyntaxError, ValueError):
        return False
    return isinstance(value, int | float) and not isinstance(value, bool)
