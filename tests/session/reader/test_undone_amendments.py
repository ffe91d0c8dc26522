"""“Undo that” behind an amendment takes back the amendment, and said again the edit that it changed."""

import threading

import pytest
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.session.tree.decided_text import wanted_files

FIRST = "LIMIT = 3\n\n\ndef add(qty):\n    return qty\n"
WORDS = ("rename qty to amount", "no, call it count", "no, call it number")


def named(name):
    return FIRST.replace("qty", name)


@pytest.fixture
def chat(tmp_path):
    """A session; `say` gives the words of the answer, and the file as it is with what is offered."""
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    path.write_text(FIRST)
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session = open_one(backend)

        def say(words, *, write=False, reopened=False):
            nonlocal session
            if reopened:
                session.close()
                session = open_one(backend, session_id=session.id)
            seen = list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))
            offered = session.decisions.offered()
            if write and offered:
                for hunk in offered:
                    session.decisions.decide(hunk.id, "accepted")
                session.changes.write()
                offered = []
            answer = "".join(event.text for event in seen if isinstance(event, events.Prose))
            wanted = wanted_files(offered, session.tree.fresh()) if offered else ()
            return answer, next((file.target.decode() for file in wanted), path.read_text())

        yield path, say


@pytest.mark.parametrize("reopened", [False, True])
@pytest.mark.parametrize("written", ["", "0", "1", "2", "01", "12", "012"])
def test_each_undo_goes_one_amendment_back(chat, written, reopened):
    _, say = chat
    for number, (words, name) in enumerate(zip(WORDS, ("amount", "count", "number"), strict=True)):
        assert say(words, write=str(number) in written)[1] == named(name)
    write = bool(written)
    how = {"reopened": reopened, "write": write}
    for words, name in ((WORDS[1], "count"), (WORDS[0], "amount")):
        answer, text = say("undo that", **how)
        # Where the one before is in the files, the amendment is only rejected.
        assert answer in (f"→ back to: {words}\n", "The last edit is taken back.\n")
        assert text == named(name)
    assert say("undo that", **how)[1] == FIRST
    assert say("undo that", **how) == ("There is no edit to take back.\n", FIRST)


@pytest.mark.parametrize("write", [False, True])
def test_what_comes_back_can_be_amended_and_undone_in_turn(chat, write):
    _, say = chat
    for words in (*WORDS[:2], "undo that"):
        say(words, write=write)
    assert say("no, call it total", write=write)[1] == named("total")
    assert say("undo that", write=write)[1] == named("amount")
    assert say("undo that", write=write)[1] == FIRST


def test_what_the_person_changed_meanwhile_stays(chat):
    path, say = chat
    say(WORDS[0], write=True)
    path.write_text(path.read_text().replace("3", "9"))
    say(WORDS[1], write=True)
    path.write_text("# mine\n" + path.read_text())
    mine = "# mine\n" + FIRST.replace("3", "9")
    assert say("undo that", write=True)[1] == mine.replace("qty", "amount")
    assert say("undo that", write=True)[1] == mine


def test_an_amendment_back_to_the_beginning_takes_all_of_it_back(chat):
    _, say = chat
    say(WORDS[0])
    say(WORDS[1])
    assert say("no, call it qty") == ("The last edit is taken back.\n", FIRST)
