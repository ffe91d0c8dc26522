"""`spark exec` where it is stopped, where a long prompt is read, and where what was named cannot be."""

import os
import signal
import sys

import pytest

from spark_tui import events
from spark_tui.cli import wait_line
from spark_tui.errors import ExitCode
from spark_tui.session.review.changes import Changes


class Backend:
    """Answers with one edit; a prompt of any length before it."""

    name, window, model = "long", 100_000, "long"

    def __init__(self, tokens=0):
        self.tokens = tokens

    def format_for(self, request):
        return "lines"

    def count_tokens(self, text):
        return 1

    def stream(self, request, stop):
        for done in range(self.tokens // 4, self.tokens + 1, max(1, self.tokens // 4)):
            yield events.PrefillProgress(done, self.tokens, 0)
        yield events.Token(1, "*** README.md\n@@ 1,1\n+# Shop!\n")

    def close(self):
        pass


@pytest.fixture
def spark(run, monkeypatch):
    def spark(*words, backend=None):
        monkeypatch.setattr(
            "spark_tui.session.session_opener.open_backend", lambda *a, **k: backend or Backend()
        )
        return run("exec", *words)

    return spark


def test_ctrl_c_while_files_are_written_leaves_them_whole_and_is_no_interrupt(spark, repo, monkeypatch):
    write = Changes.write

    def interrupted(self):
        os.kill(os.getpid(), signal.SIGINT)
        return write(self)

    monkeypatch.setattr(Changes, "write", interrupted)
    code, _, err = spark("shout", "-f", "README.md", "--apply")
    assert (code, (repo / "README.md").read_text().splitlines()[0]) == (0, "# Shop!")
    assert "1 hunk written" in err


@pytest.mark.parametrize(("tokens", "said"), [(40_000, "reading 10,000 of 40,000 tokens"), (400, "")])
def test_a_long_prompt_is_counted_on_a_line_that_goes_away(spark, monkeypatch, tokens, said):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, out, err = spark("shout", "-f", "README.md", backend=Backend(tokens))
    assert code == 0
    assert (said in err) and out.startswith("diff --git")
    assert err.count("reading ") == (4 if said else 0)
    assert err.endswith(wait_line._CLEARED) == bool(said)


def test_without_a_listener_nothing_is_counted(spark):
    assert spark("shout", "-f", "README.md", backend=Backend(40_000))[2] == ""


def test_what_was_named_and_cannot_be_shown_is_refused_before_anything_is_asked(spark, repo):
    (repo / "a.bin").write_bytes(b"\0")
    (repo / ".env").write_text("KEY=1\n")
    (repo / "notes.txt").symlink_to(".env")
    for path, said in [
        ("a.bin", "binary"),
        (".git/config", "under .git"),
        ("notes.txt", "is a link to .env"),
    ]:
        code, out, err = spark("shout", "-f", path, backend=object())
        assert (code, out) == (ExitCode.REFUSED, "")
        assert said in err


def test_a_session_without_a_name_is_not_a_session_of_its_own(spark):
    code, _, err = spark("--resume", "", "no, 30")
    assert code == ExitCode.MALFORMED
    assert "--resume names no session" in err
