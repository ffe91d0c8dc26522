"""A backend that answers by what was said last, and ways to run turns against it."""

import threading

from support.fakes import FakeBackend

from spark_tui import events


class Scripted(FakeBackend):
    """Answers by what was said last, `size` characters a token; goes on after `emitted`."""

    takes_splices = True

    def __init__(self, answers, size=1, **kwargs):
        super().__init__((), **kwargs)
        self.answers = answers
        self.size = size

    def stream(self, request, stop):
        self.requests.append(request)
        last = request.spliced[-1].message if request.spliced else request.instruction
        text = self.answers[request.steer or last]
        begin = 0 if request.steer else len(request.emitted)
        if self.error is not None:
            raise self.error
        yield events.PrefillProgress(10, 10, 4)
        pieces = [text[at : at + self.size] for at in range(0, len(text), self.size)]
        for index, piece in enumerate(pieces[begin : begin + request.max_tokens], start=begin):
            if stop.is_set():
                return
            yield events.Token(index, piece)


def small_model(answers):
    """One that reads a file in small windows."""
    backend = Scripted(answers)
    backend.small_window = (320, 300)
    return backend


def run(stream_of, *words, until=None, **kwargs):
    """The events; stops once `until` says so of one."""
    stop, seen = threading.Event(), []
    for event in stream_of(*words, stop=stop, **kwargs):
        seen.append(event)
        if until is not None and until(event):
            stop.set()
    return seen


def accept(session, *hunk_ids):
    """Accept these hunks, or all that are offered."""
    for hunk_id in hunk_ids or [hunk.id for hunk in session.decisions.offered()]:
        session.decisions.decide(hunk_id, "accepted")


def accept_and_write(session, *hunk_ids):
    """The same, and write what is accepted."""
    accept(session, *hunk_ids)
    return session.changes.write()


def after(count):
    left = iter(range(count - 1))
    return lambda event: isinstance(event, events.Token) and next(left, None) is None


def standing(session):
    return {
        i: (session.decisions.review.state(i), session.decisions.review.hunk(i).new_lines)
        for i in session.decisions.review.ids
    }
