"""A problem as the instruction that asks for its fix, and the problem that is read back from that."""

import pytest

from spark_tui.context.mentions import Mention, find_mentions, without_files
from spark_tui.problems.describe import fix_request, read_fix_request
from spark_tui.problems.problem import Frame, Problem


def test_a_request_tells_the_problem_again(tmp_path):
    (tmp_path / "shop.py").write_text("x\n")
    (tmp_path / "test_shop.py").write_text("x\n")
    frames = (Frame("test_shop.py", 3, "test_a"), Frame("shop.py", 8, "add"))
    message = "AssertionError: assert 'a: b' == 'c'\n- c\n+ a: b"
    problem = Problem("pytest", message, "shop.py", 8, 4, test="test_a[x: y]", frames=frames)
    request = fix_request("pytest -q `x`", [problem], tmp_path, tmp_path)
    read = read_fix_request(request)
    assert read is not None
    assert (read.path, read.line, read.column, read.message) == ("shop.py", 8, 4, message)
    assert read.frames == frames[:1]
    assert read_fix_request(without_files(request)) == read
    assert read_fix_request("Fix the bug in shop.py") is None


@pytest.mark.parametrize(
    "test",
    [
        "",
        "test_a",
        "TestCart.test_a",
        "test_a (tests.test_cart.TestCart.test_a)",
        "test_a[1: 2]",
        "cart::tests::adds",
    ],
)
def test_the_test_is_no_part_of_the_message(test, tmp_path):
    (tmp_path / "shop.py").write_text("x\n")
    problem = Problem("pytest", "KeyError: 'a: b'", "shop.py", 8, test=test)
    read = read_fix_request(fix_request("make", [problem], tmp_path, tmp_path))
    assert read is not None and (read.test, read.message) == (test, "KeyError: 'a: b'")


def test_a_long_problem_is_cut_and_a_second_one_is_told_but_not_taken_for_it(tmp_path):
    (tmp_path / "shop.py").write_text("x\n")
    long = Problem("pytest", "ValueError: " + "x" * 9_000, "shop.py", 8)
    request = fix_request("make", [long], tmp_path, tmp_path)
    assert len(request) < 3_200 and read_fix_request(request).message.startswith("ValueError: xxx")
    pair = [Problem("ruff", "one", "shop.py", 1), Problem("ruff", "two", "shop.py", 2)]
    request = fix_request("make", pair, tmp_path, tmp_path)
    assert "two" in request and read_fix_request(request).message == "one"


def test_a_path_with_blanks_is_mentioned_in_quotes(tmp_path):
    (tmp_path / "my cart.py").write_text("")
    problem = Problem("", "`os` imported but unused [F401]", "my cart.py", 1, 8, code="F401")
    request = fix_request("ruff check", [problem], tmp_path, tmp_path)
    assert find_mentions(request) == (Mention("my cart.py"),)
    assert read_fix_request(request) == read_fix_request(without_files(request)) == problem
