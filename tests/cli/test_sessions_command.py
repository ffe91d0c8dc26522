"""`spark sessions`, and going on with one by `spark exec --resume`."""

import json
import subprocess
import sys

import pytest
from support.git_command import git

from spark_tui.backends import recording
from spark_tui.backends.base import MAP_PATH
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.config import paths
from spark_tui.errors import ExitCode
from spark_tui.events import Doubt, Token
from spark_tui.session.storage.journal import ChecksummedFile
from spark_tui.session.storage.turn_storage import stored_turns

TEXT = "*** shop/cart.py\n@@ 1,1\n+a\n\n@@ 3,3\n+b\n\n@@ 4,4\n+c\n"


@pytest.fixture
def spark(run):
    return lambda *words: run(*words, *(("--pace", "unlimited") if words[0] == "exec" else ()))


@pytest.fixture
def played(tmp_path):
    pieces = tuple(TimedText(0.0, TEXT[at : at + 4]) for at in range(0, len(TEXT), 4))
    (tmp_path / "r").write_text(recording.dump(Recording("r", "anything", "lines", pieces)))
    return ["--replay", str(tmp_path / "r")]


def stopped(spark, played):
    """A session that was cut off in the middle; its id."""
    code, _, err = spark("exec", "anything", *played, "--max-tokens", "9")
    assert code == ExitCode.INTERRUPTED
    session_id, *flags = err.split("--resume ")[1].split()
    assert flags == played  # what it says works as it stands
    return session_id


def test_last_names_the_newest_in_every_verb(spark, played):
    stopped(spark, played)
    newest = stopped(spark, played)
    assert spark("sessions", "export", "last", "--as", "json")[1].count(f'"id": "{newest}"') == 1
    assert spark("sessions", "rename", "last", "the second")[0] == 0
    assert "# the second" in spark("sessions", "show", newest)[1]


def test_a_session_is_resumed_in_the_workbench_where_there_is_a_terminal(spark, played, repo, monkeypatch):
    session_id = stopped(spark, played)
    code, _, err = spark("sessions", "resume", "last")
    assert code == ExitCode.NO_PLACE
    assert f"spark exec --resume {session_id}" in err
    became = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("os.execv", lambda _, words: became.append(words))
    spark("sessions", "resume", "last")
    assert became[0][-5:-1] == ["-C", str(repo), "--session", session_id]


def test_a_stopped_turn_goes_on_and_reads_as_if_it_had_never_been_stopped(spark, played, repo):
    _, whole, _ = spark("exec", "anything", "--json", *played)
    session_id = stopped(spark, played)
    code, again, _ = spark("exec", "--resume", session_id, "--json", *played)
    assert code == 0

    def plain(text):
        rows = [json.loads(line) for line in text.splitlines()]
        skipped = ("TurnStarted", "Finished")
        return [row for row in rows if row["type"] not in skipped]

    assert plain(again) == plain(whole)
    assert git(repo, "status", "--porcelain") == ""


def test_a_doubt_about_a_hunk_that_had_closed_before_the_stop_is_said_beside_the_patch(
    spark, repo, monkeypatch
):
    class Doubting:
        name, window = "doubting", 4096

        def format_for(self, request):
            return "lines"

        def stream(self, request, stop):
            for number, piece in enumerate(("*** shop/cart.py\n@@ 1,1\n+a\n", "\n", "@@ 3,3\n+b\n\n")):
                if number == 1 and not request.emitted:
                    yield Doubt(1, 0.1, "unsure")
                if len(request.emitted) <= number < len(request.emitted) + request.max_tokens:
                    yield Token(number, piece)

        def count_tokens(self, text):
            return len(text)

        def close(self):
            pass

    monkeypatch.setattr("spark_tui.session.session_opener.create_backend", lambda *_, **__: Doubting())
    _, _, err = spark("exec", "anything", "-f", "shop/cart.py", "--max-tokens", "2")
    assert "shop/cart.py:1: check this hunk: unsure" in err
    code, _, err = spark("exec", "--resume", "last")
    assert code == 0
    assert "shop/cart.py:1: check this hunk: unsure" in err


@pytest.mark.parametrize("name", ["last", "turn", "start"])
def test_a_session_is_named_in_several_ways_and_applied(spark, played, repo, name):
    session_id = stopped(spark, played)
    names = {"last": "last", "turn": f"{session_id}-1", "start": session_id[:9]}
    code, _, _ = spark("exec", "--resume", names[name], "--apply", *played)
    assert code == 0
    assert [line for line in git(repo, "diff").splitlines() if line in ("+a", "+b", "+c")] == [
        "+a",
        "+b",
        "+c",
    ]


def test_an_instruction_steers_a_stopped_turn_and_follows_an_ended_one(spark, played):
    session_id = stopped(spark, played)
    _, out, _ = spark("exec", "--resume", session_id, "no, anything", "--json", *played)
    types = [json.loads(line)["type"] for line in out.splitlines()]
    assert types.count("TurnStarted") == 1
    assert "Steered" in types
    _, out, _ = spark("exec", "--resume", session_id, "anything", "--json", *played)
    started = json.loads(out.splitlines()[0])
    assert started["turn_id"] == f"{session_id}-2"


def files_of(repo):
    """What the last request of the newest session showed the model."""
    (folder,) = paths.repository_state_dir(repo).glob("sessions/*")
    return [
        part.path
        for part in list(stored_turns(folder).values())[-1].requests[-1].files
        if part.path != MAP_PATH
    ]


def test_what_follows_an_ended_turn_is_about_its_files_unless_it_names_others(spark, played, repo):
    spark("exec", "put a first in @shop/cart.py and @shop/cli.py", *played)
    spark("exec", "--resume", "last", "now put @property there", *played)
    assert files_of(repo) == ["shop/cart.py", "shop/cli.py"]
    spark("exec", "--resume", "last", "put it in @shop/report.py", *played)
    assert files_of(repo) == ["shop/report.py"]
    spark("exec", "--resume", "last", "once more", "-f", "shop/cart.py", *played)
    assert files_of(repo) == ["shop/cart.py"]
    spark("exec", "--resume", "last", "once more", *played)
    assert files_of(repo) == ["shop/cart.py"]


def test_a_stopped_turn_takes_no_other_files(spark, played):
    stopped(spark, played)
    code, _, err = spark("exec", "--resume", "last", "no, anything", "-f", "shop/cart.py", *played)
    assert code == ExitCode.MALFORMED
    assert "a resumed turn keeps its files" in err


def test_a_turn_that_broke_before_a_word_came_is_asked_again(spark, played):
    code, _, _ = spark("exec", "anything", "-f", "shop/cart.py", "--connect", "http://127.0.0.1:9/v1")
    assert code == ExitCode.NO_BACKEND
    code, out, _ = spark("exec", "--resume", "last", *played)
    assert code == 0
    assert "+a" in out
    assert "1 turn" not in spark("sessions")[1]


def test_a_resume_of_what_came_to_its_end_says_so(spark, tmp_path):
    (tmp_path / "r").write_text(recording.dump(Recording("r", "x", "lines", (TimedText(0.0, "Well.\n"),))))
    again = ["--replay", str(tmp_path / "r")]
    assert spark("exec", "x", *again)[2].endswith("the answer is text without an edit\n")
    code, _, err = spark("exec", "--resume", "last", *again)
    assert code == ExitCode.NOTHING
    assert "nothing to resume" in err


def test_no_session_is_named_last_and_no_name_is_no_session(spark, played):
    stopped(spark, played)
    assert spark("sessions", "rename", "last", "last")[0] == ExitCode.MALFORMED
    assert spark("sessions", "delete", "", "--yes")[0] == ExitCode.MALFORMED
    assert spark("sessions")[0] == 0


def test_an_ended_turn_that_nobody_decided_about_can_still_be_applied(spark, played, repo):
    spark("exec", "anything", *played)
    assert spark("exec", "--resume", "last", "--apply", *played)[0] == 0
    assert "+a" in git(repo, "diff")


def test_what_could_not_be_written_is_offered_again(spark, played, repo):
    cart = repo / "shop" / "cart.py"
    before = cart.read_bytes()
    stopped(spark, played)
    cart.write_bytes(b"".join(b"# mine\n" for _ in before.split(b"\n")))
    assert spark("exec", "--resume", "last", "--apply", *played)[0] == ExitCode.CHANGED
    _, _, err = spark("exec", "--resume", "last", "--apply", *played)
    assert "the file changed on disk" in err
    cart.write_bytes(before)
    code, _, err = spark("exec", "--resume", "last", "--apply", *played)
    assert code == 0 and "3 hunks written to shop/cart.py" in err
    assert spark("exec", "--resume", "last", "--apply", *played)[0] == ExitCode.NOTHING


def test_what_cannot_be_written_is_not_in_the_way_of_the_next_turn(spark, played, repo):
    cart = repo / "shop" / "cart.py"
    stopped(spark, played)
    cart.write_bytes(b"# mine\n" * 100)
    assert spark("exec", "--resume", "last", "--apply", *played)[0] == ExitCode.CHANGED
    code, _, _ = spark("exec", "--resume", "last", "once more", "--apply", *played)
    assert (code, cart.read_bytes().count(b"# mine")) == (0, 100)


def test_a_commit_holds_the_edit_and_nothing_else(spark, played, repo):
    (repo / "README.md").write_text("dirty\n")
    assert spark("exec", "put a first", "--commit", *played)[0] == 0
    assert git(repo, "show", "--name-only", "--format=%s", "HEAD").split() == [
        "Put",
        "a",
        "first",
        "shop/cart.py",
    ]
    assert git(repo, "status", "--porcelain").strip() == "M README.md"
    code, _, err = spark("exec", "x", "-m", "words", *played)
    assert code == ExitCode.MALFORMED
    assert "--commit" in err


def test_a_session_that_does_not_exist_is_said(spark, played):
    code, _, err = spark("exec", "--resume", "nope", *played)
    assert code == ExitCode.MALFORMED
    assert "no session 'nope'" in err


def test_listing_searching_renaming_forking_exporting_deleting(spark, played, tmp_path, repo):
    code, out, err = spark("sessions")
    assert (code, out) == (0, "") and "no sessions" in err
    spark("exec", "anything at all", *played)
    code, out, _ = spark("sessions")
    assert code == 0
    session_id = out.split()[0]
    assert out.endswith("anything at all\n")
    assert json.loads(spark("sessions", "list", "--json")[1])["id"] == session_id
    assert json.loads(spark("sessions", "--json")[1])["id"] == session_id
    assert spark("sessions", "-C", str(repo / "shop"), "search", "cart.py")[0] == 0
    assert spark("sessions", "search", "poem")[0] == ExitCode.NOTHING
    assert spark("sessions", "rename", session_id, "the\ncart")[0] == 0
    assert spark("sessions")[1].endswith("the cart\n")
    _, fork, _ = spark("sessions", "fork", "the cart")
    assert len(spark("sessions")[1].splitlines()) == 2
    assert "+a" in spark("sessions", "show", fork.strip())[1]
    exported = json.loads(spark("sessions", "export", session_id, "--as", "json")[1])
    assert exported["turns"][0]["events"][0]["type"] == "TurnStarted"
    target = tmp_path / "x.jsonl"
    assert spark("sessions", "export", session_id, "--as", "recording", "-o", str(target))[0] == 0
    assert recording.load(target).text == TEXT
    assert spark("sessions", "export", session_id, "-o", str(target))[0] == ExitCode.REFUSED
    assert spark("sessions", "delete", session_id, "--yes")[0] == 0
    assert spark("sessions")[1].split()[0] == fork.strip()


def test_the_oldest_are_pruned_and_what_has_a_name_or_is_open_stays(spark, played, repo):
    ids = [stopped(spark, played) for _ in range(5)]
    assert spark("sessions", "prune", "--yes")[0] == ExitCode.MALFORMED
    assert spark("sessions", "prune", "--max-count", "5", "--max-age", "1d", "--yes")[0] == ExitCode.NOTHING
    assert spark("sessions", "prune", "--max-count", "2")[0] == ExitCode.MALFORMED, "nobody can be asked"
    spark("sessions", "rename", ids[0], "dear")
    folder = paths.repository_state_dir(repo) / "sessions" / ids[1]
    held = ChecksummedFile(folder / "journal.jsonl")
    code, out, _ = spark("sessions", "prune", "--max-count", "2", "--yes")
    held.close()
    assert (code, out) == (0, "1 of 5 sessions deleted\n")
    assert {json.loads(line)["id"] for line in spark("sessions", "--json")[1].splitlines()} == {
        *ids[:2],
        *ids[3:],
    }
    assert spark("sessions", "prune", "--max-age", "0s", "--yes")[1] == "3 of 4 sessions deleted\n"
    assert [json.loads(line)["name"] for line in spark("sessions", "--json")[1].splitlines()] == ["dear"]


def test_nothing_in_a_list_is_obeyed_by_a_terminal(spark, played):
    spark("exec", "anything \x1b[31m red \u202e all", *played)
    out = spark("sessions")[1]
    assert "\x1b" not in out
    assert "\u202e" not in out


def test_two_sparks_at_once_in_one_repository_both_do_their_work(repo, tmp_path, played):
    def piece(path, text):
        pieces = tuple(TimedText(0.02 * n, ch) for n, ch in enumerate(f"*** {path}\n@@ 1,1\n+# {text}\n"))
        file = tmp_path / f"{text}.jsonl"
        file.write_text(recording.dump(Recording(text, "x", "lines", pieces)))
        return ["--replay", str(file), "--pace", "recorded"]

    jobs = [
        subprocess.Popen(
            [sys.executable, "-m", "spark_tui", "exec", "x", "--apply", *piece(path, text)],
            cwd=repo,
            stderr=subprocess.PIPE,
            text=True,
        )
        for path, text in [("shop/cart.py", "one"), ("shop/cart.py", "two"), ("shop/orders.py", "three")]
    ]
    codes, said = [], []
    for job in jobs:
        said.append(job.communicate(timeout=120)[1])
        codes.append(job.returncode)
    text = (repo / "shop" / "cart.py").read_text()
    # Both write before line 1: the later one merges, or is refused and writes nothing.
    for code, word in zip(codes, ("# one\n", "# two\n"), strict=False):
        assert (code == 0) == (word in text), said
        assert code in (0, ExitCode.CHANGED)
    assert codes[2] == 0
    assert (repo / "shop" / "orders.py").read_text().startswith("# three\n")
    state = paths.repository_state_dir(repo)
    assert len(list((state / "sessions").glob("*/journal.jsonl"))) == 3
