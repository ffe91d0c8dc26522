"""Files that are named on the command line."""

import argparse
import os
import re
import subprocess
import sys

import pytest

from spark_tui.cli import flags
from spark_tui.config import settings
from spark_tui.config.paths import real_path
from spark_tui.errors import ConfigError, Refused, UsageError


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.py").write_text("x = 1\n")
    (tmp_path / "linked.py").symlink_to("real/a.py")
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    (tmp_path / "self").symlink_to("self")
    return tmp_path


@pytest.mark.parametrize("name", ["one", "two", "self", "one/a.py", "real/../self"])
def test_a_file_behind_links_in_a_circle_is_refused_in_words(tree, name):
    with pytest.raises(UsageError, match="the links form a loop"):
        flags.named_file(tree, tree, name)
    with pytest.raises(UsageError, match="the links form a loop"):
        real_path(tree / name)


def test_other_links_are_followed(tree):
    assert flags.named_file(tree, tree, "linked.py") == "real/a.py"
    assert real_path(tree / "linked.py") == (tree / "real" / "a.py").resolve()
    assert real_path(tree / "missing") == (tree / "missing").resolve()
    (tree / "out.py").symlink_to(__file__)
    with pytest.raises(Refused, match="outside"):
        flags.named_file(tree, tree, "out.py")


@pytest.mark.parametrize("command_name", ["exec", "context"])
def test_a_circle_of_links_has_no_traceback(tree, command_name):
    command = [sys.executable, "-m", "spark_tui", command_name, "x", "-f", "one"]
    done = subprocess.run(
        command, cwd=tree, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "one: the links form a loop" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_pipe_is_not_said_to_be_missing(tree):
    os.mkfifo(tree / "pipe")
    with pytest.raises(UsageError, match="not a regular file"):
        flags.named_file(tree, tree, "pipe")


@pytest.mark.parametrize("key", ["model.api", "model.effort", "edit.format"])
def test_the_help_of_a_flag_names_what_can_be_chosen(key):
    parser = argparse.ArgumentParser()
    flags.add_backend(parser)
    (flag,) = (action for action in parser._actions if action.dest == key)
    choices = {*settings.choices_of(key)} - {"", "auto"}
    assert choices and choices <= {*re.findall(r"\w+", flag.help)}


def test_a_value_that_cannot_be_is_told_by_the_option_that_was_typed(tree, monkeypatch):
    parser = argparse.ArgumentParser()
    flags.add_backend(parser)
    for option, value in (("--format", "emacs"), ("--max-tokens", "-1")):
        with pytest.raises(UsageError, match=f"{option} (cannot be|must be)"):
            flags.load(parser.parse_args([option, value]), None)
    monkeypatch.setenv("SPARK_EDIT_FORMAT", "emacs")
    with pytest.raises(ConfigError, match=r"SPARK_EDIT_FORMAT: `edit\.format`"):
        flags.load(parser.parse_args([]), None)
