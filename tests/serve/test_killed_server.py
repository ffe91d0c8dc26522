"""A server that is killed in the middle of an answer: what was written is kept, and the turn can go on."""

import threading

import pytest
from support.serving import WAIT_SECONDS, Saying, serving, until

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.config.settings import Settings
from spark_tui.events import PrefillProgress, Token
from spark_tui.session.session import Session

FILE = "".join(f"line {number}\n" for number in range(9))
BLOCK = "a.txt\n```\n<<<<<<< SEARCH\nline {0}\n=======\nLINE {0}\n>>>>>>> REPLACE\n```\n"
TEXT = BLOCK.format(2) + BLOCK.format(5) + BLOCK.format(7)
CUT = TEXT.index("LINE 5") + 6


class Broken(Saying):
    """Says the text up to a place and then waits for ever; after `emitted` it says the rest."""

    def __init__(self, cut):
        super().__init__(TEXT)
        self.cut, self.reached = cut, threading.Event()

    def stream(self, request, stop):
        self.requests.append(request)
        first = len(request.emitted)
        yield PrefillProgress(10, 10, 0)
        for at in range(first * 3, len(TEXT), 3):
            if self.cut and at >= self.cut:
                self.reached.set()
                stop.wait()
            if stop.is_set():
                return
            yield Token(1000 + at, TEXT[at : at + 3])


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.txt").write_text(FILE)
    return root


def test_closed_hunks_are_kept_the_open_one_is_partial_and_resume_continues(tree, tmp_path):
    broken = Broken(CUT)
    with serving(broken) as live:
        port = live.port
        session = Session(
            tree, RemoteBackend(live.url, key="", retries=RetryLimits(2)), Settings(), tmp_path / "state"
        )
        seen = []

        def turn():
            for event in session.turn("shout", files=["a.txt"], stop=threading.Event()):
                seen.append(event)

        asking = threading.Thread(target=turn)
        asking.start()
        assert broken.reached.wait(WAIT_SECONDS)
        # What was written has to be here too: a server that is killed earlier gave nothing that could be
        # kept.
        until(lambda: any(isinstance(event, events.HunkClosed) for event in list(seen)))
        live.stop(rude=True)
        asking.join(WAIT_SECONDS)
        assert not asking.is_alive()
    (failed,) = [event for event in seen if isinstance(event, events.Failed)]
    assert "the answer broke off" in failed.what
    assert "--resume" in failed.hint
    closed = [event for event in seen if isinstance(event, events.HunkClosed)]
    assert [(hunk.new_lines, hunk.partial) for hunk in closed if not hunk.partial] == [(("LINE 2",), False)]
    text = "".join(event.text for event in seen if isinstance(event, Token))
    assert TEXT.startswith(text) and "LINE 2" in text
    with serving(Broken(0), port=port) as again:
        rest = list(session.turns.resume(stop=threading.Event()))
        assert again.backend.requests[-1].emitted == tuple(e.id for e in seen if isinstance(e, Token))
    assert text + "".join(event.text for event in rest if isinstance(event, Token)) == TEXT
    whole = [event for event in [*seen, *rest] if isinstance(event, events.HunkClosed) and not event.partial]
    assert [hunk.new_lines for hunk in whole] == [("LINE 2",), ("LINE 5",), ("LINE 7",)]
    session.close()
