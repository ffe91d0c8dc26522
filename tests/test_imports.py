"""Deferral is proved in a fresh interpreter: a light door does not load what it does not use."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "textual", "torch", "git", "tokenizers")


def loaded_after(code):
    probe = f"import sys\n{code}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("from spark_tui.cli import main; main(['--version'])", (*HEAVY, "argparse", "spark_tui.errors")),
        ("import spark_tui.headless", ("textual", "torch", "numpy")),
        ("import spark_tui.doctor", ("textual", "torch", "numpy", "git")),
        ("import spark_tui.jobs_door", ("textual", "torch", "numpy")),
        ("import spark_tui.work_door", ("textual", "torch", "numpy")),
        ("import spark_tui.config", HEAVY),
        ("import spark_tui.events", HEAVY),
        ("import spark_tui.edits.parser", ("numpy", "textual", "torch", "git", "spark_tui.config")),
        ("import spark_tui.tui.door", ("textual", "numpy", "torch")),
        ("import spark_tui.tui.plain", ("textual", "numpy", "torch")),
    ],
)
def test_a_light_door_loads_nothing_heavy(code, absent):
    assert not loaded_after(code) & set(absent)
