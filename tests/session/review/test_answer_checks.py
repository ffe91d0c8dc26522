"""Whatever writes an answer: what its hunks would break is found, and the hunk that does it is marked."""

import sys
import threading
import time

import pytest
from support.fakes import FakeBackend
from support.open_sessions import open_sessions
from support.scripted_backend import run
from support.scripted_sessions import entries
from support.small_repositories import written

from spark_tui import events
from spark_tui.pysource import source
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.review.answer_checks import AnswerChecks
from spark_tui.session.review.repository_checks import RepositoryChecks

CART = """\
def add(item, qty):
    return item * qty


def total(items):
    return sum(items)


def label(item):
    return f"{item}"
"""
USES = """\
from shop.cart import add, total


def test_add():
    assert add(2, 3) == 6
    assert total([add(1, 1)]) == 1
"""


@pytest.fixture
def root(tmp_path):
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/tests.py": USES}
    return written(tmp_path / "root", files)


@pytest.fixture
def open_session(root, tmp_path):
    with open_sessions(root, tmp_path / "state") as open_one:
        yield lambda *texts, session_id="": open_one(FakeBackend(texts), session_id=session_id)


@pytest.fixture
def asked(open_session):
    """Open a session that was asked and got an answer of these pieces."""

    def asked(*texts):
        session = open_session(*texts)
        ask(session)
        return session

    return asked


def ask(session):
    return run(session.turn, "do it")


def checked(session, stop=None):
    return list(session.check_answer(stop=stop or threading.Event()))


def marks(found):
    return [(item.hunk_id, item.path, item.line) for item in found if isinstance(item, events.Doubt)]


def test_a_function_in_use_that_is_removed_marks_its_hunk_with_the_place_that_uses_it(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    found = checked(session)
    assert found[0] == events.Checked((1,))
    assert marks(found) == [(1, "shop/tests.py", 1)]
    assert found[1].reason == "breaks shop/tests.py:1: imports add, which shop/cart.py no longer has"


def test_a_parameter_that_calls_do_not_pass_marks_its_hunk_with_every_such_call(asked):
    session = asked("*** shop/cart.py\n@@ 1,2\n+def add(item, qty, price):\n")
    found = checked(session)
    assert marks(found) == [(1, "shop/tests.py", 5), (1, "shop/tests.py", 6)]
    assert "needs 'price'" in found[1].reason


def test_a_call_that_does_not_fit_marks_the_hunk_that_writes_it(asked):
    session = asked("*** shop/tests.py\n@@ 5,6\n+    assert add(2) == 6\n")
    assert marks(checked(session)) == [(1, "shop/tests.py", 5)]


def test_a_clean_edit_is_checked_and_not_marked(asked):
    session = asked("*** shop/cart.py\n@@ 2,3\n+    return qty * item\n")
    assert checked(session) == [events.Checked((1,))]


def test_a_syntax_error_marks_its_hunk(asked):
    session = asked("*** shop/cart.py\n@@ 6,7\n+    return sum(items\n")
    found = checked(session)
    assert marks(found) == [(1, "shop/cart.py", 6)]
    assert "would not compile" in found[1].reason


@pytest.mark.parametrize(
    ("hunk", "line", "reason"),
    [
        ("@@ 1,2\n+def add(item, item):\n", 1, "duplicate "),
        ("@@ 6,7\n+    pass\n+return sum(items)\n", 7, "outside function"),
        ("@@ 6,7\n+    nonlocal sums\n", 6, "nonlocal"),
    ],
)
def test_what_parses_and_does_not_compile_marks_its_hunk(asked, hunk, line, reason):
    session = asked(f"*** shop/cart.py\n{hunk}")
    found = next(item for item in checked(session)[1:] if "would not compile" in item.reason)
    assert (found.path, found.line) == ("shop/cart.py", line) and reason in found.reason


def test_only_the_hunk_that_breaks_something_is_marked(asked):
    session = asked(
        "*** shop/cart.py\n@@ 1,3\n@@ 6,7\n+    return sum(list(items))\n@@ 10,11\n+    return str(itm)\n"
    )
    assert marks(checked(session)) == [(1, "shop/tests.py", 1), (3, "shop/cart.py", 8)]


def test_hunks_that_fit_together_are_not_marked(asked):
    session = asked(
        "*** shop/cart.py\n@@ 1,2\n+def put(item, qty):\n"
        "*** shop/tests.py\n@@ 1,2\n+from shop.cart import put, total\n"
        "@@ 5,7\n+    assert put(2, 3) == 6\n+    assert total([put(1, 1)]) == 1\n"
    )
    assert checked(session) == [events.Checked((1, 2, 3))]


def test_of_two_hunks_the_one_that_changes_the_signature_is_marked_not_the_call_that_was_adapted(asked):
    session = asked(
        "*** shop/cart.py\n@@ 1,2\n+def add(item, qty, price):\n"
        "*** shop/tests.py\n@@ 5,6\n+    assert add(2, 3, 1) == 6\n"
    )
    assert marks(checked(session)) == [(1, "shop/tests.py", 6)]


def test_a_file_that_did_not_parse_before_is_not_blamed_on_the_hunk(root, asked):
    (root / "shop" / "broken.py").write_text("def f(:\n    return unknown\n")
    session = asked("*** shop/broken.py\n@@ 2,3\n+    return other\n")
    assert checked(session) == [events.Checked((1,))]


def test_a_file_that_is_mended_is_not_blamed_for_what_it_lacked_all_along(root, asked):
    (root / "shop" / "broken.py").write_text("def f(:\n    return unknown\n")
    session = asked("*** shop/broken.py\n@@ 1,2\n+def f():\n")
    assert checked(session) == [events.Checked((1,))]


def test_files_of_other_kinds_are_not_checked(root, asked):
    (root / "notes.txt").write_text("one\n")
    session = asked("*** notes.txt\n@@ 1,2\n+def f(:\n")
    assert checked(session) == []


def test_rejected_hunks_do_not_count_and_accepted_ones_do(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n@@ 10,11\n+    return str(itm)\n")
    session.decisions.decide(1, "rejected")
    session.decisions.decide(2, "accepted")
    assert marks(checked(session)) == [(2, "shop/cart.py", 10)]


def test_hunks_of_an_earlier_turn_that_are_not_written_yet_count_as_there(asked):
    session = asked("*** shop/cart.py\n@@ 4,4\n+\n+def twice(item):\n+    return item * 2\n+\n")
    assert checked(session) == [events.Checked((1,))]
    session.use(FakeBackend(["*** shop/tests.py\n@@ 1,2\n+from shop.cart import add, total, twice\n"]))
    ask(session)
    assert checked(session) == [events.Checked((2,))]


def test_the_marks_are_in_the_journal_and_survive_a_reopened_session(open_session, asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    found = checked(session)
    session.close()
    assert entries(session)[-2:] == found
    again = open_session(session_id=session.id)
    assert again.turns.shown_before()[-2:] == found
    assert marks(checked(again)) == marks(found)


def test_a_stopped_check_gives_nothing_and_is_made_up_for_behind_the_next_turn(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    stop = threading.Event()
    stop.set()
    assert checked(session, stop) == []
    session.use(FakeBackend(["*** shop/tests.py\n@@ 6,7\n+    assert total() == 1\n"]))
    ask(session)
    assert [mark[0] for mark in marks(checked(session))] == [1, 2]


def test_a_check_that_ends_while_a_turn_runs_writes_nothing_between_its_events(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    running = session.turn("do it", stop=threading.Event())
    next(running)
    session.checks._unfinished = [next(iter(session._records))]
    assert checked(session) == []
    running.close()


def test_a_check_that_takes_too_long_says_what_it_left_out_and_keeps_what_it_found(root, asked):
    for number in range(30):
        (root / "shop" / f"more{number}.py").write_text(CART)
    session = asked("*** shop/cart.py\n@@ 1,3\n@@ 10,11\n+    return str(itm)\n")
    looked = []

    def out_of_time(stop, seconds):
        from spark_tui.session.review.hunk_breaks import OutOfTime

        def on_work():
            looked.append(1)
            if len(looked) > 60:
                raise OutOfTime

        return on_work

    session.checks._on_work = out_of_time
    found = checked(session)
    assert "only the changed files were checked" in found[0].note
    assert marks(found) == [(2, "shop/cart.py", 8)]


def test_a_hunk_that_the_encoding_of_its_file_refuses_is_marked_and_the_others_are_checked(root, asked):
    (root / "shop/cart.py").write_bytes(b"# -*- coding: latin-1 -*-\nCAFE = 'caf\xe9'\n" + CART.encode())
    session = asked("*** shop/cart.py\n@@ 2,3\n+CAFE = '日本'\n@@ 3,4\n+def sum_up(item, qty):\n")
    found = checked(session)
    assert found[0] == events.Checked((1, 2))
    assert {item.hunk_id for item in found[1:]} == {2}


def test_a_hunk_that_cannot_be_written_is_no_fault_of_the_check_where_it_is_the_only_one(root, asked):
    (root / "shop/cart.py").write_bytes(b"# -*- coding: latin-1 -*-\nCAFE = 'caf\xe9'\n")
    found = checked(asked("*** shop/cart.py\n@@ 2,3\n+CAFE = '日本'\n"))
    assert found == [events.Checked((1,))]


def test_a_fault_of_the_check_is_said_and_loses_nothing(asked, monkeypatch):
    def fail(*_):
        raise KeyError("x")

    monkeypatch.setattr("spark_tui.session.review.repository_checks.RepositoryChecks.check", fail)
    session = asked("*** shop/cart.py\n@@ 1,3\n@@ 6,7\n+    return sum(list(items))\n")
    assert checked(session) == [events.Checked((1, 2), "not checked: KeyError: 'x'")]
    session.decisions.decide(1, "accepted")
    assert session.breaks_of_write() == events.Doubt(1, 0.0, "could not be checked: KeyError: 'x'")


CLASS = """\
class Cart:
    def __init__(self):
        self.items = []


cart = Cart()
"""


@pytest.mark.parametrize(
    ("defines", "uses", "reason"),
    [
        (
            "@@ 3,3\n+    def count(self):\n+        return 2\n",
            "@@ 7,7\n+cart.count()\n",
            "Cart has no count",
        ),
        ("@@ 3,3\n+        self.left = 1\n", "@@ 6,7\n+left = Cart().left\n", "Cart has no left"),
        ("@@ 1,1\n+def new(): ...\n", "@@ 6,7\n+new()\n", "nothing defines new"),
        ("@@ 1,1\n+import os\n", "@@ 6,7\n+os.getcwd()\n", "nothing defines os"),
        ("@@ 2,3\n+    def __init__(self, n):\n", "@@ 6,7\n+Cart(3)\n", "takes 0 positional arguments"),
        ("@@ 1,1\n+NEW = 1\n", "*** shop/tests.py\n@@ 1,2\n+from shop.bag import NEW\n", "imports NEW"),
    ],
)
def test_a_part_that_uses_what_only_the_rest_of_its_answer_defines_is_named(
    root, asked, defines, uses, reason
):
    (root / "shop" / "bag.py").write_text(CLASS)
    session = asked(f"*** shop/bag.py\n{defines}{uses}")
    checked(session)
    session.decisions.decide(2, "accepted")
    doubt = session.breaks_of_write()
    assert doubt is not None and doubt.hunk_id == 2 and reason in doubt.reason
    session.decisions.decide(1, "accepted")
    assert session.breaks_of_write() is None


def test_a_closed_session_ends_its_check(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    session.close()
    assert checked(session) == []


def test_three_hundred_files_are_checked_without_holding_up_another_thread(root, asked):
    for number in range(300):
        body = "\n\n".join(f"def f{at}(a, b):\n    return a + b * {at}" for at in range(40))
        (root / "shop" / f"more{number}.py").write_text(f"from shop.cart import add\n\n\n{body}\n")
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    turns, ended = 0, threading.Event()

    def other() -> None:
        nonlocal turns
        while not ended.is_set():
            time.sleep(0.001)
            turns += 1

    thread = threading.Thread(target=other)
    thread.start()
    found = checked(session)
    ended.set()
    thread.join()
    assert found[0].note == "hunk 1 breaks 301 places, 5 of them are named" and len(marks(found)) == 5
    assert turns > 20


def test_a_turn_that_begins_while_a_check_runs_does_not_wait_for_it(asked):
    session = asked("*** shop/cart.py\n@@ 1,3\n")
    begun, go_on, found = threading.Event(), threading.Event(), []

    def held(stop, seconds):
        def on_work():
            begun.set()
            assert go_on.wait(60)

        return on_work

    session.checks._on_work = held
    thread = threading.Thread(target=lambda: found.extend(checked(session)))
    thread.start()
    assert begun.wait(60)
    assert isinstance(ask(session)[-1], events.Finished)
    go_on.set()
    thread.join()
    assert marks(found) == [(1, "shop/tests.py", 1)]


def test_a_turn_neither_loads_nor_waits_for_the_checks(open_session, monkeypatch):
    def fail(*_args, **_kwargs):
        raise AssertionError("checked while it streams")

    monkeypatch.setattr(AnswerChecks, "run", fail)
    session = open_session("*** shop/cart.py\n@@ 1,3\n")
    assert isinstance(ask(session)[-1], events.Finished)


def test_the_hunks_of_an_exact_edit_are_checked_like_those_of_a_model(open_session):
    session = open_session()
    planned = session.exact.plan("/rename add put", Cursor())
    *_, end = session.exact.run(planned, stop=threading.Event())
    assert isinstance(end, events.Finished)
    ids = tuple(hunk.id for hunk in session.decisions.offered())
    assert checked(session) == [events.Checked(ids)]
    uses = next(hunk.id for hunk in session.decisions.offered() if hunk.path == "shop/tests.py")
    session.decisions.decide(uses, "rejected")
    assert {path for _, path, _ in marks(checked(session))} == {"shop/tests.py"}


def test_a_file_that_was_read_for_an_answer_is_not_parsed_again_to_check_it(open_session, monkeypatch):
    parsed = []
    parse = source.parse_code
    monkeypatch.setattr(source, "parse_code", lambda text: parsed.append(text) or parse(text))
    session = open_session()
    planned = session.exact.plan("/rename add put", Cursor())
    list(session.exact.run(planned, stop=threading.Event()))
    assert any("def put(" in text for text in parsed)
    parsed.clear()
    assert any(isinstance(item, events.Checked) for item in checked(session))
    assert parsed == []


def test_a_check_lets_the_screen_have_the_interpreter_soon(asked, monkeypatch):
    session, usual, seen = asked("*** shop/cart.py\n@@ 1,3\n"), sys.getswitchinterval(), []
    check = RepositoryChecks.check

    def looked(*args):
        seen.append(sys.getswitchinterval())
        return check(*args)

    monkeypatch.setattr(RepositoryChecks, "check", looked)
    assert marks(checked(session)) == [(1, "shop/tests.py", 1)]
    session.decisions.decide(1, "accepted")
    session.breaks_of_write()
    assert seen and max(seen) < usual == sys.getswitchinterval()
