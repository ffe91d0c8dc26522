"""What a person types is saved byte for byte, all or nothing, never over other text, and undone in one
step."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.fakes import FakeBackend
from support.git_command import git
from support.open_sessions import DEFAULTS
from support.scripted_backend import accept_and_write, run

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.edits.hunk_builder import rewrite
from spark_tui.errors import Misfit, NoBackend, NothingToDo, Refused, TreeChanged, UsageError
from spark_tui.session.tree.manual_edits import typed_hunks
from spark_tui.workspace.files import FileText, split_lines

CART = "shop/cart.py"
ANSWER = "*** shop/cart.py\n@@ 1,2\n+first\n"
ENDINGS = st.sampled_from([b"\n", b"\r\n", b"\r"])
WORDS = st.sampled_from(["a", "b", "", "x\x0cy", "p\u2028q", "n\x85m", "\t é ", "日本"])


@pytest.fixture
def session(open_in_shop):
    return open_in_shop(backend=FakeBackend([ANSWER]))


def bytes_of(repo):
    return (repo / CART).read_bytes()


def ask(session):
    return run(session.turn, "do it")


@st.composite
def files(draw):
    """Any text: mixed endings, separators inside lines, with and without a newline at its end."""
    lines = draw(st.lists(st.tuples(WORDS, ENDINGS), max_size=8))
    data = b"".join(word.encode() + ending for word, ending in lines)
    last = draw(st.sampled_from(["", "z"]))
    # A CR in front of an LF would be one ending: the text is what the reader makes of it.
    return FileText("f", data + last.encode())


@given(files(), st.data())
def test_any_lines_typed_over_any_file_are_what_it_then_says_and_other_bytes_stay(file, data):
    lines = list(file.lines) or [""]
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        end = data.draw(st.integers(at, min(at + 2, len(lines))))
        lines[at:end] = data.draw(st.lists(WORDS, max_size=3))
        lines = lines or [""]
    after = FileText("f", rewrite(file, typed_hunks(file, lines)))
    said = lines
    if not file.final_newline and said[-1] == "":
        # Without a newline at the end, an empty last line is one.
        said = said[:-1]
        assert after.final_newline == bool(said)
    elif file.lines:
        assert after.final_newline == file.final_newline
    assert list(after.lines) == said
    kept = list(zip(file.lines, file.raw, strict=True))
    for hunk in reversed(typed_hunks(file, lines)):
        del kept[hunk.old_start - 1 : hunk.old_end - 1]
    left = iter(split_lines(after.data))
    bare = [(text, raw) for text, raw in kept if raw.endswith((b"\n", b"\r"))]
    assert all(any(raw == line for line in left) for _, raw in bare)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=20)
@given(files())
def test_saving_what_was_not_changed_is_nothing(file):
    assert typed_hunks(file, list(file.lines) or [""]) == []


def test_what_was_typed_is_written_and_one_undo_takes_it_out_and_redo_brings_it_back(repo, session):
    before = bytes_of(repo)
    lines = list(session.manual_edits.begin(CART))
    lines[0] = "# mine"
    lines.append("# end")
    applied = session.manual_edits.save({CART: lines})
    assert (applied.paths, applied.hunks) == ((CART,), ())
    after = bytes_of(repo)
    assert after.startswith(b"# mine\n")
    assert after.endswith(b"# end\n")
    assert session.changes.undo().paths == (CART,)
    assert bytes_of(repo) == before
    session.changes.redo()
    assert bytes_of(repo) == after


def test_two_saves_are_two_steps_of_undo(repo, session):
    lines = list(session.manual_edits.begin(CART))
    lines[0] = "# one"
    session.manual_edits.save({CART: lines})
    once = bytes_of(repo)
    lines[0] = "# two"
    session.manual_edits.save({CART: lines})
    session.changes.undo()
    assert bytes_of(repo) == once


def test_several_files_are_saved_together(repo, session):
    texts = {path: ["# mine", *session.manual_edits.begin(path)] for path in (CART, "shop/orders.py")}
    assert set(session.manual_edits.save(texts).paths) == set(texts)
    session.changes.undo()
    assert git(repo, "status", "--porcelain") == ""


def test_a_save_merges_with_what_changed_elsewhere_and_refuses_in_the_same_lines(repo, session):
    lines = list(session.manual_edits.begin(CART))
    path = repo / CART
    path.write_bytes(path.read_bytes() + b"# theirs\n")
    session.manual_edits.save({CART: ["# mine", *lines[1:]]})
    assert bytes_of(repo).startswith(b"# mine\n")
    assert bytes_of(repo).endswith(b"# theirs\n")
    kept = session.manual_edits.rebase(CART, ["# mine", *lines[1:]])
    assert kept.base == kept.lines == ("# mine", *lines[1:], "# theirs")
    path.write_bytes(path.read_bytes().replace(b"# mine", b"# not mine"))
    before = bytes_of(repo)
    with pytest.raises(TreeChanged) as caught:
        session.manual_edits.save({CART: ["# mine again", *kept.lines[1:]]})
    assert caught.value.hint.startswith("Your text stays here, unsaved")
    assert session.manual_edits.rebase(CART, ["# mine again", *kept.lines[1:]]) is None
    assert bytes_of(repo) == before


def test_what_was_typed_in_a_file_that_is_deleted_is_saved_once_it_is_back(repo, session):
    typed = {CART: ["# mine", *session.manual_edits.begin(CART)]}
    text = bytes_of(repo)
    (repo / CART).unlink()
    with pytest.raises(TreeChanged, match="deleted or moved") as caught:
        session.manual_edits.save(typed)
    assert "bring the file back" in caught.value.hint
    (repo / CART).write_bytes(text)
    session.manual_edits.save(typed)
    assert bytes_of(repo) == b"# mine\n" + text


def test_a_file_that_was_empty_for_a_moment_is_not_taken_for_typed_text(repo, session):
    lines, text = session.manual_edits.begin(CART), bytes_of(repo)
    (repo / CART).write_bytes(b"")
    assert session.manual_edits.rebase(CART, lines).lines == ()
    (repo / CART).write_bytes(text)
    # The editor of an empty file has one line to stand on.
    assert session.manual_edits.rebase(CART, [""]).lines == tuple(lines)


def test_hunks_of_the_model_are_written_beside_what_was_saved(repo, session):
    ask(session)
    lines = list(session.manual_edits.begin(CART))
    session.manual_edits.save({CART: [*lines, "# mine"]})
    accept_and_write(session)
    assert bytes_of(repo).startswith(b"first\n")
    assert bytes_of(repo).endswith(b"# mine\n")
    session.changes.undo()
    assert bytes_of(repo).endswith(b"# mine\n")
    assert not bytes_of(repo).startswith(b"first\n")


def test_writing_the_models_hunks_does_not_save_what_was_typed(repo, session):
    ask(session)
    lines = list(session.manual_edits.begin(CART))
    accept_and_write(session)
    typed = [*lines, "# mine"]
    assert b"# mine" not in bytes_of(repo)
    kept = session.manual_edits.rebase(CART, typed)
    assert kept.lines[0] == "first"
    assert kept.lines[-1] == "# mine"
    session.manual_edits.save({CART: kept.lines})
    assert bytes_of(repo).startswith(b"first\n")
    assert bytes_of(repo).endswith(b"# mine\n")


def test_a_save_is_in_the_journal_and_can_be_undone_by_the_next_process(repo, session, open_in_shop):
    before = bytes_of(repo)
    ask(session)
    session.manual_edits.save({CART: ["# mine", *session.manual_edits.begin(CART)]})
    session.close()
    assert open_in_shop(session_id=session.id).changes.undo().paths == (CART,)
    assert bytes_of(repo) == before


def test_a_save_is_committed_with_what_was_written(repo, session):
    session.manual_edits.save({CART: ["# mine", *session.manual_edits.begin(CART)]})
    (repo / "shop" / "orders.py").write_text("dirty\n")
    session.changes.commit("Say whose it is")
    assert git(repo, "show", "--format=", "--name-only", "HEAD").split() == [CART]


def test_what_cannot_be_saved_is_refused_and_nothing_is_written(repo, session):
    (repo / "old.py").write_bytes("# caf\xe9\n".encode("latin-1"))
    lines = session.manual_edits.begin("old.py")
    with pytest.raises(Misfit):
        session.manual_edits.save({"old.py": [*lines, "日本"]})
    assert (repo / "old.py").read_bytes() == "# caf\xe9\n".encode("latin-1")
    with pytest.raises(NothingToDo):
        session.manual_edits.save({"old.py": lines})
    with pytest.raises(UsageError):
        session.manual_edits.save({CART: ["x"]})
    with pytest.raises(Misfit):
        session.manual_edits.begin("shop/nowhere.py")
    with pytest.raises(Refused):
        session.manual_edits.begin("../outside.py")


def test_a_newline_at_the_end_is_put_there_by_an_empty_last_line(repo, session):
    (repo / "bare.txt").write_bytes(b"a\nb")
    session.manual_edits.begin("bare.txt")
    session.manual_edits.save({"bare.txt": ["a", "b", ""]})
    assert (repo / "bare.txt").read_bytes() == b"a\nb\n"
    kept = session.manual_edits.rebase("bare.txt", ["a", "b", ""])
    assert kept.base == kept.lines == ("a", "b")


def test_a_save_is_an_event_like_every_write(repo, session):
    applied = session.manual_edits.save({CART: ["# mine", *session.manual_edits.begin(CART)]})
    assert events.from_dict(events.to_dict(applied)) == applied


class Ghostly(FakeBackend):
    """Fills in with one text, or fails at it."""

    fills_from = 0.5

    def __init__(self, text):
        super().__init__([])
        self.text, self.asked = text, 0

    def stream(self, request, stop):
        assert request.kind == "fill"
        self.asked += 1
        if not self.text:
            raise NoBackend("it has no such endpoint")
        yield events.Token(1, self.text)


@pytest.fixture
def ghost_of(open_in_shop):
    """What is filled in where it is asked for twice."""

    def ghost_of(backend, settings=DEFAULTS, stopped=False, path="shop/cart.py"):
        session, stop = open_in_shop(backend=backend, settings=settings), threading.Event()
        if stopped:
            stop.set()
        return [session.ghost.fill(path, ["    ret"], 0, 7, stop=stop) for _ in range(2)]

    return ghost_of


def test_the_rest_of_a_line_comes_from_the_sessions_own_backend(ghost_of):
    assert ghost_of(Ghostly("urn x\nmore")) == ["urn x"] * 2


def test_a_name_of_the_file_is_completed_without_a_model(session):
    lines = ["total = 1", "use(total)", "x = tot"]
    assert session.ghost.fill("shop/cart.py", lines, 2, 7, stop=threading.Event()) == "al"
    assert session.ghost.fill("shop/cart.md", lines, 2, 7, stop=threading.Event()) == ""


def test_ghost_text_that_came_too_late_or_is_not_wanted_is_none(ghost_of):
    assert ghost_of(Ghostly("urn x"), stopped=True) == [""] * 2
    backend = Ghostly("urn x")
    assert ghost_of(backend, Settings(ghost=False)) == [""] * 2
    assert backend.asked == 0
    assert ghost_of(FakeBackend([])) == [""] * 2


def test_a_file_that_is_shown_only_where_it_is_named_has_no_ghost_text(repo, ghost_of):
    (repo / ".sparkignore").write_text("*.gen.py\n")
    (repo / ".env").write_text("KEY=1\n")
    (repo / "settings.txt").symlink_to(".env")
    backend = Ghostly("urn x")
    for path in (".env", "settings.txt", "shop/a.gen.py"):
        assert ghost_of(backend, path=path) == [""] * 2
    assert backend.asked == 0
    assert ghost_of(backend, path="README.md") == ["urn x"] * 2


def test_a_backend_that_fails_at_it_is_asked_once(ghost_of):
    backend = Ghostly("")
    assert ghost_of(backend) == [""] * 2
    assert backend.asked == 1
