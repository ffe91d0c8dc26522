"""What a job says of its check: what failed before, what is new, what was mended."""

import sys

from support.job_runs import LIMIT, STEP, folder_of, spark, work

from spark_tui.errors import ExitCode
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import CheckHistory
from spark_tui.problems.problem import Frame, Problem
from spark_tui.problems.runner import CommandResult

CHECK = f"{sys.executable} -m pytest -q -p no:cacheprovider -p no:randomly test_count.py"


def result(code, output="", problems=(), note=""):
    return CommandResult(code, 0.1, problems, output, len(output), 0, note)


def failing(*tests, path="t.py"):
    frames = (Frame(path, 3, "test"),)
    problems = tuple(Problem("pytest", f"assert {test}", path, 3, test=test, frames=frames) for test in tests)
    return result(1, "the end\n", problems)


def history(tmp_path, *tests):
    found = CheckHistory("pytest", tmp_path, tmp_path)
    found.keep(failing(*tests) if tests else result(0))
    return found


def test_a_task_that_mends_one_of_three_failing_tests_says_so(counter, answers, capfd):
    (counter / "test_count.py").write_text(
        "import count\n"
        "def test_step(): assert count.STEP == 2\n"
        "def test_limit(): assert count.LIMIT == 7\n"
        "def test_other(): assert count.LIMIT == 8\n"
    )
    assert work(counter, answers, STEP, "--check", CHECK, "--wait") == 0
    job = jobs.read(folder_of(counter))
    assert job.tasks[0].note == "1 of 3 failing tests fixed" and job.passes is False
    assert "(1 hunk, 1 of 3 failing tests fixed, " in capfd.readouterr().err
    spark(counter, "jobs", "show", 1)
    assert "1 of 3 failing tests fixed" in capfd.readouterr().out


def test_an_edit_that_breaks_a_test_beside_one_that_failed_before_is_taken_back(counter, answers):
    (counter / "test_count.py").write_text(
        "import count\ndef test_limit(): assert count.LIMIT == 10\ndef test_never(): assert 0\n"
    )
    assert work(counter, answers, LIMIT, "--check", CHECK, "--rounds", 0, "--wait") == ExitCode.NOTHING
    task = jobs.read(folder_of(counter)).tasks[0]
    assert (task.state, task.note) == (
        "check fails",
        "test_count.py:2: test_limit: assert 99 == 10 [AssertionError]",
    )


def test_what_failed_before_does_not_count_against_an_edit(tmp_path):
    verdict = history(tmp_path, "a", "b").judge(failing("a", "b"))
    assert (verdict.stays, verdict.note) == (True, "")


def test_new_problems_beside_mended_ones_are_told_and_stay(tmp_path):
    verdict = history(tmp_path, "a", "b").judge(failing("b", "c"))
    assert (verdict.stays, verdict.note) == (True, "1 of 2 failing tests fixed, 1 new problem")


def test_the_model_is_told_the_new_problems_with_their_places_and_calls(tmp_path):
    (tmp_path / "t.py").write_text("x\n")
    (tmp_path / "cart.py").write_text("x\n")
    frames = (Frame("t.py", 3, "test_a"), Frame("/usr/lib/x.py", 4), Frame("cart.py", 8, "add"))
    new = Problem("pytest", "KeyError: 'a'\nmore", "cart.py", 8, test="test_a", frames=frames)
    verdict = history(tmp_path).judge(result(1, "tail\n", problems=(new,)))
    assert not verdict.stays
    assert verdict.message == (
        "`pytest` fails now:\ncart.py:8: test_a: KeyError: 'a'\n    more\n    called from t.py:3 in test_a"
    )
    assert verdict.note == "cart.py:8: test_a: KeyError: 'a'"


def test_an_output_without_problems_is_told_by_its_end(tmp_path):
    verdict = history(tmp_path).judge(result(1, "something\nis wrong\n"))
    assert (verdict.stays, verdict.note) == (False, "is wrong")
    assert verdict.message.endswith("something\nis wrong")


def test_a_check_that_passes_after_all_is_said_to_and_binds_from_then_on(tmp_path):
    found = history(tmp_path, "a")
    assert found.judge(result(0, "")).note == "the failing test fixed, the check passes now"
    assert not found.judge(failing("a")).stays


def test_a_check_that_fails_without_output_says_how_it_ended(tmp_path):
    verdict = history(tmp_path).judge(result(-9))
    assert (verdict.note, verdict.message) == ("killed by SIGKILL", "`pytest` fails now:\nkilled by SIGKILL")
