"""Options of a command line that are described are added as the others are."""

from __future__ import annotations

from intent.asking import changed

CODE = """import argparse

LIMIT = 3


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--depth", default=2)
    args = ap.parse_args()
    return args
"""


def test_the_option_is_the_one_that_is_shown() -> None:
    new = changed(
        CODE,
        "--depth fails: the option wants type=int",
        "set_argument",
        call="option",
        argument="type",
        value="int",
    )
    assert new == CODE.replace("default=2)", "default=2, type=int)")
