"""Code is tried in a process of its own: its tests run as with pytest, and it reaches nothing outside."""

from __future__ import annotations

import pytest
from support.tried_code import SECONDS, modules, outcomes, states

from spark_tui.trials.trial import Outcome, Test, TrialEnded, trial_of


def test_tests_pass_and_fail() -> None:
    tests = """
        from halves import half

        def test_even():
            assert half(4) == 2

        def test_odd():
            assert half(3) == 1.5

        def helper():
            pass
        """
    assert states(tests) == {"test_even": "passed", "test_odd": "failed"}


def test_what_pytest_offers() -> None:
    tests = """
        import unittest
        import pytest
        from halves import half

        @pytest.fixture
        def number():
            yield 4

        @pytest.fixture(autouse=True)
        def seen(monkeypatch):
            monkeypatch.setenv("HALVES", "1")

        @pytest.mark.parametrize("value, wanted", [(4, 2), (6, 3)])
        def test_rows(value, wanted):
            assert half(value) == wanted

        @pytest.mark.parametrize("value", [pytest.param(4, id="four"), 5])
        @pytest.mark.parametrize("by", [2])
        def test_one_row_fails(value, by):
            assert half(value) == value / by

        def test_error():
            with pytest.raises(TypeError, match="unsupported"):
                half("x")

        def test_no_error():
            with pytest.raises(ValueError):
                half(2)

        def test_nearly(number):
            assert half(number) == pytest.approx(2.0000000001)
            assert [0.1 + 0.2, 1] == pytest.approx([0.3, 1])

        def test_files(tmp_path, capsys):
            (tmp_path / "out.txt").write_text("x")
            print("said")
            assert capsys.readouterr().out == "said\\n"
            assert [one.name for one in tmp_path.iterdir()] == ["out.txt"]

        def test_environment():
            import os
            assert os.environ["HALVES"] == "1"

        @pytest.mark.skip
        def test_skipped():
            assert False

        async def test_awaited():
            assert half(2) == 1

        class TestGroup:
            def setup_method(self):
                self.value = 2

            def test_member(self, number):
                assert half(self.value) == 1

        class Cases(unittest.TestCase):
            def setUp(self):
                self.value = 2

            def test_case(self):
                self.assertEqual(half(self.value), 1)

            def test_bad_case(self):
                self.assertEqual(half(self.value), 2)

        def test_other_fixture(client):
            pass
        """
    assert states(tests) == {
        "test_rows": "passed",
        "test_one_row_fails": "failed",
        "test_error": "passed",
        "test_no_error": "failed",
        "test_nearly": "passed",
        "test_files": "passed",
        "test_environment": "passed",
        "test_skipped": "skipped",
        "test_awaited": "passed",
        "TestGroup::test_member": "passed",
        "Cases::test_case": "passed",
        "Cases::test_bad_case": "failed",
        "test_other_fixture": "refused",
    }


def test_fixtures_of_a_conftest() -> None:
    conftest = "import pytest\n@pytest.fixture\ndef number():\n    return 8\n"
    tests = "from halves import half\ndef test_it(number):\n    assert half(number) == 4\n"
    assert states(tests, conftest=conftest) == {"test_it": "passed"}


@pytest.mark.parametrize(
    "code",
    [
        "open('/tmp/spark-trial-was-here', 'w')",
        "open('/etc/hostname').read()",
        "__import__('os').remove('/tmp/spark-trial-was-here')",
        "__import__('pathlib').Path('/tmp/spark-trial-was-here').mkdir()",
        "__import__('shutil').rmtree('/tmp/spark-trial-was-here')",
        "__import__('socket').create_connection(('127.0.0.1', 9), 1)",
        "__import__('urllib.request').request.urlopen('http://127.0.0.1:9')",
        "__import__('subprocess').run(['true'])",
        "__import__('os').system('true')",
        "__import__('os').fork()",
        "__import__('os').kill(1, 0)",
        "__import__('ctypes')",
        "__import__('sqlite3').connect('/tmp/spark-trial-was-here')",
        "__import__('requests_that_is_not_here')",
    ],
)
def test_nothing_outside_is_reached(code: str) -> None:
    found = outcomes(f"def test_it():\n    {code}\n")["test_it"]
    assert found.state == "refused", found


def test_a_test_that_does_not_end_fails() -> None:
    found = outcomes("def test_it():\n    while True:\n        pass\n\ndef test_next():\n    pass\n")
    assert found["test_it"] == Outcome("failed", "out of time", seconds=found["test_it"].seconds)
    assert found["test_next"].state == "passed"


def test_what_is_printed_disturbs_nothing() -> None:
    said = "print('{}')\n    os.write(1, b'{}\\n')\n    sys.__stdout__.write('x')\n"
    assert states(f"import os, sys\ndef test_it():\n    {said}") == {"test_it": "passed"}


def test_a_process_that_ends_is_told() -> None:
    with (
        pytest.raises(TrialEnded),
        trial_of(modules("import os\ndef test_it():\n    os._exit(3)\n"), SECONDS) as trial,
    ):
        trial.run([("test_halves", "test_it")])


def test_a_trial_ends_when_its_time_is_over() -> None:
    slow = "import time\ndef test_it():\n    time.sleep(0.4)\n"
    with trial_of(modules(slow), 0.7) as trial, pytest.raises(TrialEnded, match="out of time"):
        for _ in range(5):
            trial.run([("test_halves", "test_it")])


def test_a_module_that_cannot_be_imported_has_no_tests() -> None:
    assert states("import halves_of_something_else\ndef test_it():\n    pass\n") == {}
    assert states("def test_it(:\n") == {}


def test_lines_that_ran_are_known() -> None:
    code = "def sign(x):\n    if x < 0:\n        return -1\n    return 1\n"
    tests = "from halves import sign\ndef test_it():\n    assert sign(3) == 1\n"
    with trial_of(modules(tests, code), SECONDS) as trial:
        found = trial.run([("test_halves", "test_it")], trace=True)[0]
    assert found.lines["halves.py"] == (2, 4)


def test_examples_give_values() -> None:
    with trial_of(modules(""), SECONDS) as trial:
        one, two, three = trial.run(
            [("halves", ">>> half(5)"), ("halves", ">>> x = 8\nhalf(x)"), ("halves", ">>> half('a')")]
        )
    assert (one.value, two.value) == ("2", "4")
    assert (three.state, three.kind) == ("failed", "TypeError")


def test_variants_are_tried_from_new() -> None:
    code = "DONE = []\ndef half(number):\n    DONE.append(number)\n    return number // 2\n"
    tests = """
        import halves

        def test_half():
            assert halves.half(3) == 1.5

        def test_even():
            assert halves.half(4) == 2
            assert len(halves.DONE) == 1
        """
    good, bad = code.replace("//", "/"), code.replace("number // 2", "1.5")
    first: list[Test] = [("test_halves", "test_half")]
    with trial_of(modules(tests, code), SECONDS) as trial:
        variants = [{"halves": text} for text in (code, good, bad, "def half(:")]
        found = trial.vary(variants, first, [("test_halves", "test_even")])
        assert found == [(False, 0), (True, 0), (True, 1), (False, 0)]
        assert trial.run(first)[0].state == "failed", "the modules are as they were"


def test_tests_run_without_a_conftest_that_needs_what_is_not_here() -> None:
    conftest = "import a_library_that_is_not_here\n"
    assert states("def test_it():\n    pass\n", conftest=conftest) == {"test_it": "passed"}


def test_a_trial_is_stopped_while_a_test_runs() -> None:
    begun: list[bool] = []
    endless = "def test_it():\n    while True:\n        pass\n"
    with (
        trial_of(modules(endless, ""), SECONDS, lambda: not begun) as trial,
        pytest.raises(TrialEnded, match="stop"),
    ):
        begun.append(True)
        trial.run([("test_halves", "test_it")] * 40)
