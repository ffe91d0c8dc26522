"""Real clients and servers, installed from the registries into a folder that is kept between runs.

`SPARK_INTEROP_TOOLS` names the folder; without it one beside the checkout's other caches holds it. What
cannot be installed is a skip that says why. The person's own home is noted when this is imported, before
tests get an empty one: the registries' settings are there.
"""

import functools
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

import pytest

_HOME = os.environ.get("HOME", "")
_TOOLS = Path(
    os.environ.get("SPARK_INTEROP_TOOLS") or Path(__file__).parents[2] / ".pytest_cache" / "interop-tools"
)


def _run(*words):
    environ = {**os.environ, "HOME": _HOME}
    done = subprocess.run(
        [str(word) for word in words], check=False, capture_output=True, text=True, timeout=1800, env=environ
    )
    if done.returncode:
        pytest.skip(f"cannot install: {' '.join(map(str, words[:4]))}: {done.stderr.strip()[-300:]}")


def run(words, folder, **environ):
    """Run a program of another's in a folder; what it printed."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR", "LANG")}
    done = subprocess.run(
        [str(word) for word in words],
        check=False,
        cwd=folder,
        env={**kept, **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout + done.stderr


def _environment(name, *packages):
    """The folder of programs of an environment of its own: these have pins for half of PyPI."""
    folder = _TOOLS / name
    if not (folder / "installed").exists():
        venv.create(folder, with_pip=True)
        _run(folder / "bin" / "pip", "install", "-q", *packages)
        (folder / "installed").touch()
    return folder / "bin"


@functools.cache
def aider():
    return _environment("aider", "aider-chat") / "aider"


@functools.cache
def llm():
    """Simon Willison's `llm`."""
    return _environment("llm", "llm") / "llm"


@functools.cache
def litellm():
    """The proxy of LiteLLM."""
    return _environment("litellm", "litellm[proxy]") / "litellm"


@functools.cache
def transformers_python():
    """An interpreter with what `transformers serve` needs."""
    return _environment("transformers", "transformers[serving]", "torch") / "python"


@functools.cache
def llama_python():
    """An interpreter with `llama_cpp.server`. Where no wheel is cached it is compiled, for minutes."""
    return _environment("llama", "llama-cpp-python[server]") / "python"


@functools.cache
def codex():
    program = _TOOLS / "npm" / "node_modules" / ".bin" / "codex"
    if not program.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm installs Codex CLI")
        _run("npm", "install", "--silent", "--prefix", _TOOLS / "npm", "@openai/codex")
    return program


@functools.cache
def opencode():
    program = _TOOLS / "npm" / "node_modules" / ".bin" / "opencode"
    if not program.exists():
        if shutil.which("npm") is None:
            pytest.skip("npm installs OpenCode")
        _run("npm", "install", "--silent", "--prefix", _TOOLS / "npm", "opencode-ai")
    return program


@functools.cache
def acpx():
    """acpx, and a node that is new enough for it."""
    folder = _TOOLS / "npm" / "node_modules"
    if not (folder / ".bin" / "acpx").exists() or not (folder / "node" / "bin" / "node").exists():
        if shutil.which("npm") is None:
            pytest.skip("npm installs acpx")
        _run("npm", "install", "--silent", "--prefix", _TOOLS / "npm", "acpx@latest", "node@22")
        # npm may leave out the step that fetches the program itself.
        _run("npm", "rebuild", "--silent", "--prefix", _TOOLS / "npm", "node")
    return [folder / "node" / "bin" / "node", (folder / ".bin" / "acpx").resolve()]


@functools.cache
def acp_examples():
    """The folder with the examples of the protocol's SDK, which only its source package has."""
    version = importlib.metadata.version("agent-client-protocol")
    folder = _TOOLS / f"agent_client_protocol-{version}"
    if not folder.exists():
        words = ["download", "-q", "--no-deps", "--no-binary", ":all:", "-d", _TOOLS]
        _run(sys.executable, "-m", "pip", *words, f"agent-client-protocol=={version}")
        with tarfile.open(next(_TOOLS.glob(f"agent_client_protocol-{version}.tar.gz"))) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(_TOOLS)
    return folder / "examples"


def reverse_proxy(name):
    """nginx or HAProxy, as the system's packages install it."""
    path = shutil.which(
        name, path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"))
    )
    if path is None:
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    return path


@functools.cache
def sdks():
    """The folder that the SDKs of OpenAI and Anthropic are imported from, in a process of its own."""
    folder = _TOOLS / "sdks"
    if not folder.exists():
        _run(sys.executable, "-m", "pip", "install", "-q", "--target", folder, "openai", "anthropic")
    return folder
