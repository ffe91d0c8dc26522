"""Parameters and arguments that become optional, short forms of options, and marks of tests."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """import argparse


def load(path, mode="r"):
    return open(path, mode)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("--out", default="o.json")
    return parser.parse_args()


def test_load():
    assert load("x")
"""


def test_a_required_parameter_becomes_optional() -> None:
    after = changed(CODE, "make path optional in load", "remove_default", parameter="path", function="load")
    assert "def load(path=None, mode=" in after


def test_one_with_a_default_is_optional_already() -> None:
    answer = answer_to(
        CODE, "make mode optional in load", "remove_default", parameter="mode", function="load"
    )
    assert answer.kind == "nothing" and "optional already" in answer.reason


def test_an_argument_without_dashes_may_be_left_out() -> None:
    after = changed(CODE, "make the source argument optional", "set_option", name="source")
    assert 'parser.add_argument("source", nargs="?")' in after


def test_an_option_gets_a_short_form_beside_the_long_one() -> None:
    for intent in ("set_option", "add_option"):
        after = changed(CODE, "-o as a short form of --out", intent, name="-o")
        assert 'parser.add_argument("-o", "--out", default="o.json")' in after


def test_a_test_gets_a_mark_of_pytest() -> None:
    slots = {"decorator": "xfail", "function": "test_load"}
    after = changed(CODE, "mark test_load as xfail", "add_decorator", **slots)
    assert "@pytest.mark.xfail\ndef test_load" in after
    slots = {"decorator": "slow", "function": "test_load"}
    after = changed(CODE, "mark test_load as slow", "add_decorator", **slots)
    assert "@pytest.mark.slow\ndef test_load" in after
    slots = {"decorator": "cache", "function": "load"}
    assert "@cache\ndef load" in changed(CODE, "mark load with cache", "add_decorator", **slots)
