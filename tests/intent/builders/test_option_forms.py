"""An option of a command line gets a short form, another one, or loses one of its forms."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

ARGPARSE = (
    "import argparse\n\n\ndef build():\n    parser = argparse.ArgumentParser()\n"
    '    parser.add_argument("-o", "--out", help="where")\n    parser.add_argument("--limit", type=int)\n'
    '    parser.add_argument("--left")\n    return parser\n'
)
CLICK = (
    'import click\n\n\n@click.command()\n@click.option("--out", "-o", default="a")\n'
    "def save(out):\n    print(out)\n"
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("remove the short form of --out", '    parser.add_argument("--out", help="where")\n'),
        ("drop the short -o flag of --out", '    parser.add_argument("--out", help="where")\n'),
        ("remove -o from --out", '    parser.add_argument("--out", help="where")\n'),
        ("drop the long form of --out", '    parser.add_argument("-o", dest="out", help="where")\n'),
        ("--out should not have a short form", '    parser.add_argument("--out", help="where")\n'),
        ("rename the short form of --out to -f", '    parser.add_argument("-f", "--out", help="where")\n'),
    ],
)
def test_only_the_form_that_is_said_changes(text: str, line: str) -> None:
    row = '    parser.add_argument("-o", "--out", help="where")\n'
    assert changed(ARGPARSE, text, "set_option", name="--out") == ARGPARSE.replace(row, line)


def test_an_option_gets_a_short_form() -> None:
    texts = (
        "add a short form -l to --limit",
        "give --limit a short form",
        "--limit has no short form, add one",
    )
    for text in texts:
        assert 'add_argument("-l", "--limit", type=int)' in changed(
            ARGPARSE, text, "set_option", name="--limit"
        )


def test_the_parameter_of_a_click_command_keeps_its_value() -> None:
    after = changed(CLICK, "drop the long form of --out", "set_option", name="--out")
    assert '@click.option("-o", "out", default="a")' in after
    after = changed(CLICK, "remove the short form of --out", "set_option", name="--out")
    assert '@click.option("--out", default="a")' in after


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("remove the short form of --limit", "--limit", "--limit has no short form"),
        ("add a short form -o to --out", "--out", "--out has the short form -o"),
        ("add the short form -o to --limit", "--limit", "-o is a form of --out already"),
        ("drop the long form of --left", "--left", "--left has no other form"),
    ],
)
def test_what_cannot_be_done_to_a_form_is_said(text: str, name: str, reason: str) -> None:
    found = answer_to(ARGPARSE, text, "set_option", name=name)
    assert not found.ways and reason in found.reason


def test_another_file_that_gives_the_form_is_a_mark() -> None:
    files = {"shop.py": ARGPARSE, "test_shop.py": 'import shop\n\nshop.build().parse_args(["-o", "x"])\n'}
    found = answer_to(files, "remove the short form of --out", "set_option", name="--out")
    assert any("test_shop.py:3 has -o" in mark for mark in found.ways[0].marked)
