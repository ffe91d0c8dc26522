"""What a connected model and its server may do, in `spark exec`: the edit is made, or the reason is said."""

import pytest
from support.connected_rows import ASK, PATH, ROWS
from support.scripted_model import ScriptedModel

from spark_tui.cli import main


@pytest.mark.parametrize("name", ROWS)
def test_exec_makes_the_edit_or_says_why_not(name, repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    monkeypatch.setenv("SPARK_MODEL_STALL_SECONDS", "1")
    monkeypatch.setattr("spark_tui.backends.remote.backend._UNNEEDED_LIST_SECONDS", 0.2)
    row = ROWS[name]
    with ScriptedModel(*row.answers, models=row.models) as server:
        words = ["--connect", server.url, "--model", "m", "--api", row.api]
        code = main.main(["exec", ASK, "-f", PATH, *words])
    out, err = capsys.readouterr()
    assert (code == 0) == bool(row.new), err
    assert (f"+{row.new}\n" in out) if row.new else not out
    assert not [part for part in row.says if part not in err], err
    assert not [part for part in row.never if part in out + err]
    assert "nothing to change" not in err and "Traceback" not in err
