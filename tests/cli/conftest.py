"""The command line, run in this process."""

import pytest

from spark_tui.cli import main
from spark_tui.config import paths


@pytest.fixture
def spark(repo, capsys, monkeypatch):
    """Run `spark` in the example repository with a recording for a model. Exit code, stdout, stderr."""
    monkeypatch.chdir(repo)

    def spark(*words, replay=None, pace="unlimited"):
        source = ["--replay", str(replay or paths.recordings_dir()), "--pace", pace]
        code = main.main([*words, *source])
        out, err = capsys.readouterr()
        return code, out, err

    return spark
