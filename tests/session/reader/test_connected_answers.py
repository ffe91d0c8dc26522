"""What a connected model and its server may do, in a turn: the edit is made, or the reason is said."""

import threading

import pytest
from support.connected_rows import ASK, PATH, ROWS
from support.scripted_model import ScriptedModel

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.config.settings import Settings
from spark_tui.session.reader.no_hunk_reason import why_no_hunk
from spark_tui.session.session import Session


@pytest.mark.parametrize("name", ROWS)
def test_a_turn_makes_the_edit_or_says_why_not(name, repo, tmp_path, monkeypatch):
    monkeypatch.setattr("spark_tui.backends.remote.backend._UNNEEDED_LIST_SECONDS", 0.2)
    row = ROWS[name]
    with ScriptedModel(*row.answers, models=row.models) as server:
        backend = RemoteBackend(
            server.url,
            "m",
            key="",
            api=row.api,
            stall_seconds=1.0,
            retries=RetryLimits(jitter=lambda: 0.0),
        )
        session = Session(repo, backend, Settings(exact=False), tmp_path / "state")
        seen = list(session.turn(ASK, files=[PATH], stop=threading.Event()))
        resumes = session.turns.can_resume
        session.close()
    hunks = [
        item for item in seen if isinstance(item, events.HunkClosed) and not item.partial and item.old_lines
    ]
    assert (row.new in [line for hunk in hunks for line in hunk.new_lines]) == bool(row.new)
    assert resumes or not row.resumes
    prose = "".join(item.text for item in seen if isinstance(item, events.Prose))
    ends = [item for item in seen if isinstance(item, events.Finished | events.Failed)]
    told = " ".join(str(item) for item in seen if not isinstance(item, events.Token))
    if not hunks and isinstance(ends[-1], events.Finished):
        told += f" {ends[-1].reason} limit" if ends[-1].reason == "length" else why_no_hunk("stop", prose)
    assert not [words for words in row.says if words.split()[-1] not in told], told
    assert not [words for words in row.never if words in told]
