"""The tool that runs a command, by the person's policy, in a worktree that has the pending hunks applied.

Nothing of the person's tree is written. The command gets no input and no keys of model servers; all processes
of its group end with it, with a stop, and with the time limit. A process that leaves the group is not found.
"""

from __future__ import annotations

import codecs
import contextlib
import fcntl
import os
import re
import secrets
import selectors
import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from spark_tui.errors import SparkError
from spark_tui.problems.runner import kill_process_group
from spark_tui.tools.bounded_text import shown_line
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.permission import PermissionRequest
from spark_tui.tools.registry import Stopped, ToolContext, ToolOutcome, WrongArguments
from spark_tui.workspace import worktrees
from spark_tui.workspace.file_listing import list_files, unignored
from spark_tui.workspace.processes import environment

_LOOK_SECONDS = 0.01
_MOST_HEAD = 12_000
_MOST_TAIL = 8_000
_SHELL = frozenset(";&|<>`$\n(){}\\")
"""Characters by which one command becomes several."""
_COLOURS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")


@dataclass(frozen=True, slots=True)
class RunPolicy:
    """Whether a command may run: `never`, `ask`, `allow` (only what is listed), `always`. `allowed` are first
    words of commands."""

    rule: str = "ask"
    allowed: tuple[str, ...] = ()
    seconds: float = 120

    def verdict(self, command: str) -> str:
        """`yes`, `no` or `ask`."""
        if self.rule == "always":
            return "yes"
        if self.rule == "never":
            return "no"
        if self._is_listed(command):
            return "yes"
        return "ask" if self.rule == "ask" else "no"

    def _is_listed(self, command: str) -> bool:
        """Whether it is one plain command that begins with listed words."""
        if _SHELL & set(command):
            return False
        try:
            words = shlex.split(command)
            listed = [shlex.split(item) for item in self.allowed]
        except ValueError:
            return False
        return any(item and words[: len(item)] == item for item in listed)


class CommandRunner:
    """The worktree of a session's commands, made with the first one. `folder` holds those of all sessions."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.policy = RunPolicy()
        self._folder = folder
        self._tree: Path | None = None
        self._lock = -1
        self._stamps: dict[str, tuple[object, object]] = {}
        """For each file the stamps of the person's and of the copy."""

    def prepare(self, overlay: Overlay, look: Callable[[], None]) -> Path:
        """The worktree, with the files as the overlay has them. `look` is called for each file."""
        tree = self._tree or self._make()
        changed = set(overlay.changed)
        wanted = [path for path in self._listed() if path not in changed]
        for path in wanted:
            look()
            stamps = _stamp(self.root / path), _stamp(tree / path)
            if stamps[0] is not None and self._stamps.get(path) != stamps:
                _clear(tree / path)
                worktrees.copy(self.root / path, tree / path)
                self._stamps[path] = stamps[0], _stamp(tree / path)
        for path in {*self._stamps, *changed} - set(wanted):
            data = overlay.data(path) if path in changed else None
            _clear(tree / path)
            self._stamps[path] = None, None
            if data is not None:
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                (tree / path).write_bytes(data)
                with contextlib.suppress(OSError):
                    shutil.copymode(self.root / path, tree / path)
        return tree

    def close(self) -> None:
        """Remove the worktree."""
        tree, self._tree = self._tree, None
        if tree is not None:
            worktrees.remove(self.root, tree)
            tree.with_suffix(".lock").unlink(missing_ok=True)
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _make(self) -> Path:
        self._remove_leftovers()
        self._folder.mkdir(parents=True, exist_ok=True)
        tree = self._folder / secrets.token_hex(4)
        self._lock = os.open(tree.with_suffix(".lock"), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._stamps = {}
        try:
            worktrees.begin(self.root, tree)
        except SparkError:
            # No repository, or one without a commit.
            tree.mkdir(parents=True, exist_ok=True)
        self._tree = tree
        return tree

    def _remove_leftovers(self) -> None:
        """Worktrees of processes that were killed: the system has freed their locks."""
        for lock in self._folder.glob("*.lock"):
            with contextlib.suppress(OSError), lock.open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                worktrees.remove(self.root, lock.with_suffix(""))
                lock.unlink()

    def _listed(self) -> list[str]:
        try:
            return unignored(self.root)
        except SparkError:
            return list_files(self.root)


def run(
    context: ToolContext, command: Annotated[str, "for /bin/sh, from the root of the repository"]
) -> Generator[str, None, ToolOutcome]:
    """Run a command in a copy of the repository with your edits made, only where the person asks for it."""
    if not command.strip():
        raise WrongArguments("`command` is empty")
    runner: CommandRunner = context.parts["run"]
    summary = shown_line(" ".join(command.split()))[:60]
    verdict = runner.policy.verdict(command)
    if verdict == "ask":
        request = PermissionRequest("The model wants to run a command, in a copy of the repository", command)
        verdict = "refused" if context.permissions.answer(request, context.stop) == "no" else "yes"
        context.look()
    if verdict != "yes":
        why = "it was not allowed" if verdict == "refused" else f"tools.run is {runner.policy.rule}"
        text = f"the command was not run: {why}; go on without it"
        yield text
        return ToolOutcome(text, f"{summary}: not allowed", failed=True)
    tree = runner.prepare(context.files, context.look)
    begun = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=tree,
        env=_without_keys(environment(tree)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        note = yield from _output(process, context, begun + runner.policy.seconds)
    finally:
        kill_process_group(process.pid)
        assert process.stdout is not None
        process.stdout.close()
        process.wait()
    end = note or f"exit code {process.returncode}"
    yield f"[{end}, {time.monotonic() - begun:.1f} s]"
    return ToolOutcome("", f"{summary}: {end}", failed=bool(note) or process.returncode != 0)


def _output(
    process: subprocess.Popen[bytes], context: ToolContext, deadline: float
) -> Generator[str, None, str]:
    """Give the output as it comes: its beginning at once, of the rest the end. Returns why it was ended, or
    nothing. Raises Stopped."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    given, tail, cut = 0, "", 0
    for data in _chunks(process, context, deadline):
        text = tail + decoder.decode(data)
        head, tail = "", text
        if given < _MOST_HEAD:
            # A line is given when it is whole, so that no escape is cut in two.
            whole = text.rfind("\n") + 1 or (len(text) if len(text) > _MOST_TAIL else 0)
            head, tail = text[:whole], text[whole:]
        if head:
            given += len(head)
            yield _harmless(head[:_MOST_HEAD])
            cut += max(len(head) - _MOST_HEAD, 0)
        elif len(tail) > 2 * _MOST_TAIL:
            cut += len(tail) - _MOST_TAIL
            tail = tail[-_MOST_TAIL:]
    tail += decoder.decode(b"", final=True)
    if given >= _MOST_HEAD and len(tail) > _MOST_TAIL:
        cut += len(tail) - _MOST_TAIL
        tail = tail[-_MOST_TAIL:]
    if cut:
        yield f"… {cut:,} characters are not shown …\n"
    if tail:
        yield _harmless(tail).removesuffix("\n") + "\n"
    return "" if process.poll() is not None else "the time limit ended it"


def _chunks(
    process: subprocess.Popen[bytes], context: ToolContext, deadline: float
) -> Generator[bytes, None, None]:
    """What the command puts out, until it ends, the time is over, or the person stops it."""
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while time.monotonic() < deadline:
            if context.stop.is_set():
                raise Stopped
            ended = process.poll() is not None
            ready = selector.select(0 if ended else _LOOK_SECONDS)
            data = process.stdout.read(65_536) if ready else None
            if data:
                yield data
            elif ended:
                # A process that left the group may hold the pipe open.
                return
            elif ready:
                time.sleep(_LOOK_SECONDS)


def _harmless(text: str) -> str:
    plain = _COLOURS.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return "\n".join(shown_line(line) for line in plain.split("\n"))


def _without_keys(variables: dict[str, str]) -> dict[str, str]:
    """Keys of model servers are nothing that a model's command needs."""
    return {name: value for name, value in variables.items() if not name.upper().endswith("_API_KEY")}


def _stamp(path: Path) -> object:
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_mode, found.st_ino


def _clear(path: Path) -> None:
    """Take away whatever a command left there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
