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
        (
            "from spark_tui.cli.main import main; main(['--version'])",
            (*HEAVY, "argparse", "spark_tui.errors"),
        ),
        ("import spark_tui.cli.commands.exec", ("textual", "torch", "numpy")),
        ("import spark_tui.cli.commands.doctor", ("textual", "torch", "numpy", "git")),
        ("import spark_tui.cli.commands.jobs", ("textual", "torch", "numpy")),
        ("import spark_tui.cli.commands.work", ("textual", "torch", "numpy")),
        ("import spark_tui.config.settings", HEAVY),
        ("import spark_tui.events", HEAVY),
        ("import spark_tui.edits.parser", ("numpy", "textual", "torch", "git", "spark_tui.config.settings")),
        ("import spark_tui.cli.commands.workbench", ("textual", "numpy", "torch")),
        ("import spark_tui.tui.screen_reader", ("textual", "numpy", "torch")),
    ],
)
def test_a_light_door_loads_nothing_heavy(code, absent):
    assert not loaded_after(code) & set(absent)
