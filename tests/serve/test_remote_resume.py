"""A turn of a far model whose server was killed goes on in another process, against another server."""

import contextlib
import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.event_streams import token_ids
from support.serving import serving

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.cli.main import main
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

HERE = Path(__file__).resolve().parent

from support.tiny_models import spark_backend  # noqa: E402

FILE = "def area(width, height):\n    return width * height\n" * 12
WHOLE = 60


@contextlib.contextmanager
def server(port=0, held=0):
    """Its address, and the process to kill. `held` after so many tokens of an answer, it waits."""
    process = subprocess.Popen(
        [sys.executable, str(HERE.parent / "support" / "tiny_server.py"), str(port), str(held)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process.stdout.readline().strip(), process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture
def tree(tmp_path):
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text(FILE)
    return root


def exec_command(tree, url, *words):
    return [sys.executable, "-m", "spark_tui", "exec", *words, "--json", "--connect", url, "-C", str(tree)]


@pytest.fixture
def run_exec(tree, capsys):
    """The events of `spark exec --json`, run in this process."""

    def run(url, *words):
        assert main(["exec", *words, "--json", "--connect", url, "-C", str(tree)]) in (0, 1, 3, 130)
        return [events.from_dict(json.loads(line)) for line in capsys.readouterr().out.splitlines()]

    return run


@contextlib.contextmanager
def near(tree, state):
    """The same conversation with the model in this process."""
    session = Session(tree, spark_backend(3), Settings(exact=False, max_tokens=WHOLE), state)
    yield session
    session.close()


def until_token(count, leg, *words, **more):
    """The ids of a leg that is stopped after so many."""
    stop, out = threading.Event(), []
    for event in leg(*words, stop=stop, **more):
        if isinstance(event, events.Token):
            out.append(event.id)
            if len(out) == count:
                stop.set()
    return out


def test_a_turn_whose_server_was_killed_goes_on_in_another_process_token_for_token(
    tree, tmp_path, monkeypatch, run_exec
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "far"))
    monkeypatch.setenv("SPARK_EDIT_LEAST_CONFIDENCE", "0")  # random weights are sure of nothing
    with server(held=20) as (url, process):
        asking = subprocess.Popen(
            exec_command(tree, url, "add a docstring", "-f", str(tree / "a.py"), "--max-tokens", str(WHOLE)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        seen = []
        while len(token_ids(seen)) < 12:
            seen.append(events.from_dict(json.loads(asking.stdout.readline())))
        process.send_signal(signal.SIGKILL)
        # Not `communicate`: it reads past what `readline` has buffered already, and tokens would be missing.
        with asking:
            out, err = asking.stdout.read(), asking.stderr.read()
    assert asking.returncode == 6
    assert "the answer broke off" in err
    seen += [events.from_dict(json.loads(line)) for line in out.splitlines()]
    came = token_ids(seen)
    assert 12 <= len(came) <= 20 < WHOLE
    port = int(url.rsplit(":", 1)[1].split("/")[0])
    with server(port) as (again, _):
        assert again == url
        rest = run_exec(url, "--resume", "last", "--max-tokens", str(WHOLE))
    with near(tree, tmp_path / "near") as session:
        assert token_ids(rest) == until_token(0, session.turn, "add a docstring", files=["a.py"])
    assert token_ids(rest)[: len(came)] == came


def test_two_steers_of_two_runs_are_spliced_into_one_far_answer(tree, tmp_path, monkeypatch, run_exec):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "far"))
    monkeypatch.setenv("SPARK_EDIT_LEAST_CONFIDENCE", "0")  # random weights are sure of nothing
    said = ["add a docstring", "write a long comment about geometry instead", "write a whole parser instead"]
    with serving(spark_backend(3)) as live:
        run_exec(live.url, said[0], "-f", str(tree / "a.py"), "--max-tokens", "15")
        run_exec(live.url, "--resume", "last", said[1], "--max-tokens", "10")
        far = run_exec(live.url, "--resume", "last", said[2], "--max-tokens", "20")
    assert [event.message for event in far if isinstance(event, events.Steered)] == said[1:]
    with near(tree, tmp_path / "near") as session:
        ids = until_token(15, session.turn, said[0], files=["a.py"])
        ids += until_token(10, session.turns.steer, said[1])
        ids += until_token(20, session.turns.steer, said[2])
    assert token_ids(far) == ids


def test_a_far_model_that_reads_windows_is_shown_one_of_a_long_file(tree, tmp_path):
    lines = [f"def measure_{number}():\n    return {number}\n\n" for number in range(400)]
    (tree / "long.py").write_text("".join(lines))
    with serving(spark_backend(3)) as live:
        far = RemoteBackend(live.url, key="")
        session = Session(tree, far, Settings(exact=False, max_tokens=4), tmp_path / "state")
        seen = list(session.turn("add a docstring to measure_333", files=["long.py"], stop=threading.Event()))
        assert not [event for event in seen if isinstance(event, events.Failed)]
        (section,) = session.builder.shown.sections
        assert section.first_line <= 3 * 333 + 1 < section.first_line + section.text.count("\n")
        assert section.text.count("\n") <= far.small_window[1] == 300
        session.close()
