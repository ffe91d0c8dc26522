"""The command line, run in this process."""

import pytest

from spark_tui.cli import main
from spark_tui.config import paths


@pytest.fixture
def run(repo, capsys, monkeypatch):
    """Run `spark` in the example repository. Exit code, stdout, stderr."""
    monkeypatch.chdir(repo)
    return lambda *words: (main.main(words), *capsys.readouterr())


@pytest.fixture
def spark(run):
    """The same with a recording for a model."""

    def spark(*words, replay=None, pace="unlimited"):
        return run(*words, "--replay", str(replay or paths.recordings_dir()), "--pace", pace)

    return spark
