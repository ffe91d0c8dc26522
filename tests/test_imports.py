"""Deferral is proved in a fresh interpreter: a light command does not load what it does not use."""

import subprocess
import sys

import pytest

NETWORK = ("httpx", "websockets")
HEAVY = ("numpy", "textual", "torch", "git", "tokenizers", *NETWORK)


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
        ("import spark_tui.cli.commands.exec", ("textual", "torch", "numpy", *NETWORK)),
        ("import spark_tui.cli.commands.doctor", ("textual", "torch", "numpy", "git")),
        ("import spark_tui.cli.commands.jobs", ("textual", "torch", "numpy")),
        ("import spark_tui.cli.commands.work", ("textual", "torch", "numpy")),
        ("import spark_tui.config.settings", HEAVY),
        ("import spark_tui.events", HEAVY),
        ("import spark_tui.edits.parser", ("numpy", "textual", "torch", "git", "spark_tui.config.settings")),
        ("import spark_tui.cli.commands.workbench", ("textual", "numpy", "torch", *NETWORK)),
        ("import spark_tui.tui.screen_reader.speaker", ("textual", "numpy", "torch", *NETWORK)),
    ],
)
def test_a_light_command_loads_nothing_heavy(code, absent):
    assert not loaded_after(code) & set(absent)


OPTIONAL = (
    "acp",
    "gguf",
    "hypothesis",
    "jedi",
    "jsonschema",
    "mcp",
    "numba",
    "pyflakes",
    "pytest",
    "rope",
    "safetensors",
    "starlette",
    "torch",
    "transformers",
    "uvicorn",
)


def test_every_command_has_a_parser_where_no_extra_is_installed():
    code = (
        f"for name in {OPTIONAL}: sys.modules[name] = None\n"
        "from spark_tui.cli import main\n"
        "for command in main.COMMANDS: main.build_parser(command, main.load_command(command))"
    )
    assert "spark_tui.bench.harm" in loaded_after(code)
