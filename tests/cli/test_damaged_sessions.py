"""A stored session with a bad line is opened up to there, and what is lost is said."""

import pytest
from support.failing_servers import EDIT
from support.scripted_model import Answer, ScriptedModel
from support.session_indexes import flip_bit

from spark_tui.cli.commands.workbench import SessionOpening
from spark_tui.config import paths
from spark_tui.config.settings import LoadedSettings, Settings
from spark_tui.events import Prose, TurnStarted
from spark_tui.session.session_opener import undamaged
from spark_tui.session.storage.session_index import SessionIndex


@pytest.fixture
def stored(repo, run):
    """The folder of a session of two turns, and of one that was damaged after the first."""
    with ScriptedModel(Answer(EDIT), Answer("It is so.\n")) as server:
        model = ["--connect", server.url, "--model", "m", "--api", "chat"]
        assert run("exec", "free shipping from 5900", "-f", "shop/cart.py", *model)[0] == 0
        run("exec", "--resume", "last", "and why?", *model)
    (folder,) = (paths.repository_state_dir(repo) / "sessions").iterdir()
    return folder


def damaged(folder, name):
    path = folder / name
    lines = path.read_bytes().split(b"\n")
    second = max(at for at, line in enumerate(lines[:-2]) if b"TurnStarted" in line or b'"requests"' in line)
    flip_bit(path, sum(len(line) + 1 for line in lines[:second]) + 20)
    return second, len(lines) - 1 - second


@pytest.mark.parametrize("name", ["journal.jsonl", "turns.jsonl"])
def test_a_resume_goes_on_before_the_damage_and_leaves_the_session_as_it_is(run, stored, name):
    line, left = damaged(stored, name)
    before = (stored / name).read_bytes()
    code, _out, err = run("exec", "--resume", stored.name, "--apply")
    assert f"{name} of session {stored.name} is damaged in line {line + 1}" in err
    assert f"without {left} lines" in err
    assert code == 0 and "shop/cart.py" in err
    assert (stored / name).read_bytes() == before
    (copy,) = {folder.name for folder in stored.parent.iterdir()} - {stored.name}
    assert f"{copy} is a copy of what" in err
    assert f"{copy} is a copy of what" in run("exec", "--resume", stored.name, "--apply")[2]
    assert len([*stored.parent.iterdir()]) == 2


def test_the_workbench_shows_what_stands_before_the_damage_and_says_what_it_lacks(repo, stored):
    damaged(stored, "journal.jsonl")
    settings = LoadedSettings(Settings(replay=str(paths.recordings_dir())), {}, ())
    opening = SessionOpening(repo, settings, False, stored.name)
    session = opening.open()
    past = opening.past()
    session.close()
    assert session.id != stored.name
    assert [event.prompt for event in past if isinstance(event, TurnStarted)] == ["free shipping from 5900"]
    assert isinstance(past[-1], Prose) and "is damaged in line" in past[-1].text


def test_what_another_process_left_or_made_of_the_copy_is_not_in_the_way(stored, monkeypatch):
    damaged(stored, "journal.jsonl")
    state, fork = stored.parent.parent, SessionIndex.fork
    copy, _ = undamaged(state, stored.name)
    (stored.parent / copy).rename(stored.parent / f".{copy}")

    def twice(store, session_id, new_id):
        fork(store, session_id, new_id)
        return fork(store, session_id, new_id)

    monkeypatch.setattr(SessionIndex, "fork", twice)
    assert undamaged(state, stored.name)[0] == copy
    assert (stored.parent / copy / "journal.jsonl").is_file()
