"""A message after a turn of several windows reaches those that it is for, and no other hunk is touched."""

import threading

import pytest
from support.fakes import FakeBackend
from support.scripted_backend import accept, after, run
from support.small_repositories import written

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

SOURCE = "".join(
    f'def fetch_{n}(url):\n    """Get it."""\n    answer = get(url, {n})\n    return answer\n\n\n'
    for n in range(12)
)
OTHER = "def send(url):\n    return get(url, 7)\n"
ORDER = "add retries to every call of get"


class Windows(FakeBackend):
    """Reads two functions at a time, a character a token, and does what it is told of the calls in them."""

    takes_splices = True
    small_window = (12, 300)
    window = 1000

    def __init__(self):
        super().__init__()
        self.says = {}
        """What is done to a call, by what was said last; None: nothing is to be done."""

    def count_tokens(self, text):
        return text.count("\n")

    def stream(self, request, stop):
        self.requests.append(request)
        last = request.spliced[-1].message if request.spliced else request.instruction
        begin = 0 if request.steer else len(request.emitted)
        yield events.PrefillProgress(10, 10, 4)
        for index, piece in list(enumerate(self._text(request, request.steer or last)))[begin:]:
            if stop.is_set():
                return
            yield events.Token(index, piece)

    def _text(self, request, said):
        part = request.files[0]
        head, known = f"*** {part.path}\n", request.known
        if known:
            return head + "".join(
                f"@@ {a},{b}\n" + "".join(f"+{line}\n" for line in new) for a, b, new in known
            )
        does = self.says.get(said, lambda line: line.replace(")", ", retries=3)"))
        lines = list(enumerate(part.text.split("\n"), part.first_line))
        found = [(number, line) for number, line in lines if "get(" in line and does is not None]
        return head + ("".join(f"@@ {n},{n + 1}\n+{does(line)}\n" for n, line in found) or "@@ no-edit\n")


@pytest.fixture
def open_session(tmp_path):
    root = written(tmp_path / "tree", {"a.py": SOURCE, "b.py": OTHER})
    opened = []

    def session(session_id="", **settings):
        for item in opened:
            item.close()
        known = Settings(exact=False, **settings)
        opened[:] = [Session(root, Windows(), known, tmp_path / "state", session_id=session_id)]
        opened[0].backend.says = {"more": lambda line: line.replace(")", ", retries=9)"), "no": None}
        return opened[0]

    yield session
    opened[0].close()


def lines_of(session):
    """What stands, by its line."""
    review = session.decisions.review
    return {
        (review.hunk(i).path, review.hunk(i).old_start): review.hunk(i).new_lines[0].strip()
        for i in review.ids
        if review.state(i) in ("open", "accepted") and review.hunk(i).new_lines
    }


def call(n, retries):
    return f"answer = get(url, {n}, retries={retries})"


def line_of(n):
    return ("a.py", 6 * n + 3)


def asked_in(session, since):
    return [request.files[0].first_line for request in session.backend.requests[since:]]


def test_what_names_no_place_is_told_to_every_window_that_has_a_hunk(open_session):
    session = open_session()
    run(session.turn, ORDER, in_view="a.py")
    windows = asked_in(session, 0)
    assert len(windows) > 3
    seen = run(session.turns.steer, "more")
    # The one that was answered last is warm.
    assert asked_in(session, len(windows)) == [windows[-1], *windows[:-1]]
    assert lines_of(session) == {line_of(n): call(n, 9) for n in range(12)}
    assert [type(event) for event in seen].count(events.Steered) == 1
    assert isinstance(seen[-1], events.Finished)


@pytest.mark.parametrize("state", ["open", "accepted"])
def test_a_place_that_is_named_is_the_only_one_that_is_asked_and_every_other_hunk_stays_what_it_was(
    open_session, state
):
    session = open_session()
    session.backend.says["in fetch_5 more"] = session.backend.says["more"]
    run(session.turn, ORDER, in_view="a.py")
    before = {i: session.decisions.review.hunk(i) for i in session.decisions.review.ids}
    asked = len(session.backend.requests)
    if state == "accepted":
        accept(session)
    run(session.turns.steer, "in fetch_5 more")
    assert len(asked_in(session, asked)) == 1
    in_it = {i for i, hunk in before.items() if hunk.old_start // 12 == line_of(5)[1] // 12}
    for known in before.keys() - in_it:
        review = session.decisions.review
        assert (review.state(known), review.hunk(known)) == (state, before[known])
    assert lines_of(session)[line_of(5)] == call(5, 9)


def test_a_window_that_no_request_asked_about_is_asked_where_the_message_names_it(open_session):
    session = open_session()
    run(session.turn, "retry the call in fetch_2", in_view="a.py")
    assert len(session.backend.requests) == 1
    standing = lines_of(session)
    run(session.turns.steer, "and, well, look at fetch_9 with a fresh eye")
    assert asked_in(session, 1) == [49]
    assert lines_of(session).items() >= standing.items()
    assert line_of(9) in lines_of(session)


def test_another_file_that_is_named_is_asked_the_first_order(open_session):
    session = open_session()
    run(session.turn, ORDER, in_view="a.py")
    standing = lines_of(session)
    run(session.turns.steer, "and in b.py")
    assert lines_of(session) == standing | {("b.py", 2): "return get(url, 7, retries=3)"}


def test_no_edit_in_one_window_takes_back_only_the_hunks_there(open_session):
    session = open_session()
    session.backend.says["not so in fetch_5, says the boss"] = None
    run(session.turn, ORDER, in_view="a.py")
    run(session.turns.steer, "not so in fetch_5, says the boss")
    left = lines_of(session)
    assert line_of(5) not in left
    assert len(left) >= 10


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("first", [30, 90, 200, 300])
@pytest.mark.parametrize("second", [1, 40, 150, 290])
def test_wherever_the_turn_and_its_steer_are_stopped_a_resume_here_or_later_ends_the_same(
    open_session, first, second, again
):
    session = open_session()
    run(session.turn, ORDER, in_view="a.py", until=after(first))
    run(session.turns.steer, "more", until=after(second))
    shown = lines_of(session)
    assert all(text.endswith(("=3)", "=9)")) for text in shown.values())
    if again:
        session = open_session(session.id)
        assert lines_of(session) == shown
    while session.turns.can_resume:
        run(session.turns.resume)
    assert lines_of(session) == {line_of(n): call(n, 9) for n in range(12)}


def test_windows_that_were_not_answered_yet_are_asked_as_before_where_a_message_is_for_another(open_session):
    session = open_session()
    session.backend.says["in fetch_0 more"] = session.backend.says["more"]
    run(session.turn, ORDER, in_view="a.py", until=after(150))
    assert len(session.backend.requests) > 1
    run(session.turns.steer, "in fetch_0 more")
    # Two functions stand in a window.
    assert lines_of(session) == {line_of(n): call(n, 9 if n < 2 else 3) for n in range(12)}


def test_a_steer_that_was_stopped_before_it_counted_changes_nothing_of_any_window(open_session):
    session = open_session()
    run(session.turn, ORDER, in_view="a.py")
    before, standing = lines_of(session), session._records.last.turn.position
    stop = threading.Event()
    stop.set()
    session.backend.stream = lambda request, stop: iter(())
    list(session.turns.steer("more", stop=stop))
    assert session.outbox.take_returned() == ("more",)
    assert (lines_of(session), session._records.last.turn.position) == (before, standing)


def test_a_second_message_is_told_after_the_first_in_each_window(open_session):
    session = open_session()
    session.backend.says["most"] = lambda line: line.replace(")", ", retries=99)")
    run(session.turn, ORDER, in_view="a.py")
    run(session.turns.steer, "more", until=after(100))
    session = open_session(session.id)
    session.backend.says["most"] = lambda line: line.replace(")", ", retries=99)")
    run(session.turns.steer, "most")
    assert lines_of(session) == {line_of(n): call(n, 99) for n in range(12)}
    for request in session.backend.requests:
        assert [splice.message for splice in request.spliced] == ["more"]
        assert request.steer == "most"
