"""The same recording through `spark exec` and through a session: the same events, and the same tree."""

import json
import shutil
import threading
from itertools import chain

import pytest
from support.scripted_backend import accept

from spark_tui import events
from spark_tui.backends import recording
from spark_tui.backends.replay import ReplayBackend
from spark_tui.cli import main
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

RECORDINGS = sorted(paths.recordings_dir().glob("*.jsonl"))


def plain(event):
    """Without what no two runs share: ids of turns, times."""
    row = json.loads(json.dumps(events.to_dict(event) if not isinstance(event, dict) else event))
    for name in ("turn_id", "at", "timing", "checkpoint"):
        row.pop(name, None)
    return row


def tree(root):
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*.py")}


@pytest.mark.parametrize("file", RECORDINGS, ids=lambda file: file.stem)
def test_exec_and_the_session_give_the_same_events_and_the_same_tree(file, repo, tmp_path, capsys):
    other = tmp_path / "other" / "shop"
    shutil.copytree(repo, other)
    kept = recording.load(file)
    options = {"-C": str(repo), "--replay": str(file), "--pace": "unlimited"}
    main.main(["exec", kept.instruction, "--json", "--apply", *chain.from_iterable(options.items())])
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    session = Session(other, ReplayBackend([kept], 0.0), Settings(), tmp_path / "state")
    *seen, end = session.turn(kept.instruction, stop=threading.Event())
    if isinstance(end, events.Finished) and end.reason == "stop":
        # A reader of the lines may leave at the end of the turn: what the check found stands before it.
        seen += session.check_answer(stop=threading.Event())
    seen.append(end)
    failed = any(isinstance(event, events.HunkFailed) for event in seen)
    if not failed:
        accept(session)
        if session.decisions.review.accepted():
            seen.append(session.changes.write())
    session.close()
    assert [plain(row) for row in told] == [plain(event) for event in seen]
    assert tree(repo) == tree(other)
