import threading
from types import SimpleNamespace

import pytest
from support.open_sessions import open_sessions
from support.scripted_backend import Scripted

from spark_tui import events
from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.slots import NewName, Symbol
from spark_tui.intent.context.situation import Done
from spark_tui.intent.planning.answers import FOLLOW_UP, UNSURE
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository
from spark_tui.session.reader import taken_back
from spark_tui.session.reader.reader_edit import ReaderEdit
from spark_tui.session.reader.reader_edits import Base, ReaderEdits, StandingEdit


def test_another_process_knows_the_kinds_of_the_marks(tmp_path):
    marks = (Doubt("not used: slowly", DoubtKind.UNUSED), "a.py:3 a comment mentions the name")
    edits = ReaderEdits(tmp_path)
    edits.add("t1", ReaderEdit(Done("rename", {}, ()), {}, {}, {"a.py": "x\n"}, marks))
    edits.store("t1")
    found = ReaderEdits(tmp_path).of(SimpleNamespace(turn_id="t1"))
    assert found is not None and found.marked == marks
    assert [is_of(mark, DoubtKind.UNUSED) for mark in found.marked] == [True, False]


def test_a_long_chain_of_amendments_is_stored_within_the_limit(tmp_path):
    """Each text once; of what does not fit the oldest amendments are left out."""
    edits, edit, big = ReaderEdits(tmp_path), None, "x = 1\n" * 20_000
    texts = [f"{big}y = {number}\n" for number in range(40)]
    for number in range(1, 40):
        before, after = {"a.py": texts[0]}, {"a.py": texts[number]}
        edit = ReaderEdit(Done("rename", {}, ()), before, before, after, amended=edit)
    assert edit is not None
    edits.add("t1", edit)
    edits.store("t1")
    assert (tmp_path / "edits" / "t1.json").stat().st_size < 2_000_000
    found, kept = ReaderEdits(tmp_path).of(SimpleNamespace(turn_id="t1")), 0
    while found is not None:
        assert (found.base, found.before, found.after) == (edit.base, edit.before, edit.after)
        found, edit, kept = found.amended, edit.amended, kept + 1
    assert kept == 9


@pytest.mark.parametrize(
    ("after", "written", "kept"),
    [
        ("a = 1\nc = 3\n", False, 2),  # at the same line
        ("c = 1\nb = 2\n", False, 1),  # at another one, which was said
        ("a = 1\nc = 3\n", True, 1),  # somebody looked at it
    ],
)
def test_an_amendment_of_an_edit_that_may_not_be_meant_is_marked(after, written, kept):
    marks = (UNSURE, Doubt("not used: slowly", DoubtKind.UNUSED), "a.py:3 a comment mentions the name")
    edit = ReaderEdit(Done("", {}, ()), {}, {"a.py": "a = 1\nb = 2\n"}, {"a.py": "a = 1\nb = 3\n"}, marks)
    last = StandingEdit(SimpleNamespace(turn_id="t1"), edit, written)
    assert last.marks_of_amended({"a.py": after}) == [*marks[2 - kept : 2]]
    assert last.marks_of_amended({"a.py": after}, (FOLLOW_UP,)) == [marks[1]], "once is enough"


@pytest.mark.parametrize("path", ["a.py", "my tools/a.py"])
def test_what_is_doubtful_about_lines_stays_where_an_amendment_leaves_them(path):
    was, now = "a = 1\nb = 2\nc = 3\n", "a = 5\nb = 2\nc = 7\n"
    marks = (
        f"{path}:1 a may be a tuple",
        f"{path}:1, 3: a number was there",
        f"{path}:3 c is read elsewhere",
        "b.py:1 x",
    )
    last = StandingEdit(
        SimpleNamespace(turn_id="t1"), ReaderEdit(Done("", {}, ()), {}, {path: was}, {path: now}, marks)
    )
    kept = last.marks_of_amended({path: now.replace("7", "3")})
    assert kept == [marks[0], f"{path}:1: a number was there"]
    assert last.marks_of_amended({path: was}) == []


@pytest.mark.parametrize("left", [False, True])
def test_the_hunks_of_an_edit_do_not_wait_for_it_to_be_stored(tmp_path, left):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text("def add(qty):\n    return qty\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session = open_one(backend)
        turn = session.turns.follow("rename qty to amount", files=("cart.py",), stop=threading.Event())
        stored = session.journal.folder / "edits"
        next(event for event in turn if isinstance(event, events.HunkClosed))
        assert not stored.exists()
        turn.close() if left else list(turn)
        assert len(list(stored.iterdir())) == 1


@pytest.mark.parametrize("deleted", [False, True])
def test_a_written_edit_is_undone_in_files_that_changed_since(tmp_path, deleted):
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    path.write_text("def add(qty):\n    return qty\n\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({"undo that": "*** cart.py\n@@ cannot\n"})
        backend.small_window = (320, 300)
        session = open_one(backend)

        def say(words):
            return list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))

        say("rename qty to amount")
        for hunk in session.decisions.offered():
            session.decisions.decide(hunk.id, "accepted")
        session.changes.write()
        kept = "\ndef mine():\n    return 1\n"
        path.write_text(("" if deleted else path.read_text()) + kept)
        seen = say("undo that")
        assert [hunk.new_lines for hunk in session.decisions.offered()] == (
            [] if deleted else [("def add(qty):", "    return qty")]
        )
        assert not any(isinstance(event, events.Failed) for event in seen)


def test_it_is_said_where_a_written_edit_changed_since_and_the_model_is_not_asked(tmp_path):
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    path.write_text("def add(qty):\n    return qty\n\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session = open_one(backend)

        def say(words):
            return list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))

        say("rename qty to amount")
        for hunk in session.decisions.offered():
            session.decisions.decide(hunk.id, "accepted")
        session.changes.write()
        path.write_text(path.read_text().replace("return amount", "return amount + 1"))
        for _ in range(2):
            seen = say("undo that")
            said = "".join(event.text for event in seen if isinstance(event, events.Prose))
            assert "cart.py:1 changed in the same lines since. Take that change back first" in said
            assert not session.decisions.offered()


@pytest.mark.parametrize("shown", ["undo: ", "taken back: "])
@pytest.mark.parametrize("reopened", [False, True])
def test_each_undo_of_written_edits_goes_one_further_back(tmp_path, monkeypatch, reopened, shown):
    monkeypatch.setattr(taken_back, "UNDO", shown)
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    first = "LIMIT = 3\n\n\ndef add(qty):\n    return qty\n"
    path.write_text(first)
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session = open_one(backend)

        def write(words):
            nonlocal session
            if reopened:
                session.close()
                session = open_one(backend, session_id=session.id)
            seen = list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))
            for hunk in session.decisions.offered():
                session.decisions.decide(hunk.id, "accepted")
            if session.decisions.review.ids_in(("accepted",)):
                session.changes.write()
            return "".join(event.text for event in seen if isinstance(event, events.Prose)), path.read_text()

        second = write("rename qty to amount")[1]
        third = write("change LIMIT to 9")[1]
        assert len({first, second, third}) == 3
        assert write("undo that") == (f"→ {shown}change LIMIT to 9\n", second)
        assert write("undo") == (f"→ {shown}rename qty to amount\n", first)
        assert write("undo that") == ("There is no edit to take back.\n", first)
        fourth = write("change LIMIT to 5")[1]
        assert "5" in fourth
        assert write("undo that") == (f"→ {shown}change LIMIT to 5\n", first)
        assert write("undo that") == ("There is no edit to take back.\n", first)


def _written(session, path, words):
    """The text of a file after an edit by words was accepted and written."""
    list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    return path.read_text()


def test_a_key_undoes_what_words_left_and_redo_brings_back_what_they_took(tmp_path):
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    path.write_text("LIMIT = 3\n\n\ndef add(qty):\n    return qty\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session, texts = open_one(backend), [path.read_text()]
        for words in ("rename qty to amount", "change LIMIT to 9", "undo that"):
            texts.append(_written(session, path, words))
        assert texts[3] == texts[1]
        session.changes.redo()
        assert path.read_text() == texts[2]
        session.changes.redo()
        assert path.read_text() == texts[1]
        session.changes.undo()
        assert path.read_text() == texts[0]
        assert not session.changes.can_undo


def test_an_undo_of_a_session_that_kept_no_mark_of_it_is_known_by_what_it_showed(tmp_path):
    root, path = tmp_path / "tree", tmp_path / "tree" / "cart.py"
    root.mkdir()
    path.write_text("LIMIT = 3\n\n\ndef add(qty):\n    return qty\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session, texts = open_one(backend), [path.read_text()]
        for words in ("rename qty to amount", "change LIMIT to 9", "undo that", "undo"):
            texts.append(_written(session, path, words))
            session.close()
            for mark in session.journal.folder.glob("edits/*.undo"):
                mark.unlink()
            session = open_one(backend, session_id=session.id)
        assert texts[4] == texts[0] != texts[1]


@pytest.fixture
def renamed(tmp_path):
    """A session in which a rename was accepted and not written, and what speaks in it."""
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text("def add(qty):\n    return qty\n\n\ndef end():\n    pass\n")
    with open_sessions(root, tmp_path / "state") as open_one:
        backend = Scripted({})
        backend.small_window = (320, 300)
        session = open_one(backend)

        def say(words):
            seen = list(session.turns.follow(words, files=("cart.py",), stop=threading.Event()))
            return "".join(event.text for event in seen if isinstance(event, events.Prose))

        say("rename qty to amount")
        for hunk in session.decisions.offered():
            session.decisions.decide(hunk.id, "accepted")
        yield session, say, root / "cart.py"


@pytest.mark.parametrize("below", ["", "\n\ndef mine():\n    return 1\n"])
def test_an_edit_that_is_accepted_and_not_written_is_amended(renamed, below):
    session, say, path = renamed
    path.write_text(path.read_text() + below)
    say("no, call it number")
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert path.read_text() == "def add(number):\n    return number\n\n\ndef end():\n    pass\n" + below


@pytest.mark.parametrize("clashes", [False, True])
def test_an_edit_that_is_accepted_and_not_written_is_taken_back(renamed, clashes):
    session, say, path = renamed
    if clashes:
        path.write_text(path.read_text().replace("add(qty)", "add(qty, sku)"))
    assert "The last edit is taken back." in say("undo that")
    assert not session.decisions.offered()
    assert not session.decisions.review.ids_in(("accepted",))


def test_what_amends_an_edit_that_clashes_with_the_file_says_so_and_offers_nothing_else(renamed):
    session, say, path = renamed
    path.write_text(path.read_text().replace("add(qty)", "add(qty, sku)"))
    assert "The last edit cannot be changed: cart.py:1 changed in the same lines" in say("no, call it number")
    assert not session.decisions.offered()


def test_a_new_instruction_leaves_what_is_accepted_as_it_is(renamed):
    session, say, path = renamed
    say("rename end to finish")
    for hunk in session.decisions.offered():
        session.decisions.decide(hunk.id, "accepted")
    session.changes.write()
    assert path.read_text() == "def add(amount):\n    return amount\n\n\ndef finish():\n    pass\n"


@pytest.mark.parametrize("written", [False, True])
def test_a_choice_after_a_written_rename_says_the_name_that_the_files_have(tmp_path, written):
    done = Done("rename", {}, (Rename(Symbol("Cart.count", "cart.py"), NewName("size")),))
    last = StandingEdit(SimpleNamespace(), ReaderEdit(done, {}, {}, {}), written=written)
    base = Base(Repository(DictTree({})), last=last)
    assert base.as_written("rename Cart.total → count") == "rename Cart.total → count"
    name = "size" if written else "count"
    assert base.as_written("rename Cart.count → private") == f"rename Cart.{name} → private"
