"""What `spark exec` prints for prose, verdicts, doubts, and answers that cannot be placed or were cut off."""

import sys

import pytest
from support.git_command import git
from support.recordings import write_recording

from spark_tui import events
from spark_tui.backends import recording
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.cli import main
from spark_tui.errors import ExitCode
from spark_tui.session.reader.written_edits import BY_A_MODEL


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


def test_a_choice_is_taken_only_where_there_is_one(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    words = ["exec", "change SHIPPING to 500", "-f", "shop/cart.py", "--apply"]
    assert main.main([*words, "--choose", "9"]) == ExitCode.MALFORMED
    out, err = capsys.readouterr()
    assert out == "" and "spark: there is nothing to choose from\n  Leave out --choose." in err
    assert git(repo, "status", "--porcelain") == ""
    assert main.main(["exec", *err.split("spark exec ")[1].split()]) == 0
    assert "+SHIPPING = 500" in capsys.readouterr().out


def test_an_edit_that_was_only_shown_is_written_when_it_is_asked_for_again(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    assert main.main(["exec", "change SHIPPING to 500", "-f", "shop/cart.py"]) == 0
    assert main.main(["exec", "--resume", "last", "no, 600"]) == 0
    assert git(repo, "status", "--porcelain") == ""
    capsys.readouterr()
    assert main.main(["exec", "--resume", "last", "no, 600", "--apply"]) == 0
    assert "by an edit that is not written yet" in capsys.readouterr().err
    assert "SHIPPING = 600" in (repo / "shop" / "cart.py").read_text()
    assert main.main(["exec", "--resume", "last", "--apply"]) == ExitCode.NOTHING


def test_a_message_after_an_edit_may_be_about_a_file_that_nobody_named(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    assert main.main(["exec", "change SHIPPING to 500"]) == 0
    capsys.readouterr()
    assert main.main(["exec", "--resume", "last", "annotate OrderBook.place"]) == 0
    assert "+    def place(self, cart, now=None) -> Order:" in capsys.readouterr().out


def test_words_take_back_no_other_edit_than_they_name(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    assert main.main(["exec", "rename Cart.remove to drop"]) == 0
    assert main.main(["exec", "--resume", "last", "also rename Cart.add to put"]) == 0
    capsys.readouterr()
    assert main.main(["exec", "--resume", "last", "no, keep remove as it was"]) != 0
    assert "remove was changed by an earlier edit" in capsys.readouterr().err
    assert main.main(["exec", "--resume", "last", "no, keep add as it was"]) == 0
    out, _ = capsys.readouterr()
    assert "+    def drop(" in out and "put" not in out


def test_what_is_left_of_exact_edits_is_not_said_to_be_by_a_model(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    guard = "raise ValueError in add when qty is below 1"
    for message in ("change SHIPPING to 500", "same for FREE_SHIPPING_FROM", "undo that", guard):
        capsys.readouterr()
        resumed = [] if message.startswith("change") else ["--resume", "last"]
        assert main.main(["exec", *resumed, message]) == 0
    out, err = capsys.readouterr()
    assert "+SHIPPING = 500" in out and BY_A_MODEL not in err


def test_the_hunks_that_are_left_are_printed_when_one_is_taken_back(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    assert main.main(["exec", "change SHIPPING to 500", "-f", "shop/cart.py"]) == 0
    assert main.main(["exec", "--resume", "last", "raise ValueError in add when qty is below 1"]) == 0
    capsys.readouterr()
    assert main.main(["exec", "--resume", "last", "undo the first"]) == 0
    out, err = capsys.readouterr()
    assert "raise ValueError" in out and "SHIPPING = 500" not in out
    assert "is rejected (shop/cart.py:" in err


def test_a_patch_on_a_terminal_says_how_it_is_written(repo, capsys, monkeypatch):
    monkeypatch.chdir(repo)
    for terminal in (False, True):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        assert main.main(["exec", "change SHIPPING to 500", "-f", "shop/cart.py"]) == 0
        err = capsys.readouterr().err
        assert ("to write it: spark exec --resume " in err) == terminal
    assert main.main(err.splitlines()[-1].split("spark ")[1].split()) == 0
    assert "SHIPPING = 500" in (repo / "shop" / "cart.py").read_text()


def test_an_edit_that_was_only_shown_is_not_written_with_what_is_declined(repo, monkeypatch):
    monkeypatch.chdir(repo)
    assert main.main(["exec", "change SHIPPING to 500", "-f", "shop/cart.py"]) == 0
    assert main.main(["exec", "--resume", "last", "feed the cat", "--apply"]) != 0
    assert git(repo, "status", "--porcelain") == ""


def test_a_turn_is_not_gone_on_with_by_another_model(spark, tmp_path, capsys):
    file = write_recording(tmp_path / "r", "# words\n" * 100)
    code, _, _ = spark("exec", "x", "-f", "shop/cart.py", "--max-tokens", "50", replay=file)
    assert code == ExitCode.INTERRUPTED
    assert main.main(["exec", "--resume", "last", "--json"]) == ExitCode.MALFORMED
    out, err = capsys.readouterr()
    assert out == "" and "was written by replay r, but spark-6m is in use" in err
    _, out, _ = spark("exec", "--resume", "last", "--json", replay=file)
    assert out.count('"Token"') == 800


def test_nothing_in_words_is_obeyed_by_a_terminal(spark, tmp_path, repo):
    (repo / "a\x1b[2Jb.py").write_text("x\n")
    text = "Look \x1b]0;title\x07 here\n*** a\x1b[2Jb.py\n@@ 1,2\n+y\n"
    code, _, err = spark("exec", "x", "--apply", replay=write_recording(tmp_path / "r", text))
    assert code == 0
    assert "\x1b" not in err and "\\x1b]0;title" in err and "\\x1b[2Jb.py" in err


def test_an_edit_that_has_no_place_writes_nothing_and_says_which_line_differs(spark, repo, tmp_path):
    wrong = (
        "shop/cart.py\n<<<<<<< SEARCH\n    def add(self, sku, qty=1):\n        thing = 1\n=======\nx\n>>>>>>>"
        " REPLACE\n"
    )
    code, out, err = spark(
        "exec", "x", "--apply", replay=write_recording(tmp_path / "r", wrong, "search_replace")
    )
    assert code == ExitCode.MISFIT
    assert "thing = 1" in err
    assert git(repo, "status", "--porcelain") == ""
    assert out == ""


def test_a_prose_answer_is_nothing_to_do(spark, tmp_path):
    code, out, err = spark(
        "exec", "x", replay=write_recording(tmp_path / "r", "I cannot do that.\n", "search_replace")
    )
    assert (code, out) == (ExitCode.NOTHING, "")
    assert "I cannot do that." in err
    assert err.endswith("spark: the answer is text without an edit\n")


def test_code_without_a_file_is_called_code_without_a_place(spark, tmp_path):
    recorded = write_recording(tmp_path / "r", "Like this:\n\n```python\nx = 2\n```\n", "search_replace")
    code, out, err = spark("exec", "x", replay=recorded)
    assert (code, out) == (ExitCode.NOTHING, "")
    assert "code that spark could not place" in err
    assert "nothing to change" not in err


@pytest.mark.parametrize(
    ("verdict", "said", "wanted"),
    [("cannot", "it cannot do this", ExitCode.MISFIT), ("no-edit", "nothing to change", ExitCode.NOTHING)],
)
def test_a_verdict_is_a_sentence_and_not_its_marker(spark, tmp_path, verdict, said, wanted):
    code, out, err = spark(
        "exec", "x", replay=write_recording(tmp_path / "r", f"*** shop/cart.py\n@@ {verdict}\n")
    )
    assert (code, out) == (wanted, "")
    assert said in err
    assert "@@" not in err


def test_prose_on_stderr_has_no_gaps_and_no_message_in_its_line(spark, tmp_path):
    hunks = ["*** shop/cart.py\n@@ 1,1\n+# a\n", "*** shop/cli.py\n@@ 1,1\n+# b\n"]
    recorded = write_recording(
        tmp_path / "r", f"I begin.\n\n  More.\n{hunks[0]}\n\n\n{hunks[1]}\n\nDone, all of it."
    )
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
