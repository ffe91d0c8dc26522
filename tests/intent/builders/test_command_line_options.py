"""Options of a command line that are described are added as the others are."""

from __future__ import annotations

import pytest
from intent.asking import changed

CODE = """import argparse

LIMIT = 3


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--depth", default=2)
    args = ap.parse_args()
    return args
"""


@pytest.mark.parametrize(
    ("text", "code", "wanted"),
    [
        ("main: `--fast` (store_true)", "--fast", '"--fast", action="store_true"'),
        ('main: --who with default "me"', "--who", '"--who", default="me"'),
        ("main: --limit, default is LIMIT", "--limit", '"--limit", default=LIMIT'),
        ("main: --limit with default LIMIT and no more", "--limit", '"--limit", default=LIMIT'),
        ("main: --rate (default 0.5)", "--rate", '"--rate", type=float, default=0.5'),
    ],
)
def test_an_option_stands_behind_the_others(text: str, code: str, wanted: str) -> None:
    new = changed(CODE, text, "insert_at_end", function="main", code=code)
    last = "default=2)\n"
    assert new == CODE.replace(last, f"{last}    ap.add_argument({wanted})\n")


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
