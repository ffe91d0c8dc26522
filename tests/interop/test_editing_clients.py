"""aider, Codex CLI and OpenCode each make an edit of a scratch repository through the server."""

import json
import os

import pytest
from support.git_command import git
from support.interop_tools import aider, codex, opencode, run
from support.serving import Saying, serving
from support.small_repositories import committed

from spark_tui.backends.factory import built_in_models
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.backends.replay import ReplayBackend
from spark_tui.serve.batching.batch_engine import BatchEngine

pytestmark = pytest.mark.interop

BEFORE = "def greet(name):\n    return 'hi ' + name\n\n\ndef leave(name):\n    return 'bye ' + name\n"
AFTER = BEFORE.replace("'hi '", "'Good day, '")
BLOCK = (
    "I make it polite.\n\nhello.py\n```python\n<<<<<<< SEARCH\n    return 'hi ' + name\n=======\n"
    "    return 'Good day, ' + name\n>>>>>>> REPLACE\n```\n"
)
PATCH = (
    "I make it polite.\n*** Begin Patch\n*** Update File: hello.py\n@@ def greet(name):\n-    return 'hi ' +"
    " name\n+    return 'Good day, ' + name\n*** End Patch\n"
)
CHATTY = "def pause(seconds):\n    print(seconds)\n    return seconds\n"
QUIET = "def pause(seconds):\n    return seconds\n"
WEIGHTS = next(iter(built_in_models()), None) or os.environ.get("SPARK_MODEL_NAME")
"""The built-in model; where the package carries none yet, the one that the environment names."""
LINES = "*** hello.py\n@@ 2,3\n+    return 'Good day, ' + name\n"


@pytest.fixture
def scratch(tmp_path):
    return committed(tmp_path / "scratch", {"hello.py": BEFORE})


def replay(text, form):
    pieces = tuple(TimedText(0.0, text[at : at + 4]) for at in range(0, len(text), 4))
    return ReplayBackend([Recording("played", "make greet polite", form, pieces)], 0.0)


def ask_aider(live, scratch, model, asked="make greet polite"):
    flags = (
        "--edit-format diff --yes-always --no-show-model-warnings --no-check-update --analytics-disable "
        "--no-auto-commits --map-tokens 0 --no-gitignore --no-show-release-notes"
    )
    # Its price list is fetched from a host that tests do not reach; the copy in the package will do.
    return run(
        [aider(), "--model", f"openai/{model}", *flags.split(), "--message", asked, "hello.py"],
        scratch,
        OPENAI_API_BASE=live.url,
        OPENAI_API_KEY="none",
        LITELLM_LOCAL_MODEL_COST_MAP="True",
    )


def test_aider_makes_an_edit_in_its_own_format(scratch):
    with serving(replay(BLOCK, "search_replace")) as live:
        said = ask_aider(live, scratch, "replay-played")
        assert "Applied edit to hello.py" in said, said
        assert (scratch / "hello.py").read_text() == AFTER


def test_aider_applies_what_a_model_of_line_ranges_writes(scratch):
    """The built-in family's format, translated by the server from the file that aider shows."""
    backend = Saying(LINES, format="lines")
    with serving(backend) as live:
        said = ask_aider(live, scratch, "saying")
        assert "Applied edit to hello.py" in said, said
        assert (scratch / "hello.py").read_text() == AFTER
        request = backend.requests[0]
        assert [(part.path, part.text) for part in request.files] == [("hello.py", BEFORE)]
        assert request.instruction == "make greet polite"


def ask_codex(live, scratch, tmp_path, asked="make greet in hello.py polite"):
    home = tmp_path / "codex-home"
    home.mkdir()
    provider = f'model_providers.spark={{name="spark",base_url="{live.url}",wire_api="responses"}}'
    words = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"]
    words += ["-m", "gpt-5.5", "-c", "model_provider=spark", "-c", provider]
    return run([codex(), *words, asked], scratch, CODEX_HOME=str(home))


def test_codex_makes_an_edit_through_its_patch_tool(scratch, tmp_path):
    # Codex offers its free-form patch tool to models that it knows by name, so the server answers to one.
    with serving(replay(PATCH, "apply_patch"), aliases={"gpt-5.5": "replay-played"}) as live:
        said = ask_codex(live, scratch, tmp_path)
        assert (scratch / "hello.py").read_text() == AFTER, said
        assert "The edit was applied." in said


@pytest.fixture
def built_in_engine():
    if WEIGHTS is None:
        pytest.skip("the package carries no model, and SPARK_MODEL_NAME names none")
    engine = BatchEngine(LocalBackend.open(WEIGHTS))
    yield engine
    engine.close()


def chatty(scratch):
    (scratch / "hello.py").write_text(CHATTY)
    git(scratch, "commit", "-q", "-am", "Print")


def test_aider_and_the_built_in_model_make_an_edit_that_it_can_make(scratch, built_in_engine):
    chatty(scratch)
    with serving({"built-in": built_in_engine}) as live:
        said = ask_aider(live, scratch, "built-in", "remove the print")
    assert "Applied edit to hello.py" in said, said
    assert (scratch / "hello.py").read_text() == QUIET


def test_codex_and_the_built_in_model_make_an_edit_of_a_file_that_the_prompt_shows(
    scratch, tmp_path, built_in_engine
):
    chatty(scratch)
    with serving({"built-in": built_in_engine}, aliases={"gpt-5.5": "built-in"}) as live:
        said = ask_codex(live, scratch, tmp_path, f"hello.py\n```python\n{CHATTY}```\nremove the print")
    assert (scratch / "hello.py").read_text() == QUIET, said
    assert "The edit was applied." in said


def test_codex_prints_the_file_and_the_built_in_model_edits_it(scratch, tmp_path, built_in_engine):
    """Nobody shows the file: the server asks Codex to print it, and edits it by Codex's patch tool."""
    chatty(scratch)
    with serving({"built-in": built_in_engine}, aliases={"gpt-5.5": "built-in"}) as live:
        said = ask_codex(live, scratch, tmp_path, "delete the line print(seconds) in hello.py")
    assert (scratch / "hello.py").read_text() == QUIET, said
    assert "The edit was applied." in said


def test_opencode_reads_a_file_and_edits_it_by_its_own_tools(scratch, tmp_path, built_in_engine):
    """Nobody shows the file: the server asks OpenCode to read it, and edits it by OpenCode's tool."""
    chatty(scratch)
    with serving({"built-in": built_in_engine}) as live:
        options = {"baseURL": live.url, "apiKey": "none"}
        models = {"built-in": {"name": "built-in", "tool_call": True}}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "spark", "options": options, "models": models}
        config = {"provider": {"spark": provider}, "model": "spark/built-in", "autoupdate": False}
        (scratch / "opencode.json").write_text(json.dumps({**config, "share": "disabled"}))
        ask = "delete the line print(seconds) in hello.py"
        said = run([opencode(), "run", ask], scratch, HOME=str(tmp_path))
    assert (scratch / "hello.py").read_text() == QUIET, said
    assert "Edit hello.py" in said
    assert "The edit was applied." in said
