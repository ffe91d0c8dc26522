"""`spark exec`: patches, JSON lines, repositories, exit codes."""

import json
import sys
import threading

import jsonschema
import pytest
from support.git_command import git
from support.recordings import write_recording

from spark_tui.backends import recording
from spark_tui.cli import main
from spark_tui.cli.event_schema import event_schema
from spark_tui.config import paths
from spark_tui.errors import ExitCode, Refused
from spark_tui.session.session import Session
from spark_tui.workspace import commit
from spark_tui.workspace.repository import Repository

GUARD = "raise ValueError in `add` when the quantity is below 1"


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
    # Git names the surrounding class after the second @@; the lines are what counts.
    assert git(repo, "diff").splitlines()[5:] == out.splitlines()[4:]


@pytest.mark.parametrize("name", [r.stem for r in sorted(paths.recordings_dir().glob("*.jsonl"))])
def test_every_line_of_json_is_valid_against_the_schema(spark, name):
    file = paths.recordings_dir() / f"{name}.jsonl"
    code, out, _ = spark("exec", "--json", recording.load(file).instruction, replay=file)
    # Of the types one is in question, and all are tried where nobody says which.
    kinds = {kind["properties"]["type"]["const"]: kind for kind in event_schema()["oneOf"]}
    lines = [json.loads(line) for line in out.splitlines()]
    for line in lines:
        jsonschema.Draft202012Validator(kinds[line["type"]]).validate(line)
    assert lines[0]["type"] == "TurnStarted"
    assert lines[-1]["type"] == "Finished"
    assert code in (ExitCode.DONE, ExitCode.NOTHING, ExitCode.MISFIT)


def test_json_with_apply_ends_with_what_was_written(spark):
    _, out, _ = spark("exec", "--json", "--apply", GUARD)
    last = json.loads(out.splitlines()[-1])
    assert last["type"] == "Applied"
    assert last["paths"] == ["shop/cart.py"]


def test_a_folder_that_is_not_writable_is_read(spark, monkeypatch):
    def refuse(root):
        raise Refused("this folder is not writable", where=str(root))

    monkeypatch.setattr("spark_tui.session.session_opener.check_writable", refuse)
    code, out, _ = spark("exec", GUARD)
    assert code == ExitCode.DONE and "+        if qty < 1:" in out
    code, out, err = spark("exec", GUARD, "--apply")
    assert (code, out) == (ExitCode.REFUSED, "") and "not writable" in err


def test_what_cannot_be_committed_is_not_written_either(spark, repo, tmp_path, monkeypatch):
    (repo / ".git" / "MERGE_HEAD").write_text(git(repo, "rev-parse", "HEAD"))
    code, _, err = spark("exec", GUARD, "--commit")
    assert code == ExitCode.REFUSED and "merge is in progress" in err
    (repo / ".git" / "MERGE_HEAD").unlink()
    with monkeypatch.context() as locked:
        locked.setattr(Repository, "writable", False)
        code, out, err = spark("exec", GUARD, "--commit", "--json")
    assert (code, out) == (ExitCode.REFUSED, "") and "the repository is not writable" in err
    assert git(repo, "status", "--porcelain") == ""
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "a.py").write_text("a\n")
    monkeypatch.chdir(bare)
    code, _, err = spark(
        "exec",
        "x",
        "-f",
        "a.py",
        "--commit",
        replay=write_recording(tmp_path / "r", "*** a.py\n@@ 1,2\n+b\n"),
    )
    assert code == ExitCode.NO_PLACE and "--apply" in err
    assert (bare / "a.py").read_text() == "a\n"


def test_a_commit_that_a_hook_refused_is_made_by_resuming(spark, repo):
    hook = repo / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    code, _, err = spark("exec", GUARD, "--commit")
    assert code == ExitCode.REFUSED and "nothing was committed" in err
    assert "to commit it later: spark exec --resume " in err
    hook.unlink()
    code, _, err = spark("exec", "--resume", "last", "--commit")
    assert code == 0 and "committed" in err and git(repo, "status", "--porcelain") == ""
    assert spark("exec", "--resume", "last", "--commit")[0] == ExitCode.NOTHING


def test_a_commit_with_an_empty_message_is_refused_before_anything_is_written(spark, repo):
    code, _, err = spark("exec", GUARD, "--commit", "-m", " ")
    assert code == ExitCode.MALFORMED and "the message is empty" in err
    assert not git(repo, "status", "--porcelain").strip()


def test_a_part_of_a_file_that_is_not_committed_is_not_written_for_a_commit(spark, repo, tmp_path):
    file = write_recording(tmp_path / "r", "*** new.py\n@@ 1,2\n+b\n")
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


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_that_is_none_is_refused(spark, seconds):
    code, _, err = spark("exec", GUARD, "--timeout", seconds)
    assert code == ExitCode.MALFORMED
    told = {
        "soon": "'soon' is not a number of seconds",
        "inf": f"must be at most {threading.TIMEOUT_MAX:.0f}",
    }
    assert err.splitlines()[0] == f"spark: --timeout: {told.get(seconds, 'must be above 0')}"


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
    code, _, err = spark("exec", "do this:", "-")
    assert code == ExitCode.MALFORMED
    assert "not both" in err


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
        (["exec", "x", "--effort", "much"], ExitCode.MALFORMED, "Choose one of: low, medium, high."),
        (["exec", "x", "--max-tokens", "0"], ExitCode.MALFORMED, "at least 1"),
    ],
)
def test_each_mistake_has_a_message_of_its_own(spark, words, code, said):
    assert spark(*words)[0] == code
    # The same again for the words: capsys is emptied by the first call.
    assert said in spark(*words)[2]


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
    file = write_recording(tmp_path / "r", "*** part/a.py\n@@ 1,2\n+b\n")
    code, out, err = spark("exec", "x", "-f", "part/a.py", "--json", replay=file)
    assert (code, out) == (ExitCode.REFUSED, "")
    assert "part/a.py: this file lies in the submodule part" in err and "-C part" in err
    code, _, err = spark("exec", "x", "--apply", replay=file)
    assert code == ExitCode.REFUSED
    assert "part/a.py: this file lies in the submodule part" in err and "-C part" in err
    assert (repo / "part" / "a.py").read_text() == "a\n"


def test_a_file_that_a_sparse_checkout_leaves_out_is_not_called_missing(spark, repo):
    (repo / "far").mkdir()
    (repo / "far" / "b.py").write_text("b = 1\n")
    git(repo, "add", ".")
    git(repo, "commit", "-qm", "far")
    git(repo, "sparse-checkout", "set", "--no-cone", "/*", "!/far/")
    code, _, err = spark("exec", "change b to 2", "-f", "far/b.py")
    assert code == ExitCode.REFUSED
    assert "far/b.py: this file is there, and a sparse checkout leaves it out" in err
    code, _, err = spark("exec", "change b to 2", "-f", "far/c.py")
    assert code == ExitCode.MALFORMED and "far/c.py" in err and "sparse" not in err


def test_that_a_small_model_reads_no_rules_is_not_why_nothing_can_be_shown(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    (repo / "AGENTS.md").write_text("Use tabs.\n")
    (repo / "b.py").write_bytes(b"x\0y")
    assert main.main(["exec", "rename a to b in @b.py"]) == ExitCode.REFUSED
    assert "b.py: this is a binary file" in capsys.readouterr().err
    assert main.main(["exec", "rename a to b", "-f", "b.py"]) == ExitCode.REFUSED
    assert "b.py: this is a binary file\n  spark reads and edits only text" in capsys.readouterr().err
    monkeypatch.setattr(Session, "_reads_all", lambda self: False)
    assert main.main(["exec", "make it so"]) == ExitCode.MISFIT
    assert "it is not clear which file to edit" in capsys.readouterr().err


def test_a_folder_without_files_is_said_to_have_none(tmp_path, capsys):
    git(tmp_path, "init", "-q")
    for words in ("raise ValueError in add when qty is below 1", "make it faster"):
        assert main.main(["exec", words, "-C", str(tmp_path)]) == ExitCode.MISFIT
        assert capsys.readouterr().err.startswith(f"spark: {tmp_path}: there is no file to edit\n  Add one")


@pytest.mark.parametrize("state", ["no commit", "detached", "merge", "no git", "git missing"])
def test_unusual_repositories_work(state, repo, tmp_path, spark, monkeypatch):
    if state == "no commit":
        git(repo, "checkout", "-q", "--orphan", "empty")
    elif state == "detached":
        git(repo, "checkout", "-q", "--detach")
    elif state == "merge":
        (repo / ".git" / "MERGE_HEAD").write_text(git(repo, "rev-parse", "HEAD"))
    else:
        (repo / ".git").rename(tmp_path / "gone")
        if state == "git missing":
            monkeypatch.setenv("PATH", str(tmp_path))
            assert spark("exec", GUARD, "--commit")[2].startswith("spark: git is not installed\n")
    assert spark("exec", GUARD, "--apply")[0] == 0
    assert "raise ValueError" in (repo / "shop" / "cart.py").read_text()


def test_an_instruction_in_bytes_that_are_no_utf_8_is_answered(spark, repo):
    for text in ("rename apply_to to \udcff\udcfe put", "\udcff", "raise ValueError in \udce4dd"):
        code, _, err = spark("exec", text)
        assert code != ExitCode.CRASHED and "Traceback" not in err


def test_a_commit_behind_which_the_index_is_locked_is_not_to_be_made_again(spark, repo, monkeypatch):
    monkeypatch.setattr(commit, "_TRIES", 2)
    hook = repo / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch .git/index.lock\n")
    hook.chmod(0o755)
    code, _, err = spark("exec", GUARD, "--commit")
    assert code == ExitCode.REFUSED and "the index was not updated" in err
    assert "commit it later" not in err
