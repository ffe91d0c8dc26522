"""Where a problem is in the tree, and what changed between two runs."""

import pytest

from spark_tui.problems.compare import compare
from spark_tui.problems.locate import locate
from spark_tui.problems.problem import Frame, Problem


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "shop"
    (root / "sub").mkdir(parents=True)
    (root / "cart.py").write_text("x\n")
    (root / "sub" / "tax.py").write_text("x\n")
    (tmp_path / "elsewhere.py").write_text("x\n")
    return root


@pytest.mark.parametrize(
    ("path", "where", "found"),
    [
        ("cart.py", "here", "cart.py"),
        ("./cart.py", "here", "cart.py"),
        ("sub/../cart.py", "here", "cart.py"),
        ("tax.py", "gone", "tax.py"),
        ("gone.py", "gone", "gone.py"),
        ("../elsewhere.py", "outside", ""),
        ("/usr/lib/python3/os.py", "outside", ""),
        ("C:\\other\\a.py", "gone", "C:\\other\\a.py"),
        ("<string>", "outside", ""),
        ("a\0b", "outside", ""),
        ("", "nowhere", ""),
    ],
)
def test_a_problem_is_found_in_the_tree_or_said_to_be_elsewhere(tree, path, where, found):
    at = locate(Problem("x", "no", path, 3), tree, tree)
    assert (at.where, at.path) == (where, found)


def test_a_path_counts_from_where_the_command_ran_and_else_from_the_root(tree):
    assert locate(Problem("x", "no", "tax.py", 1), tree, tree / "sub").path == "sub/tax.py"
    assert locate(Problem("x", "no", "cart.py", 1), tree, tree / "sub").path == "cart.py"
    assert locate(Problem("x", "no", str(tree / "cart.py"), 1), tree, tree / "sub").place == "cart.py:1"


def test_a_problem_outside_moves_to_the_innermost_frame_in_the_tree(tree):
    frames = (Frame("cart.py", 1), Frame("sub/tax.py", 4), Frame("/usr/lib/x.py", 9))
    at = locate(Problem("python", "no", "/usr/lib/x.py", 9, frames=frames), tree, tree)
    assert (at.where, at.place) == ("here", "sub/tax.py:4")


def test_a_link_to_the_tree_leads_into_it(tree, tmp_path):
    (tmp_path / "link").symlink_to(tree)
    assert locate(Problem("x", "no", str(tmp_path / "link" / "cart.py"), 1), tree, tree).path == "cart.py"


def failing(*names):
    return [Problem("pytest", "assert 0", "t.py", 3, test=name) for name in names]


def test_what_is_new_and_what_is_fixed():
    found = compare(failing("a", "b", "c"), failing("b", "d"))
    assert [item.test for item in found.fixed] == ["a", "c"]
    assert [item.test for item in found.new] == ["d"]
    assert [problem.test for problem in found.remaining] == ["b"]
    assert found.words == "2 of 3 failing tests fixed, 1 new problem"


def test_one_of_three_failing_tests_fixed_is_said_so():
    assert compare(failing("a", "b", "c"), failing("b", "c")).words == "1 of 3 failing tests fixed"
    assert compare(failing("a"), []).words == "the failing test fixed"
    assert compare(failing("a"), failing("a")).words == ""


def test_a_problem_that_moved_is_the_same_and_a_second_one_is_new():
    old = Problem("ruff", "unused", "./a.py", 1, code="F401")
    moved = Problem("ruff", "unused", "a.py", 9, code="F401")
    assert compare([old], [moved]).new == ()
    assert compare([old], [moved, moved]).words == "1 new problem"
    assert compare([old, old], [old]).words == "1 of 2 problems fixed"


def test_addresses_and_durations_do_not_make_a_problem_new():
    one, two = (
        Problem("node", f"<A object at {at}> after {took}")
        for at, took in (("0x1f", "1ms"), ("0x2e", "30ms"))
    )
    assert compare([one], [two]).new == ()
