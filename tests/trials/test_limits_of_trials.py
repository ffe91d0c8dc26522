"""A trial leaves nothing behind, and what it cannot reach is no failure of the code."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from textwrap import dedent

import pytest
from support.tried_code import SECONDS, modules, outcomes, states

from spark_tui.trials.trial import Module, TrialEnded, trial_of


def test_what_killed_trials_left_goes_with_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("spark-trial-old", "spark-trial-now", "another-old", "held"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data").write_text("1")
        if name != "spark-trial-now":
            os.utime(tmp_path / name, (0, 0))
    (tmp_path / "spark-trial-link").symlink_to("held")
    assert states("def test_it():\n    pass\n") == {"test_it": "passed"}
    names = {one.name for one in tmp_path.iterdir()}
    assert names == {"spark-trial-now", "another-old", "held", "spark-trial-link"}
    assert (tmp_path / "held" / "data").exists()


@pytest.mark.parametrize(
    "code",
    [
        "try:\n        open('/etc/hostname')\n    except OSError:\n        pass",
        "open('data.txt')",
        "__import__('multiprocessing').get_context('spawn').Process(target=print).start()",
        "__import__('multiprocessing.shared_memory').shared_memory.SharedMemory(create=True, size=8)",
    ],
)
def test_what_could_not_be_reached_is_no_failure(code: str) -> None:
    found = outcomes(f"def test_it():\n    {code}\n")["test_it"]
    assert found.state == "refused", found


def test_a_module_of_python_that_is_loaded_stays() -> None:
    tests = "import types, enum\nfrom halves import half\ndef test_it():\n    assert types.ModuleType\n"
    assert states(tests, types="raise SystemExit\n") == {"test_it": "passed"}


def test_a_byte_order_mark_is_no_code() -> None:
    assert states("\ufefffrom halves import half\ndef test_it():\n    assert half(2) == 1\n") == {
        "test_it": "passed"
    }


def test_temporary_files_are_those_of_the_trial() -> None:
    tests = "import tempfile\ndef test_it():\n    with tempfile.NamedTemporaryFile() as file:\n        pass\n"
    assert states(tests) == {"test_it": "passed"}


def test_sets_have_the_same_order_each_time() -> None:
    code = [("halves", ">>> list({'one', 'two', 'three', 'four', 'five', 'six'})")]
    found = set()
    for _ in range(3):
        with trial_of(modules(""), SECONDS) as trial:
            found.add(trial.run(code)[0].value)
    assert len(found) == 1


@pytest.mark.parametrize("code", ["pass", "threading.Thread(target=time.sleep, args=[60]).start()"])
def test_nothing_stays_when_the_parent_is_killed(code: str) -> None:
    tests = f"import threading, time\ndef test_it():\n    {code}\n"
    script = dedent(f"""
        import os, signal
        from spark_tui.trials.trial import Module, trial_of
        with trial_of({{"test_it": Module({tests!r}, "test_it.py")}}, 20.0) as trial:
            assert trial.run([("test_it", "test_it")])[0].state == "passed"
            print(trial._process.pid, trial._process.args[-1], flush=True)
            print(os.readlink(f"/proc/{{trial._process.pid}}/cwd"), flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    pid, folder = done.stdout.split()[0], Path(done.stdout.split()[-1])
    end = time.monotonic() + 60
    while time.monotonic() < end and (folder.exists() or Path("/proc", pid).exists()):
        time.sleep(0.05)
    assert not folder.exists()
    assert not Path("/proc", pid).exists()


def test_a_process_that_does_not_listen_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import time; time.sleep(60)"
    monkeypatch.setattr("spark_tui.trials.trial._interpreter", lambda: [sys.executable, "-c", code])
    with (
        pytest.raises(TrialEnded, match="out of time"),
        trial_of({"big": Module("#" * 200_000, "b.py")}, 0.3),
    ):
        pass


@pytest.mark.parametrize(
    "code", ["os.write(3, b'x')", "os.close(0)", "assert not os.read(0, 9)", "os.close(3)"]
)
def test_answers_are_not_hit_by_mistake(code: str) -> None:
    tests = f"import os\ndef test_it():\n    try:\n        {code}\n    except OSError:\n        pass\n"
    assert states(f"{tests}def test_next():\n    pass\n") == {"test_it": "passed", "test_next": "passed"}


def test_an_answer_that_is_none_ends_the_trial() -> None:
    tests = "import os\ndef test_it():\n    for one in range(3, 300):\n"
    tests += "        try:\n            os.write(one, b'x')\n"
    tests += "        except OSError:\n            pass\n"
    with trial_of(modules(tests), SECONDS) as trial, pytest.raises(TrialEnded):
        trial.run([("test_halves", "test_it")])
