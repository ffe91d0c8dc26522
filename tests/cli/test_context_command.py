"""`spark context` shows what would be asked, to the token, and asks nothing."""

import json
from pathlib import Path

import pytest

from spark_tui.backends.local import spark_format
from spark_tui.config import paths
from spark_tui.context import prompt, windows
from spark_tui.errors import ExitCode


@pytest.fixture
def context(run):
    return lambda *words: run("context", *words, "--replay", str(paths.recordings_dir()))[:2]


def test_every_part_stands_there_with_its_cost_and_why(context, repo):
    (repo / "AGENTS.md").write_text("Use Decimal.\n")
    code, out = context("round the total", "--in-view", "shop/cart.py", "-f", "shop/orders.py")
    assert code == 0
    head = out.split("\n--- ")[0]
    assert "rules" in head
    assert "AGENTS.md" in head
    assert [line.split()[0] for line in head.splitlines()[2:6]] == [
        "rules",
        "shop/orders.py",
        "shop/cart.py",
        "map",
    ]
    assert "--- instruction\nround the total\n" in out
    assert (repo / "shop" / "cart.py").read_text().rstrip("\n") in out


def test_the_counts_of_the_json_add_up(context):
    _, out = context("round the total", "--in-view", "shop/cart.py", "--json")
    record = json.loads(out)
    parts = [*record["sections"], record["rules"], record["map"], record["instruction"]]
    assert record["tokens"] == sum(part["tokens"] for part in parts)
    assert record["requests"] == 1


def test_what_is_left_out_is_said(context, repo):
    (repo / ".env").write_text("KEY=1\n")
    _, out = context("x", "--in-view", ".env", "--counts")
    assert "left out:\n  .env: may hold secrets" in out
    assert "KEY" not in out
    _, out = context("look at @.env")
    assert "KEY=1" in out


def test_a_symbol_and_a_glob_are_found(context):
    _, out = context("explain @Cart.add and @shop/p*.py", "--counts")
    assert "defines Cart.add" in out
    assert "shop/prices.py" in out


def test_nothing_is_kept_and_nothing_is_asked(context):
    context("x", "--in-view", "shop/cart.py")
    assert not (paths.state_dir()).exists()


def test_lines_that_are_none_are_refused(run):
    code, _, err = run("context", "x", "--lines", "ten", "--in-view", "shop/cart.py")
    assert code == ExitCode.MALFORMED
    assert "a range of lines" in err
    for lines, why in (("5-2", "line 5 is behind line 2"), ("0", "counted from 1")):
        code, _, err = run("context", "x", "--lines", lines, "--in-view", "shop/cart.py")
        assert (code, why in err) == (ExitCode.MALFORMED, True)
    code, _, err = run("context", "x", "--lines", "10")
    assert code == ExitCode.MALFORMED
    assert "--lines needs --in-view" in err


def test_lines_behind_the_end_of_the_file_are_refused(run, context, repo):
    (repo / "short.py").write_text("a = 1\nb = 2\n")
    code, _, err = run("context", "x", "--in-view", "short.py", "--lines", "50-60")
    assert code == ExitCode.MALFORMED
    assert "short.py has 2 lines, not 50" in err
    assert context("x", "--in-view", "short.py", "--lines", "2-60")[0] == 0
    (repo / "empty.py").write_text("")
    assert context("x", "--in-view", "empty.py", "--lines", "1")[0] == 0


def test_the_documented_numbers_are_those_of_the_code():
    text = (Path(__file__).resolve().parents[2] / "docs" / "context.md").read_text()
    for said in (
        f"{prompt.RULES_SHARE:.0%}".replace("%", " %"),
        f"{prompt.MAP_SHARE:.0%}".replace("%", " %"),
        f"{prompt.MOST_MAP_TOKENS:,} tokens",
        f"{spark_format.WINDOW_TOKENS} tokens",
    ):
        assert said in text
    assert windows.MOST_WINDOWS == 8
    assert "at most eight" in text
