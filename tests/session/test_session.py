"""One person's work in one tree: decide, write, undo, and nothing else changes."""

import threading

import pytest
from support.fakes import FakeBackend
from support.git_command import git
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted, accept, accept_and_write, small_model
from support.small_repositories import written

from spark_tui import events
from spark_tui.backends.base import Exchange
from spark_tui.config.settings import Settings
from spark_tui.errors import Misfit, NoPlace, NothingToDo, Refused, TreeChanged, UsageError
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.storage import journal

ANSWER = "*** shop/cart.py\n@@ 1,2\n+first\n@@ 3,3\n+second\n"


@pytest.fixture
def open_session(repo, tmp_path):
    with open_sessions(repo, tmp_path / "state") as open_one:
        yield lambda *texts: open_one(FakeBackend(texts or [ANSWER]))


def ask(session, instruction="do it", **kwargs):
    return list(session.turn(instruction, stop=threading.Event(), **kwargs))


def text(repo):
    return (repo / "shop" / "cart.py").read_text()


def test_accepted_hunks_are_written_and_undone_and_redone(repo, open_session):
    session, before = open_session(), text(repo)
    ask(session)
    first, second = (hunk.id for hunk in session.decisions.offered())
    session.decisions.decide(first, "accepted")
    session.decisions.decide(second, "rejected")
    applied = session.changes.write()
    assert applied.paths == ("shop/cart.py",)
    assert applied.hunks == (first,)
    assert applied.timing.apply > 0
    assert applied.timing == events.Timing(apply=applied.timing.apply)
    assert text(repo).startswith("first\n")
    assert "second" not in text(repo)
    assert session.changes.undo().timing.apply > 0
    assert text(repo) == before
    assert session.changes.redo().timing.apply > 0
    assert text(repo).startswith("first\n")


def test_there_is_an_undo_for_each_turn_of_one_write(open_in_shop):
    answers = {"one": "*** shop/cart.py\n@@ 1,1\n+# x\n", "two": "*** shop/orders.py\n@@ 1,1\n+# x\n"}
    session = open_in_shop(answers)
    for instruction in answers:
        ask(session, instruction)
    accept_and_write(session)
    session.changes.undo()
    assert (session.changes.can_undo, session.changes.can_redo) == (True, True)
    session.close()
    again = open_in_shop(answers, session_id=session.id)
    assert (again.changes.can_undo, again.changes.can_redo) == (True, True)
    again.changes.undo()
    assert (again.changes.can_undo, again.changes.can_redo) == (False, True)


def test_a_write_after_an_undo_leaves_nothing_to_redo(repo, open_session):
    session = open_session()
    ask(session)
    first, second = (hunk.id for hunk in session.decisions.offered())
    for hunk_id in (first, second):
        accept_and_write(session, hunk_id)
        if hunk_id == first:
            session.changes.undo()
    assert (session.changes.can_undo, session.changes.can_redo) == (True, False)


def test_what_is_written_is_what_the_patch_said(repo, open_session, tmp_path):
    session = open_session()
    ask(session)
    accept(session)
    (tmp_path / "p").write_text(session.decisions.patch())
    session.changes.write()
    ours = text(repo)
    git(repo, "checkout", "-q", "--", ".")
    git(repo, "apply", str(tmp_path / "p"))
    assert text(repo) == ours


def test_hunks_of_one_turn_can_be_written_one_after_the_other(repo, open_session):
    session = open_session()
    ask(session)
    for hunk in session.decisions.offered():
        accept_and_write(session, hunk.id)
    assert text(repo).splitlines()[0] == "first"
    assert "second" in text(repo)


def test_a_second_turn_counts_its_hunks_on_and_reads_the_file_as_it_is_now(repo, open_session):
    session = open_session()
    ask(session)
    accept_and_write(session, 1)
    ask(session, "again")
    # Line 1 says "first" by now, so the second turn's first hunk (3) changes nothing and is not offered.
    assert session.decisions.review.ids == (1, 2, 4)
    assert session.decisions.review.state(1) == "applied"


def test_the_history_has_the_outcome_of_each_hunk(repo, open_session):
    session = open_session()
    ask(session)
    first, second = (hunk.id for hunk in session.decisions.offered())
    session.decisions.decide(first, "accepted")
    session.decisions.decide(second, "edited", "mine\n")
    ask(session, "go on")
    (exchange,) = session.backend.requests[1].history
    assert exchange.instruction == "do it"
    assert exchange.answer == ANSWER
    assert "accepted" in exchange.outcome
    assert "+mine" in exchange.outcome


def test_every_event_that_was_shown_is_in_the_journal(open_session, tmp_path):
    session = open_session()
    shown = ask(session)
    shown += [events.Decided(1, "accepted"), accept_and_write(session, 1), session.changes.undo()]
    (path,) = (tmp_path / "state").glob("sessions/*/journal.jsonl")
    assert [entry.event for entry in journal.read(path)] == shown


def test_a_reader_that_stops_looking_leaves_a_closed_turn_in_the_journal(open_session, tmp_path):
    session = open_session(*ANSWER)
    stream = session.turn("do it", stop=threading.Event())
    for event in stream:
        if isinstance(event, events.HunkText):
            break
    stream.close()
    (path,) = (tmp_path / "state").glob("sessions/*/journal.jsonl")
    seen = [entry.event for entry in journal.read(path)]
    assert isinstance(seen[-2], events.Interrupted)
    assert seen[-1].reason == "interrupted"


def test_a_file_that_changed_in_the_same_lines_is_not_overwritten(repo, open_session):
    session = open_session()
    ask(session)
    path = repo / "shop" / "cart.py"
    path.write_text("mine\n" + path.read_text().split("\n", 1)[1])
    session.decisions.decide(1, "accepted")
    before = text(repo)
    with pytest.raises(TreeChanged):
        session.changes.write()
    assert text(repo) == before
    assert session.decisions.review.state(1) == "accepted"


def test_a_change_elsewhere_in_the_file_is_merged_with(repo, open_session):
    session = open_session()
    ask(session)
    path = repo / "shop" / "cart.py"
    path.write_text(path.read_text() + "# mine\n")
    accept_and_write(session, 1)
    assert text(repo).startswith("first\n")
    assert text(repo).endswith("# mine\n")


def test_writing_touches_nothing_of_the_users_git(repo, open_session):
    (repo / "README.md").write_text("staged\n")
    git(repo, "add", "README.md")
    index, head = (repo / ".git" / "index").read_bytes(), git(repo, "rev-parse", "HEAD")
    session = open_session()
    ask(session)
    accept_and_write(session, 1)
    session.changes.undo()
    assert (repo / ".git" / "index").read_bytes() == index
    assert git(repo, "rev-parse", "HEAD") == head
    assert git(repo, "stash", "list") == ""


def test_commit_holds_only_what_was_written(repo, open_session):
    (repo / "README.md").write_text("dirty\n")
    session = open_session()
    ask(session, "put first first. Then rest")
    accept_and_write(session, 1)
    session.changes.commit()
    assert git(repo, "show", "--name-only", "--format=%s", "HEAD").split("\n\n") == [
        "Put first first",
        "shop/cart.py\n",
    ]
    assert git(repo, "status", "--porcelain").strip() == "M README.md"
    with pytest.raises(NothingToDo):
        session.changes.commit()


@pytest.mark.parametrize(("decision", "text"), [("accepted", ""), ("edited", "mine\n"), ("split", "")])
def test_a_decision_that_cannot_be_kept_is_none(open_session, repo, monkeypatch, decision, text):
    session = open_session("*** shop/cart.py\n@@ 1,3\n+first\n+second\n")
    ask(session)
    before = session.decisions.review.ids, session.decisions.review.undecided()
    tree = (repo / "shop" / "cart.py").read_bytes()

    def full(event, at):
        raise NoPlace("full")

    with monkeypatch.context() as patched:
        patched.setattr(session.journal.events, "append", full)
        with pytest.raises(NoPlace, match="full"):
            session.decisions.decide(1, decision, text)
    assert (session.decisions.review.ids, session.decisions.review.undecided()) == before
    assert session.decisions.review.state(1) == "open"
    with pytest.raises(NothingToDo):
        session.changes.write()
    assert (repo / "shop" / "cart.py").read_bytes() == tree
    accept_and_write(session, 1)


def test_nothing_accepted_or_written_is_said(open_session):
    session = open_session()
    for act in (session.changes.write, session.changes.undo, session.changes.redo, session.changes.commit):
        with pytest.raises(NothingToDo):
            act()
    with pytest.raises(UsageError):
        session.decisions.decide(99, "accepted")


def test_it_works_without_git_with_its_own_undo(tmp_path):
    root = written(tmp_path / "plain", {"shop/cart.py": "one\ntwo\nthree\n"})
    with open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(FakeBackend([ANSWER]))
        ask(session)
        accept_and_write(session, 1)
        assert text(root).startswith("first\n")
        session.changes.undo()
        assert text(root) == "one\ntwo\nthree\n"
        assert session.tree.branch() == ""
        assert session.finding.files() == ["shop/cart.py"]


def test_the_file_in_view_and_the_mentions_are_what_the_model_is_shown(open_session):
    session = open_session()
    ask(session, "like @shop/orders.py:1-3", in_view="shop/cart.py")
    files = session.backend.requests[0].files
    assert [(f.path, f.first_line) for f in files[:2]] == [("shop/orders.py", 1), ("shop/cart.py", 1)]
    assert [f.path for f in files[2:]] == ["(map of the repository)"]
    assert "shop/inventory.py" in files[2].text


def test_a_small_model_that_can_be_shown_nothing_of_what_was_named_says_why(repo, open_in_shop):
    (repo / "picture.bin").write_bytes(bytes(range(256)))
    backend = small_model({"look @picture.bin": ANSWER, "look @large.py": ANSWER})
    session = open_in_shop(backend=backend, settings=Settings(exact=False))
    (repo / "large.py").write_text("x = 1\n" * 20)
    with pytest.raises(Refused, match="binary file") as refused:
        ask(session, "look @picture.bin")
    assert refused.value.hint == "Name a text file: @path."
    session.adopt(Settings(exact=False, max_file_bytes=100))
    with pytest.raises(Refused, match="the limit is 100") as refused:
        ask(session, "look @large.py")
    assert refused.value.hint.startswith("Raise `edit.max_file_bytes`")
    with pytest.raises(Misfit, match="no such file"):
        ask(session, "look @picture.py")
    assert backend.requests == []


def test_what_was_said_before_leaves_less_room_for_files(repo):
    backend = Scripted({})
    backend.window = 8192
    asking = ContextBuilder(repo, ModelSetup(Settings(), backend))
    said = Exchange("ask " * 20, "answer " * 40, "outcome " * 10)
    room = asking.limits().tokens
    assert (
        0
        < asking.limits([said]).tokens
        == room - backend.count_tokens(said.instruction + said.answer + said.outcome)
    )


@pytest.mark.parametrize(
    ("files", "only"),
    [
        (("a.py", "tests/test_a.py", "README.md", "data.json"), "a.py"),
        (("a.py", "lib/b.py"), ""),
        (("README.md",), ""),
        (("id_rsa.sh",), ""),
    ],
)
def test_the_only_source_file_needs_no_name(tmp_path, files, only):
    written(tmp_path, dict.fromkeys(files, "x = 1\n"))
    assert ContextBuilder(tmp_path, ModelSetup(Settings(), Scripted({}))).only_source() == only


def test_what_names_no_file_is_about_the_only_source_file(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    backend = Scripted({"do it": "done"})
    with open_sessions(tmp_path, tmp_path / ".state") as open_one:
        ask(open_one(backend))
    assert [part.path for part in backend.requests[0].files[:1]] == ["a.py"]


def test_what_was_named_and_is_not_shown_is_said_with_the_turn(open_in_shop):
    said = "look @shop/cart.py, @shop/crat.py and @docs/*.rst"
    first, second, third, *_ = ask(open_in_shop({said: ANSWER}), said)
    assert isinstance(first, events.TurnStarted)
    assert [second.text, third.text] == [
        "docs/*.rst is not shown: matches no files\n",
        "shop/crat.py is not shown: no such file (did you mean shop/cart.py?)\n",
    ]


def test_a_small_model_is_told_only_what_was_said_about_the_file_that_it_reads(repo, open_in_shop):
    (repo / "other.py").write_text("one\ntwo\n")
    first, then, again = "first @shop/cart.py", "then @other.py", "again @shop/cart.py"
    backend = small_model({first: ANSWER, then: "*** other.py\n@@ 1,1\n+ONE\n", again: ANSWER})
    session = open_in_shop(backend=backend, settings=Settings(exact=False))
    for instruction in (first, then, again):
        ask(session, instruction)
    told = [[item.instruction for item in request.history] for request in backend.requests]
    assert told == [[], [], [first]]
