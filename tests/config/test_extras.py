"""The command that installs an extra fits how spark was installed."""

import json
import shlex
import sys
from types import SimpleNamespace

import pytest

from spark_tui.errors import install_command


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (None, ["spark-tui[fast]"]),
        ({"url": "file:///my%20code/spark", "dir_info": {"editable": True}}, ["-e", "/my code/spark[fast]"]),
        ({"url": "file:///code/spark", "dir_info": {}}, ["/code/spark[fast]"]),
        (
            {"url": "https://h/s.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            ["spark-tui[fast] @ git+https://h/s.git@abc"],
        ),
        ({"url": "file:///s.whl", "archive_info": {}}, ["spark-tui[fast] @ file:///s.whl"]),
    ],
)
def test_an_extra_comes_from_where_spark_came(monkeypatch, origin, words):
    told = SimpleNamespace(read_text=lambda name: json.dumps(origin) if origin else None)
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: told)
    assert shlex.split(install_command("fast")) == [sys.executable, "-m", "pip", "install", *words]
