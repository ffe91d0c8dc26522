"""Tests of some code that are tried, and what comes of them."""

from __future__ import annotations

from textwrap import dedent

from spark_tui.trials.trial import Module, Outcome, trial_of

SECONDS = 20.0
CODE = """
def half(number):
    return number // 2
"""


def modules(tests: str, code: str = CODE, **others: str) -> dict[str, Module]:
    texts = {"halves": code, "test_halves": tests, **others}
    return {name: Module(dedent(text), f"{name}.py") for name, text in texts.items()}


def outcomes(tests: str, code: str = CODE, **others: str) -> dict[str, Outcome]:
    with trial_of(modules(tests, code, **others), SECONDS) as trial:
        found = trial.tests_of(["test_halves"])
        return {name: one for (_, name), one in zip(found, trial.run(found), strict=True)}


def states(tests: str, code: str = CODE, **others: str) -> dict[str, str]:
    return {name: one.state for name, one in outcomes(tests, code, **others).items()}
