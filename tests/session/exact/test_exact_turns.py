"""Exact edits as turns: completed, planned, journaled, decided, retried, reopened."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.event_streams import of
from support.fakes import FakeBackend
from support.git_command import git
from support.open_sessions import open_sessions
from support.scripted_backend import accept_and_write
from support.small_repositories import uncommitted

from spark_tui import events
from spark_tui.errors import UsageError
from spark_tui.pysource import summary
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.exact.exact_turns import EditRefused
from spark_tui.session.session import Session
from spark_tui.session.storage import archive

CART = '''class Cart:
    """Lines and quantities."""

    def __init__(self, customer):
        self.customer = customer
        self.lines = {}

    def add(self, sku, qty=1):
        total = self.lines.get(sku, 0) + qty
        self.lines[sku] = total
        return total
'''
USES = """import sys
from shop.cart import Cart


def fill(cart: Cart, thing):
    cart.add("tea")
    # add is for tea
    return thing.add("mug")
"""
Make = Callable[..., Session]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/uses.py": USES}
    root = uncommitted(tmp_path / "shop", files)
    git(root, "add", "-A")
    with open_sessions(root, tmp_path / "state") as open_one:
        yield lambda session_id="", backend=None: open_one(
            backend or FakeBackend(["x"]), session_id=session_id
        )


def run(session: Session, line: str, cursor: Cursor | None = None) -> list[events.Event]:
    planned = session.exact.plan(line, cursor or Cursor())
    return list(session.exact.run(planned, stop=threading.Event()))


def text(session: Session, path: str) -> str:
    return (session.root / path).read_text()


def test_an_edit_is_a_turn_with_its_call_its_hunks_and_an_end(make: Make) -> None:
    found = run(make(), "/rename Cart.add put")
    assert isinstance(found[0], events.TurnStarted)
    assert (found[0].prompt, found[0].backend) == ("/rename Cart.add put", "exact edit")
    assert of(found, events.Prose)[0].text.startswith("→ rename(Cart.add, put)\n")
    closed = of(found, events.HunkClosed)
    assert [(kind.path, kind.old_start) for kind in closed] == [("shop/cart.py", 8), ("shop/uses.py", 6)]
    assert isinstance(found[-1], events.Finished)
    assert found[-1].reason == "stop"


def test_a_place_that_may_be_meant_is_marked_and_no_failure(make: Make) -> None:
    found = run(s := make(), "/rename Cart.add put")
    left = of(found, events.HunkFailed)
    assert ("shop/uses.py", 8, 0) in [(kind.path, kind.line, kind.code) for kind in left]
    assert all(kind.message.startswith("not changed: ") for kind in left)
    assert not s._records.last.failures.left
    assert f"{len(left)} places to check were not changed" in of(found, events.Prose)[0].text


def test_a_finding_is_a_doubt_about_its_hunk_before_the_hunk_closes(make: Make) -> None:
    session = make()
    (session.root / "shop" / "bad.py").write_text("def run(n):\n    return n\n\n\nrun(1)\n")
    found = run(session, '/refactor replace_lines shop/bad.py:5 "run(1, 2)"')
    doubt, closed = of(found, events.Doubt)[0], of(found, events.HunkClosed)[0]
    assert doubt.hunk_id == closed.hunk_id
    assert doubt.confidence == 0.0
    assert doubt.reason.startswith("breaks: ")
    assert found.index(doubt) < found.index(closed)
    assert "shop/bad.py:5: breaks: " in of(found, events.Prose)[0].text


def test_a_write_of_part_of_an_exact_edit_says_what_is_missing(make: Make) -> None:
    session = make()
    first, second = of(run(session, "/rename Cart.add put"), events.HunkClosed)
    applied = accept_and_write(session, first.hunk_id)
    missing = "“/rename Cart.add put” is written in part: 1 of its 2 hunks is missing (shop/uses.py:6)."
    assert applied.note == missing
    assert accept_and_write(session, second.hunk_id).note == ""


def test_a_write_of_part_of_an_answer_of_a_model_is_no_news(make: Make) -> None:
    session = make(
        backend=FakeBackend(
            ["*** shop/cart.py\n@@ 1,1\n+class Basket:\n@@ 5,5\n+        self.owner = customer\n"]
        )
    )
    closed = of(list(session.turn("change both", stop=threading.Event())), events.HunkClosed)
    assert len(closed) > 1
    assert accept_and_write(session, closed[0].hunk_id).note == ""


def test_hunks_are_decided_written_and_undone_like_any_other(make: Make) -> None:
    session = make()
    run(session, "/rename Cart.add put")
    assert accept_and_write(session).paths == ("shop/cart.py", "shop/uses.py")
    assert "def put(self" in text(session, "shop/cart.py")
    assert 'cart.put("tea")' in text(session, "shop/uses.py")
    session.changes.undo()
    assert text(session, "shop/cart.py") == CART


def test_the_message_of_a_commit_says_the_command(make: Make) -> None:
    session = make()
    run(session, "/rename Cart.add put")
    accept_and_write(session)
    assert session.changes.draft_message().startswith("Rename Cart.add put\n")


def test_later_turns_count_their_hunks_on(make: Make) -> None:
    session = make()
    first = run(session, "/rename Cart.add put")
    second = run(session, "/imports shop/uses.py")
    last = max(event.hunk_id for event in first if isinstance(event, (events.HunkClosed, events.HunkFailed)))
    assert of(second, events.HunkClosed)[0].hunk_id == last + 1
    assert of(second, events.HunkClosed)[0].old_lines == ("import sys",)


def test_the_files_are_read_again_for_each_edit(make: Make) -> None:
    session = make()
    session.exact.load(threading.Event())
    (session.root / "shop" / "uses.py").write_text(USES.replace("tea", "milk"))
    found = of(run(session, "/rename Cart.add put"), events.HunkClosed)
    assert found[1].old_lines == ('    cart.add("milk")',)


def test_the_first_message_finds_the_words_of_all_files_known(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = make()
    session.exact.load(threading.Event())
    edits = session.exact._edits
    assert edits is not None
    monkeypatch.setattr(summary, "bit_of", None)  # fails where words are still to be counted
    assert [*edits.repo.index.files_with("Cart")] == ["shop/cart.py", "shop/uses.py"]


def test_a_session_is_reopened_with_its_edit_and_goes_on(make: Make) -> None:
    session = make()
    before = run(session, "/rename Cart.add put")
    session.decisions.decide(1, "accepted")
    session.close()
    again = make(session.id)
    assert [again.decisions.review.state(item) for item in again.decisions.review.ids] == ["accepted", "open"]
    assert again.decisions.review.hunk(2).new_lines == ('    cart.put("tea")',)
    again.changes.write()
    assert "def put(self" in text(again, "shop/cart.py")
    last = max(kind.hunk_id for kind in of(before, events.HunkFailed))
    assert of(run(again, "/imports shop/uses.py"), events.HunkClosed)[0].hunk_id == last + 1
    with pytest.raises(UsageError):
        list(again.turns.resume(stop=threading.Event()))


def test_a_turn_is_exported_with_its_call_and_recorded(make: Make) -> None:
    session = make()
    run(session, "/rename Cart.add put")
    turns = archive.turns_of(session.folder)
    shown = archive.as_markdown("s", turns)
    assert "## /rename Cart.add put" in shown
    assert "→ rename(Cart.add, put)" in shown
    assert "Left at `shop/uses.py:8`: not changed" in shown
    recording = archive.as_recording(turns[0], name="r")
    assert recording.format == "lines"
    assert "+    def put(self, sku, qty=1):" in "".join(piece.text for piece in recording.pieces)


def test_a_retry_plans_again_on_the_files_as_they_are_now(make: Make) -> None:
    session = make()
    run(session, "/rename Cart.add put")
    (session.root / "shop" / "uses.py").write_text(USES.replace("tea", "milk"))
    found = list(session.turns.retry(stop=threading.Event()))
    assert [kind.decision for kind in of(found, events.Decided)] == ["rejected", "rejected"]
    assert of(found, events.HunkClosed)[1].old_lines == ('    cart.add("milk")',)


def test_a_message_after_it_is_a_new_turn_about_its_files(make: Make) -> None:
    backend = FakeBackend(["*** shop/cart.py\n@@ 1,1\n+# first\n"])
    session = make(backend=backend)
    run(session, "/rename Cart.add put")
    found = list(session.turns.steer("no, not that", stop=threading.Event()))
    assert not of(found, events.Steered)
    assert {part.path for part in backend.requests[0].files} >= {"shop/cart.py", "shop/uses.py"}
    history = backend.requests[0].history
    assert history[0].instruction == "/rename Cart.add put"
    assert "*** shop/cart.py\n@@ 8,9\n+    def put(self, sku, qty=1):\n" in history[0].answer


def test_the_model_is_told_only_the_first_places_of_a_large_edit(make: Make) -> None:
    backend = FakeBackend(["x"])
    session = make(backend=backend)
    (session.root / "shop" / "many.py").write_text(
        "from shop.cart import Cart\n\ncart = Cart(1)\n"
        + "".join(f"cart.add(1)\nprint({n})\n" for n in range(300))
    )
    run(session, "/rename Cart.add put")
    list(session.turn("go on", in_view="shop/cart.py", stop=threading.Event()))
    told = backend.requests[0].history[0].answer
    assert 0 < told.count("cart.put(1)") < 100
    assert told.endswith("…\n")


def test_a_rewind_says_that_an_edit_cannot_be_continued(make: Make) -> None:
    session = make()
    run(session, "/rename Cart.add put")
    with pytest.raises(UsageError, match="an exact edit cannot be continued"):
        list(session.turns.branch_at(1, "other", stop=threading.Event()))


@pytest.mark.parametrize(
    ("line", "what", "choices"),
    [
        ("/rename Cart.ad put", "no symbol Cart.ad", ("/rename Cart.add put",)),
        ("/rename shop/crt.py::Cart Box", "no such file: shop/crt.py", ("/rename shop/cart.py::Cart Box",)),
        ("/imports shop/crt.py", "no such file: shop/crt.py", ("/imports shop/cart.py",)),
        ("/rename new=put target=Cart.ad", "no symbol Cart.ad", ("/rename new=put target=Cart.add",)),
        (
            "/signature rmove Cart.add qty",
            "rmove is not a verb of /signature",
            ("/signature remove Cart.add qty",),
        ),
        ("/refactor zzz", "zzz is not an operation of /refactor", ()),
        ("/rename Cart.add class", "class is a keyword of Python", ()),
        ("/rename Cart.add", "rename needs target: nothing at the cursor fits", ()),
    ],
)
def test_a_refusal_is_one_sentence_with_commands_to_choose_from(
    make: Make, line: str, what: str, choices: tuple[str, ...]
) -> None:
    with pytest.raises(EditRefused) as caught:
        make().exact.plan(line, Cursor())
    assert caught.value.what == what
    assert caught.value.choices[: len(choices)] == choices
    assert bool(caught.value.choices) == bool(choices)


def test_a_plan_that_is_stopped_ends_and_the_next_one_does_not_wait(make: Make) -> None:
    exact, stop = make().exact, threading.Event()
    stop.set()
    with pytest.raises(EditRefused, match="stopped"):
        exact.plan("/rename Cart.add put", Cursor(), stop)
    assert exact.plan("/rename Cart.add put", Cursor(), threading.Event()).hunks


def test_two_symbols_that_fit_are_choices_that_mean_one_each(make: Make) -> None:
    session = make()
    (session.root / "shop" / "box.py").write_text("class Box:\n    def add(self):\n        pass\n")
    with pytest.raises(EditRefused) as caught:
        session.exact.plan("/rename add put", Cursor())
    assert len(caught.value.choices) == 2
    for line in caught.value.choices:
        assert session.exact.plan(line, Cursor()).hunks


@pytest.mark.parametrize(
    ("typed", "cursor", "line"),
    [
        ("/rename put", Cursor("shop/cart.py", 8), "/rename Cart.add put"),
        ("/rename amount", Cursor("shop/cart.py", 9), "/rename Cart.add.total amount"),
        ("/rename client", Cursor("shop/cart.py", 5), "/rename Cart.customer client"),
        ("/rename amount", Cursor("shop/cart.py", 9, 41), "/rename Cart.add.qty amount"),
        ("/rename rows", Cursor("shop/cart.py", 10, 14), "/rename Cart.lines rows"),
        ("/rename put", Cursor("shop/cart.py", 11), "/rename Cart.add put"),
        ("/rename put", Cursor("shop/uses.py", 6, 10), "/rename add put"),
        (
            "/refactor set_docstring 'A cart.'",
            Cursor("shop/cart.py", 1),
            '/refactor set_docstring Cart "A cart."',
        ),
        (
            "/extract function rest",
            Cursor("shop/cart.py", 9, -1, (9, 10)),
            "/extract function shop/cart.py:9-10 rest",
        ),
        (
            "/refactor add_guard 'qty < 1' 'raise ValueError(qty)'",
            Cursor("shop/cart.py", 10),
            '/refactor add_guard Cart.add "qty < 1" "raise ValueError(qty)"',
        ),
        ("/imports", Cursor("shop/uses.py", 1), "/imports shop/uses.py"),
    ],
)
def test_the_place_of_the_cursor_stands_in_for_what_is_left_out(
    make: Make, typed: str, cursor: Cursor, line: str
) -> None:
    assert make().exact.plan(typed, cursor).line == line


def test_a_file_that_does_not_parse_or_is_not_there_gives_no_symbol(make: Make) -> None:
    session = make()
    (session.root / "shop" / "odd.py").write_text("def broken(:\n")
    for path in ("shop/odd.py", "shop/none.py", "", "README.md"):
        with pytest.raises(EditRefused, match="nothing at the cursor fits"):
            session.exact.complete("/rename put", Cursor(path, 1, 0))


def test_candidates_of_the_file_in_view_come_first_with_locals_and_parameters(make: Make) -> None:
    session = make()
    session.exact.load(threading.Event())
    found = session.exact.candidates("/rename ", 8, "shop/cart.py")
    near, far = [item.text for item in found.near], [one.text for one in found.far]
    assert near[:2] == ["Cart", "Cart.__init__"]
    assert {"Cart.add.qty", "Cart.add.total", "Cart.lines"} <= set(near)
    assert "fill" in far
    assert "fill" not in near
    assert "Cart.add.qty" not in far


def test_before_the_index_is_there_the_file_in_view_is_known(make: Make) -> None:
    found = make().exact.candidates("/rename Ca", 10, "shop/cart.py")
    assert "Cart.add" in [item.text for item in found.near]
    assert not found.far


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("/re", {"/rename", "/refactor"}),
        ("/signature ", {"add", "remove", "reorder", "default"}),
        ("/refactor add_g", {"add_guard"}),
        ("/signature remove Cart.add ", {"sku", "qty"}),
        ("/refactor add_comment shop/cart.py:1 x where=", {"above", "behind"}),
        ("/signature add Cart.add n keyword_only=", {"true", "false"}),
        ("/signature add Cart.add n ", {"default=", "value="}),
        ("/imports ", {"sort", "unused", "shop/uses.py"}),
        ("/refactor apply_pattern ", {"is_none"}),
        ("/refactor move_definition fill ", {"shop/cart.py"}),
        ("/rename shop/uses.py::fi", {"shop/uses.py::fill", "shop/uses.py::fill.cart"}),
        ("/refactor add_guard shop/uses.py::f", {"shop/uses.py::fill"}),
    ],
)
def test_what_can_stand_at_the_end_of_the_line(make: Make, line: str, texts: set[str]) -> None:
    found = make().exact.candidates(line, len(line), "shop/cart.py")
    assert texts <= {item.text for item in found.near}
