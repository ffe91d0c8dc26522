"""`spark exec`: patches, JSON lines, exit codes."""

import json
import os
import signal
import subprocess
import sys

import jsonschema
import pytest
from support.git_command import git

from spark_tui import events
from spark_tui.backends import recording
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.cli import main
from spark_tui.cli.event_schema import event_schema
from spark_tui.config import paths
from spark_tui.errors import ExitCode
from spark_tui.session import journal

GUARD = "raise ValueError in `add` when the quantity is below 1"


@pytest.fixture
def spark(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)

    def spark(*words, replay=None, pace="unlimited"):
        source = ["--replay", str(replay or paths.recordings_dir()), "--pace", pace]
        code = main.main([*words, *source])
        out, err = capsys.readouterr()
        return code, out, err

    return spark


def keep(path, text, format="lines"):
    pieces = tuple(TimedText(0.0, ch) for ch in text)
    path.write_text(recording.dump(Recording("r", "anything", format, pieces)))
    return path


def test_it_prints_a_patch_that_git_applies_and_changes_nothing(spark, repo, tmp_path):
    code, out, _ = spark("exec", GUARD)
    assert code == 0
    assert git(repo, "status", "--porcelain") == ""
    (tmp_path / "p").write_text(out)
    git(repo, "apply", str(tmp_path / "p"))
    assert "raise ValueError" in (repo / "shop" / "cart.py").read_text()


def test_apply_writes_exactly_what_the_patch_said(spark, repo, tmp_path):
    _, out, _ = spark("exec", GUARD)
    code, said, _ = spark("exec", GUARD, "--apply")
    assert (code, said) == (0, "")
    # Git names the surrounding class behind the second @@; the lines are what counts.
    assert git(repo, "diff").splitlines()[5:] == out.splitlines()[4:]


@pytest.mark.parametrize("name", [r.stem for r in sorted(paths.recordings_dir().glob("*.jsonl"))])
def test_every_line_of_json_is_valid_against_the_schema(spark, name):
    file = paths.recordings_dir() / f"{name}.jsonl"
    code, out, _ = spark("exec", "--json", recording.load(file).instruction, replay=file)
    validator = jsonschema.Draft202012Validator(event_schema())
    lines = [json.loads(line) for line in out.splitlines()]
    for line in lines:
        validator.validate(line)
    assert lines[0]["type"] == "TurnStarted"
    assert lines[-1]["type"] == "Finished"
    assert code in (ExitCode.DONE, ExitCode.NOTHING, ExitCode.MISFIT)


def test_json_with_apply_ends_with_what_was_written(spark):
    _, out, _ = spark("exec", "--json", "--apply", GUARD)
    last = json.loads(out.splitlines()[-1])
    assert last["type"] == "Applied"
    assert last["paths"] == ["shop/cart.py"]


def test_a_doubt_is_said_beside_the_patch_and_beside_what_was_written(spark, repo, monkeypatch):
    class Doubting:
        name, window = "doubting", 8192

        def format_for(self, request):
            return "lines"

        def stream(self, request, stop):
            first = (repo / "shop" / "cart.py").read_text().splitlines()[0]
            for number, ch in enumerate(f"*** shop/cart.py\n@@ 1,2\n+{first} #\n\n"):
                yield events.Token(number, ch)
            yield events.Doubt(1, 0.1, "the model was unsure")

        def count_tokens(self, text):
            return len(text)

        def close(self):
            pass

    monkeypatch.setattr("spark_tui.session.session_opener.create_backend", lambda *_, **__: Doubting())
    words = ["exec", "x", "-f", "shop/cart.py"]
    code, out, err = spark(*words)
    assert (code, err) == (0, "spark: shop/cart.py:1: check this hunk: the model was unsure\n")
    assert out.startswith("diff --git")
    code, out, err = spark(*words, "--json")
    assert err == "" and '"Doubt"' in out
    code, out, err = spark(*words, "--apply")
    assert err.startswith("spark: shop/cart.py:1: check this hunk")
    back = err.splitlines()[-1].split("spark ")[1].split()
    assert back[:2] == ["checkpoints", "restore"]
    assert git(repo, "status", "--porcelain") != ""
    assert main.main(back) == 0
    assert git(repo, "status", "--porcelain") == ""


def test_what_cannot_be_committed_is_not_written_either(spark, repo, tmp_path, monkeypatch):
    (repo / ".git" / "MERGE_HEAD").write_text(git(repo, "rev-parse", "HEAD"))
    code, _, err = spark("exec", GUARD, "--commit")
    assert code == ExitCode.REFUSED and "merge is in progress" in err
    (repo / ".git" / "MERGE_HEAD").unlink()
    assert git(repo, "status", "--porcelain") == ""
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "a.py").write_text("a\n")
    monkeypatch.chdir(bare)
    code, _, err = spark(
        "exec", "x", "-f", "a.py", "--commit", replay=keep(tmp_path / "r", "*** a.py\n@@ 1,2\n+b\n")
    )
    assert code == ExitCode.NO_PLACE and "--apply" in err
    assert (bare / "a.py").read_text() == "a\n"


def test_a_part_of_a_file_that_is_not_committed_is_not_written_for_a_commit(spark, repo, tmp_path):
    file = keep(tmp_path / "r", "*** new.py\n@@ 1,2\n+b\n")
    (repo / "new.py").write_text("a\nc\n")
    code, _, err = spark("exec", "x", "-f", "new.py", "--commit", replay=file)
    assert code == ExitCode.REFUSED and "new.py: this file is not committed yet" in err
    assert (repo / "new.py").read_text() == "a\nc\n"
    git(repo, "add", "new.py")
    git(repo, "commit", "-qm", "new")
    (repo / "new.py").write_text("A\nc\n")
    code, _, err = spark("exec", "x", "-f", "new.py", "--commit", replay=file)
    assert code == ExitCode.CHANGED and "uncommitted" in err
    assert (repo / "new.py").read_text() == "A\nc\n"
    git(repo, "checkout", "-q", ".")
    code, _, err = spark("exec", "x", "-f", "new.py", "--commit", replay=file)
    assert (code, git(repo, "show", "HEAD:new.py")) == (0, "b\nc\n")


def test_whoever_reads_the_events_and_goes_away_stops_the_turn(repo, tmp_path):
    file = keep(tmp_path / "r", "*** shop/cart.py\n@@ 1,2\n+one\n" + "\n# more\n" * 150)
    spark = [
        sys.executable,
        "-m",
        "spark_tui",
        "exec",
        "x",
        "--json",
        "--apply",
        "--replay",
        str(file),
        "--pace",
        "off",
    ]
    with subprocess.Popen(spark, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert "TurnStarted" in run.stdout.readline()
        run.stdout.close()
        err = run.stderr.read()
        assert run.wait(60) == ExitCode.INTERRUPTED
    assert err.count("\n") == 1 and "nothing was written; to resume: spark exec --resume 2" in err
    assert git(repo, "status", "--porcelain") == ""
    again = [*spark[:4], "--resume", "last", "--json", *spark[-4:]]
    done = subprocess.run(again, cwd=repo, capture_output=True, text=True, timeout=60, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and rows[-1]["reason"] == "stop"
    assert sum(len(row["text"]) for row in rows if row["type"] == "Token") == len(recording.load(file).text)


def test_a_turn_is_not_gone_on_with_by_another_model(spark, tmp_path, capsys):
    file = keep(tmp_path / "r", "# words\n" * 100)
    code, _, _ = spark("exec", "x", "-f", "shop/cart.py", "--max-tokens", "50", replay=file)
    assert code == ExitCode.INTERRUPTED
    assert main.main(["exec", "--resume", "last", "--json"]) == ExitCode.MALFORMED
    out, err = capsys.readouterr()
    assert out == "" and "was written by replay r, but spark-6m is in use" in err
    _, out, _ = spark("exec", "--resume", "last", "--json", replay=file)
    assert out.count('"Token"') == 800


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_that_is_none_is_refused(spark, seconds, capsys):
    with pytest.raises(SystemExit) as caught:
        spark("exec", GUARD, "--timeout", seconds)
    assert caught.value.code == ExitCode.MALFORMED
    assert (
        capsys.readouterr()
        .err.rstrip()
        .endswith("'soon' is not a number of seconds" if seconds == "soon" else "above 0")
    )


def ran(repo, tmp_path, *words, text="*** shop/cart.py\n@@ 1,2\n+x\n", close=(), **kwargs):
    """In a process of its own, where streams are what the shell made them."""
    file = keep(tmp_path / "r", text)
    spark = [sys.executable, "-m", "spark_tui", *words, "--replay", str(file), "--pace", "unlimited"]

    def shut():
        for fd in close:
            os.close(fd)

    pipe = subprocess.PIPE
    done = subprocess.run(spark, cwd=repo, stdout=pipe, stderr=pipe, preexec_fn=shut, check=False, **kwargs)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("close", [(0,), (1,), (2,), (0, 1, 2)])
def test_streams_that_are_closed_are_no_reason_to_fail_or_to_write_into_a_journal(repo, tmp_path, close):
    words = ("exec", "--apply") if close != (0,) else ("exec",)
    code, _, err = ran(repo, tmp_path, *words, *([] if close == (0,) else ["anything"]), close=close)
    assert b"Traceback" not in err
    assert code == (ExitCode.MALFORMED if close == (0,) else ExitCode.DONE)
    assert (git(repo, "diff", "--stat") == "") is (close == (0,))
    kept = [
        list(journal.read(path)) for path in paths.state_dir().glob("repositories/*/sessions/*/journal.jsonl")
    ]
    assert [bool(entries) for entries in kept] == ([] if close == (0,) else [True])


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii:strict", "latin-1"])
def test_a_patch_has_the_bytes_of_the_file_whatever_the_locale_says(repo, tmp_path, encoding):
    (repo / "old.py").write_bytes("# caf\xe9 \u2603\n".encode("utf-8") + b"# caf\xe9\na = 1\n")
    text = "*** old.py\n@@ 3,4\n+a = 2\n"
    code, out, err = ran(
        repo, tmp_path, "exec", "x", text=text, env={**os.environ, "PYTHONIOENCODING": encoding}
    )
    assert (code, err) == (0, b"")
    subprocess.run(["git", "apply"], cwd=repo, input=out, check=True)
    assert (repo / "old.py").read_bytes().endswith(b"# caf\xe9\na = 2\n")


def test_bytes_that_are_no_text_are_an_instruction_like_any_other(repo, tmp_path):
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    code, out, _ = ran(repo, tmp_path, "exec", "--json", input=b"do \xff it", env=strict)
    assert code == 0
    assert json.loads(out.splitlines()[0])["prompt"] == "do \udcff it"


def test_nothing_in_words_is_obeyed_by_a_terminal(spark, tmp_path, repo):
    (repo / "a\x1b[2Jb.py").write_text("x\n")
    text = "Look \x1b]0;title\x07 here\n*** a\x1b[2Jb.py\n@@ 1,2\n+y\n"
    code, _, err = spark("exec", "x", "--apply", replay=keep(tmp_path / "r", text))
    assert code == 0
    assert "\x1b" not in err and "\\x1b]0;title" in err and "\\x1b[2Jb.py" in err


def test_the_schema_is_printed(spark):
    code, out, _ = spark("exec", "--schema")
    assert code == 0
    assert json.loads(out) == event_schema()


def test_an_instruction_from_standard_input(spark, monkeypatch, tmp_path):
    (tmp_path / "in").write_text(GUARD)
    with (tmp_path / "in").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert spark("exec", "-")[0] == 0
    with (tmp_path / "in").open("w+") as file:
        monkeypatch.setattr(sys, "stdin", file)
        code, _, err = spark("exec")
    assert code == ExitCode.MALFORMED
    assert "standard input is empty" in err


def test_an_edit_that_has_no_place_writes_nothing_and_says_which_line_differs(spark, repo, tmp_path):
    wrong = (
        "shop/cart.py\n<<<<<<< SEARCH\n    def add(self, sku, qty=1):\n        thing = 1\n=======\nx\n>>>>>>>"
        " REPLACE\n"
    )
    code, out, err = spark("exec", "x", "--apply", replay=keep(tmp_path / "r", wrong, "search_replace"))
    assert code == ExitCode.MISFIT
    assert "thing = 1" in err
    assert git(repo, "status", "--porcelain") == ""
    assert out == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["exec", "write me a poem about ducks"], ExitCode.NO_BACKEND, "no recording matches"),
        (["exec", " "], ExitCode.MALFORMED, "there is no instruction"),
        (["exec", "x", "-f", "nope.py"], ExitCode.MALFORMED, "no such file"),
        (
            ["exec", "x", "-f", "shop/crt.py"],
            ExitCode.MALFORMED,
            "shop/crt.py: no such file (did you mean shop/cart.py?)",
        ),
        (["exec", "x", "-f", "/etc/passwd"], ExitCode.REFUSED, "outside the working tree"),
        (["exec", "x", "--format", "emacs"], ExitCode.MALFORMED, "Choose one of"),
        (["exec", "x", "--max-tokens", "0"], ExitCode.MALFORMED, "at least 1"),
    ],
)
def test_mistakes_are_told_apart(spark, words, code, said):
    assert spark(*words)[0] == code
    # The same again for the words: capsys is emptied by the first call.
    assert said in spark(*words)[2]


def test_a_prose_answer_is_nothing_to_do(spark, tmp_path):
    code, out, err = spark("exec", "x", replay=keep(tmp_path / "r", "I cannot do that.\n", "search_replace"))
    assert (code, out) == (ExitCode.NOTHING, "")
    assert "I cannot do that." in err
    assert err.endswith("spark: the answer is text without an edit\n")


def test_code_without_a_file_is_called_code_without_a_place(spark, tmp_path):
    recorded = keep(tmp_path / "r", "Like this:\n\n```python\nx = 2\n```\n", "search_replace")
    code, out, err = spark("exec", "x", replay=recorded)
    assert (code, out) == (ExitCode.NOTHING, "")
    assert "code that spark could not place" in err
    assert "nothing to change" not in err


@pytest.mark.parametrize(
    ("verdict", "said"), [("cannot", "it cannot do this"), ("no-edit", "nothing to change")]
)
def test_a_verdict_is_a_sentence_and_not_its_marker(spark, tmp_path, verdict, said):
    code, out, err = spark("exec", "x", replay=keep(tmp_path / "r", f"*** shop/cart.py\n@@ {verdict}\n"))
    assert (code, out) == (ExitCode.NOTHING, "")
    assert said in err
    assert "@@" not in err


def test_prose_on_stderr_has_no_gaps_and_no_message_in_its_line(spark, tmp_path):
    hunks = ["*** shop/cart.py\n@@ 1,1\n+# a\n", "*** shop/cli.py\n@@ 1,1\n+# b\n"]
    recorded = keep(tmp_path / "r", f"I begin.\n\n  More.\n{hunks[0]}\n\n\n{hunks[1]}\n\nDone, all of it.")
    code, _, err = spark("exec", "x", replay=recorded)
    assert (code, err) == (0, "I begin.\n\n  More.\nDone, all of it.\n")
    code, _, err = spark("exec", "x", "--max-tokens", "4", replay=recorded)
    assert code == ExitCode.INTERRUPTED
    assert err.startswith("I be\nspark: the answer reached its token limit")


def test_a_time_limit_stops_and_writes_nothing(spark, repo, tmp_path):
    slow = Recording(
        "r", "x", "lines", (TimedText(0.0, "*** shop/cart.py\n@@ 1,1\n+a\n@@ 2,2\n+b"), TimedText(900.0, "x"))
    )
    (tmp_path / "r").write_text(recording.dump(slow))
    code, _, err = spark("exec", "x", "--apply", "--timeout", "0.3", replay=tmp_path / "r", pace="recorded")
    assert code == ExitCode.TIMEOUT
    assert "time limit" in err
    assert git(repo, "status", "--porcelain") == ""


def test_ctrl_c_stops_with_130_and_the_closed_hunks_are_printed(repo, tmp_path):
    slow = Recording(
        "r", "x", "lines", (TimedText(0.0, "*** shop/cart.py\n@@ 1,1\n+a\n@@ 3,3\n"), TimedText(900.0, "x"))
    )
    (tmp_path / "r").write_text(recording.dump(slow))
    command = [sys.executable, "-m", "spark_tui", "exec", "--json", "x", "--replay", str(tmp_path / "r")]
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell starts what it puts aside deaf to it
    process = subprocess.Popen(command, cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    for line in process.stdout:
        if "HunkClosed" in line:
            break
    process.send_signal(signal.SIGINT)
    rest, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert json.loads(rest.splitlines()[-1])["reason"] == "interrupted"
    assert "interrupted" in err


def test_a_turn_that_ran_is_recorded_and_plays_to_the_same_patch(spark, tmp_path):
    _, patch, _ = spark("exec", GUARD)
    assert main.main(["record", "-o", str(tmp_path / "kept.jsonl")]) == 0
    kept = recording.load(tmp_path / "kept.jsonl")
    assert kept.instruction == GUARD
    assert spark("exec", "anything at all", replay=tmp_path / "kept.jsonl")[1] == patch
    assert main.main(["record", "-o", str(tmp_path / "kept.jsonl")]) == ExitCode.REFUSED


def test_record_without_turns_or_with_a_wrong_id_says_so(spark, capsys):
    assert main.main(["record"]) == ExitCode.NOTHING
    spark("exec", GUARD)
    assert main.main(["record", "nope"]) == ExitCode.MALFORMED
    assert "The newest are" in capsys.readouterr().err
    assert main.main(["record", "--list"]) == 0
    assert GUARD in capsys.readouterr().out


def test_places_where_spark_cannot_work_have_their_code(tmp_path, capsys, monkeypatch):
    bare = tmp_path / "bare"
    bare.mkdir()
    git(bare, "init", "-q", "--bare")
    assert main.main(["exec", "x", "-C", str(bare)]) == ExitCode.NO_PLACE
    assert "bare repository" in capsys.readouterr().err


def test_a_file_of_a_submodule_is_refused_in_words(spark, repo, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.py").write_text("a\n")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "a")):
        git(inner, *words)
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "part")
    file = keep(tmp_path / "r", "*** part/a.py\n@@ 1,2\n+b\n")
    code, _, err = spark("exec", "x", "-f", "part/a.py", "--apply", replay=file)
    assert code == ExitCode.REFUSED
    assert "part/a.py: this file lies in the submodule part" in err and "-C part" in err
    assert (repo / "part" / "a.py").read_text() == "a\n"


def test_that_a_small_model_reads_no_rules_is_not_why_nothing_can_be_shown(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    (repo / "AGENTS.md").write_text("Use tabs.\n")
    (repo / "b.py").write_bytes(b"x\0y")
    assert main.main(["exec", "rename a to b in @b.py"]) == ExitCode.REFUSED
    assert "b.py: this is a binary file" in capsys.readouterr().err
    assert main.main(["exec", "make it so"]) == ExitCode.MISFIT
    assert "it is not clear which file to edit" in capsys.readouterr().err


@pytest.mark.parametrize("state", ["no commit", "detached", "merge", "no git"])
def test_unusual_repositories_work(state, repo, tmp_path, spark):
    if state == "no commit":
        git(repo, "checkout", "-q", "--orphan", "empty")
    elif state == "detached":
        git(repo, "checkout", "-q", "--detach")
    elif state == "merge":
        (repo / ".git" / "MERGE_HEAD").write_text(git(repo, "rev-parse", "HEAD"))
    else:
        (repo / ".git").rename(tmp_path / "gone")
    assert spark("exec", GUARD, "--apply")[0] == 0
    assert "raise ValueError" in (repo / "shop" / "cart.py").read_text()
