"""Recorded outputs of real tools, and the problems in them."""

import itertools
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.problems.matcher_table import matcher_table, parse_table
from spark_tui.problems.problem import as_dict
from spark_tui.problems.reader import ProblemReader

CASES = Path(__file__).resolve().parent.parent / "cases" / "problems"
NAMES = sorted(path.stem for path in CASES.glob("*.txt"))
_LINE = b"\n===== problems =====\n"


def case(name):
    output, _, expected = (CASES / f"{name}.txt").read_bytes().partition(_LINE)
    return output, [json.loads(row) for row in expected.decode().splitlines()]


def read(*pieces):
    reader = ProblemReader()
    return [problem for piece in pieces for problem in reader.feed(piece)] + reader.close()


def test_every_problem_of_a_recorded_output_is_found_and_none_is_invented():
    for name in NAMES:
        output, expected = case(name)
        assert [as_dict(problem) for problem in read(output)] == expected, name


def test_there_are_outputs_of_every_tool_and_outputs_without_problems():
    tools = {row["tool"] for name in NAMES for row in case(name)[1]}
    assert tools == {matcher.tool for matcher in matcher_table().matchers}
    assert sum(not case(name)[1] for name in NAMES) >= 20
    assert len(NAMES) >= 150


def test_it_does_not_matter_how_the_output_is_cut():
    for name in NAMES[::7]:
        output, expected = case(name)
        random.seed(name)
        cuts = [0, *sorted(random.sample(range(len(output) + 1), min(40, len(output)))), len(output)]
        pieces = [output[a:b] for a, b in itertools.pairwise(cuts)]
        assert [as_dict(problem) for problem in read(*pieces)] == expected, name


def test_colours_links_and_line_ends_of_windows_change_nothing():
    plain = [name for name in NAMES if not set(case(name)[0]) & set(b"\r\x1b\0")]
    for name in plain[::5]:
        output, expected = case(name)
        painted = re.sub(rb"(?m)^(.+)$", b"\x1b[1m\x1b[38;5;196m\\1\x1b[0m\x1b[K", output)
        painted = painted.replace(b"\n", b"\r\n")
        assert [as_dict(problem) for problem in read(painted)] == expected, name


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        (
            'Traceback (most recent call last):\n  File "C:\\shop\\cart.py", line 3, in f\nKeyError: 1',
            0,
            3,
        ),
        ("C:\\shop\\cart.py:3:5: F401 `os` imported but unused", 0, 3),
        ("C:\\shop\\cart.py:3: error: No  [misc]", 0, 3),
        ("  C:\\shop\\cart.py:3:5 - error: No (reportX)", 0, 3),
        ("C:\\shop\\cart.c:3:5: error: no", "C:\\shop\\cart.c", 3),
        ("C:/shop/cart.c:3:5: warning: no [-Wall]", "C:/shop/cart.c", 3),
        ("src\\cart.ts(3,5): error TS2322: No.", "src\\cart.ts", 3),
        ("C:\\shop\\a.js\n  3:5  error  No  semi\n\n", "C:\\shop\\a.js", 3),
        ("error[E0308]: no\n --> src\\main.rs:3:5\n", "src\\main.rs", 3),
        (".\\main.go:3:5: undefined: x", ".\\main.go", 3),
    ],
)
def test_paths_of_windows_are_paths(text, path, line):
    (problem,) = read(text)
    assert (problem.path, problem.line) == (path or "C:\\shop\\cart.py", line)


def test_a_line_that_a_progress_bar_wrote_over_counts_as_it_is_seen():
    (problem,) = read(b"10%\r50%\ra.py:1:1: E501 too long\n")
    assert problem.path == "a.py"


def test_a_line_without_end_takes_little_room():
    reader = ProblemReader()
    for _ in range(100):
        assert reader.feed(b"x" * 100_000) == []
    assert len(reader._rest) < 200_000
    assert reader.close() == []


def test_an_unfinished_traceback_is_no_problem():
    assert read('Traceback (most recent call last):\n  File "a.py", line 3, in f\n') == []


def test_the_same_failure_twice_is_two_problems():
    output, expected = case("python-zero")
    assert len(read(output, output)) == 2 * len(expected)


@given(st.binary(max_size=400))
def test_any_bytes_are_read(data):
    read(data)


@given(
    st.lists(st.sampled_from([line for name in NAMES[::11] for line in case(name)[0].splitlines(True)[:60]]))
)
def test_any_mixture_of_lines_is_read(lines):
    for problem in read(*lines):
        assert problem.message
        assert json.loads(json.dumps(as_dict(problem)))["message"] == problem.message


def test_a_rule_that_is_not_one_is_refused():
    with pytest.raises(ValueError, match="no rule for the state x"):
        parse_table('[[matcher]]\ntool = "a"\nrule = [{ match = "b", to = "x" }]')
    with pytest.raises(ValueError, match="unknown action jump"):
        parse_table('[[matcher]]\ntool = "a"\nrule = [{ match = "b", do = ["jump"] }]')
    with pytest.raises(ValueError, match="values is not a table"):
        parse_table('[[matcher]]\ntool = "a"\nrule = [{ match = "b", values = 3 }]')
