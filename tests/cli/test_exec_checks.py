"""`spark exec` says what an answer would break, on stderr and in its events."""

import json

from support.git_command import git
from support.recordings import write_recording

from spark_tui.config import paths
from spark_tui.errors import ExitCode, NoPlace
from spark_tui.session.session import Session
from spark_tui.session.storage import journal

REMOVES = "*** shop/cart.py\n@@ 37,39\n"
"""`Cart.is_empty`, which others call."""


def test_a_method_in_use_that_is_removed_is_named_with_its_users(spark, tmp_path):
    file = write_recording(tmp_path / "r", REMOVES)
    code, out, err = spark("exec", "x", "-f", "shop/cart.py", replay=file)
    assert code == ExitCode.DONE and out.startswith("diff --git")
    first, *_ = err.splitlines()
    assert first == (
        "spark: shop/cart.py:37: check this hunk: breaks shop/cart.py:52: uses self.is_empty;"
        " Cart no longer has is_empty"
    )
    assert "breaks tests/test_cart.py:30" in err


def test_the_events_name_the_place_before_the_turn_ends(spark, tmp_path):
    file = write_recording(tmp_path / "r", REMOVES)
    _, out, err = spark("exec", "x", "-f", "shop/cart.py", "--json", replay=file)
    rows = [json.loads(line) for line in out.splitlines()]
    kinds = [row["type"] for row in rows]
    assert kinds[-1] == "Finished" and kinds.index("HunkClosed") < kinds.index("Checked")
    doubt = next(row for row in rows if row["type"] == "Doubt")
    assert (doubt["hunk_id"], doubt["path"], doubt["line"]) == (1, "shop/cart.py", 52)
    assert err == ""


def test_the_journal_keeps_the_place_with_the_hunk(spark, tmp_path, repo):
    file = write_recording(tmp_path / "r", REMOVES)
    spark("exec", "x", "-f", "shop/cart.py", replay=file)
    kept = [item.event for item in journal.read(*paths.state_dir().rglob("journal.jsonl"))]
    assert [type(event).__name__ for event in kept[-5:-2]] == ["Finished", "Checked", "Doubt"]
    assert kept[-3].path == "shop/cart.py" and kept[-3].line == 52


def test_an_edit_that_breaks_nothing_is_not_named(spark, tmp_path):
    file = write_recording(tmp_path / "r", "*** shop/cart.py\n@@ 38,39\n+        return not self.lines\n")
    code, out, err = spark("exec", "x", "-f", "shop/cart.py", replay=file)
    assert (code, err) == (0, "") and "return not self.lines" in out


def test_a_call_that_does_not_fit_and_a_file_that_would_not_compile_are_named(spark, tmp_path):
    wrong = "*** shop/cart.py\n@@ 54,55\n+        if self.is_empty(1):\n"
    _, _, err = spark("exec", "x", "-f", "shop/cart.py", replay=write_recording(tmp_path / "a", wrong))
    assert "shop/cart.py:54: check this hunk: breaks shop/cart.py:54: self.is_empty(…) does not fit" in err
    broken = "*** shop/cart.py\n@@ 54,55\n+        if self.is_empty(:\n"
    _, _, err = spark("exec", "x", "-f", "shop/cart.py", replay=write_recording(tmp_path / "b", broken))
    assert "would not compile" in err and err.count("check this hunk") == 1


def test_a_marked_hunk_is_written_all_the_same_and_named_beside_it(spark, tmp_path, repo):
    file = write_recording(tmp_path / "r", REMOVES)
    code, _, err = spark("exec", "x", "-f", "shop/cart.py", "--apply", replay=file)
    assert code == 0 and "check this hunk: breaks" in err and "1 hunk written" in err
    assert git(repo, "status", "--porcelain") != ""


def test_a_resumed_session_names_the_places_again(spark, tmp_path):
    file = write_recording(tmp_path / "r", REMOVES)
    spark("exec", "x", "-f", "shop/cart.py", replay=file)
    _, _, err = spark("exec", "--resume", "last", replay=file)
    assert err.count("check this hunk: breaks shop/cart.py:52") == 1


def test_an_error_in_the_middle_of_an_answer_begins_a_line(spark, tmp_path, monkeypatch):
    def full(session, *, stop):
        raise NoPlace("the disk is full")

    monkeypatch.setattr(Session, "check_answer", full)
    file = write_recording(tmp_path / "r", "Removes it.\n" + REMOVES + "\nDone.\n")
    code, _, err = spark("exec", "x", "-f", "shop/cart.py", replay=file)
    assert code == ExitCode.NO_PLACE
    assert err.endswith("Done.\nspark: the disk is full\n")
