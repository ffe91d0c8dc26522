"""Write to the standard streams safely: closed streams and encoding errors never cause a traceback, messages
that cannot be written are dropped, and patches are written byte for byte.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from spark_tui.errors import ExitCode, NothingToDo, Refused, SparkError, UsageError, visible

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def prepare() -> None:
    """Replace streams that were closed before spark started, so that no file opened later gets their number
    (prints would go into a journal); what is written to such a stdout fails, as it would there. Output is
    written completely, bytes from stdin that are not text survive, and characters that stdout cannot encode
    are escaped. A stderr that takes nothing (a full disk, a closed pipe) does not stop the work."""
    for name, mode, access in (
        ("stdin", "r", os.O_RDONLY),
        ("stdout", "w", os.O_RDONLY),
        ("stderr", "w", os.O_WRONLY),
    ):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, access), mode, encoding="utf-8"))
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        buffer = getattr(stream, "buffer", None)
        unbuffered = isinstance(buffer, io.RawIOBase)
        file = name == "stderr" and isinstance(buffer, io.BufferedWriter) and not stream.isatty()
        if unbuffered or file:
            whole = io.TextIOWrapper(
                _Messages(stream) if name == "stderr" else _Whole(stream),
                stream.encoding,
                stream.errors,
                line_buffering=True,
                write_through=unbuffered,
            )
            for place in (name, f"__{name}__"):  # on the second the screen is drawn
                if getattr(sys, place) is stream:
                    setattr(sys, place, whole)
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        # Where the locale is C, Python lets through what was bytes before, and fails on other characters.
        ascii_only = stream is sys.stdout and str(stream.encoding).lower() != "utf-8"
        if reconfigure is not None and (stream.errors == "strict" or ascii_only):
            reconfigure(errors=errors)


class _Whole(io.RawIOBase):
    """A raw stream for the case that Python must not buffer (`PYTHONUNBUFFERED`).

    An unbuffered stream calls write once and drops what the system did not accept, which can cut off a screen
    when a child process is started at that moment. This one writes everything.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream  # closes what is under it when nobody holds it
        self._raw = getattr(stream.buffer, "raw", stream.buffer)
        self.name = stream.name

    def write(self, data: ReadableBuffer, /) -> int:
        rest = memoryview(data).cast("B")
        size = len(rest)
        while rest:
            rest = rest[self._raw.write(rest) or 0 :]
        return size

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()


class _Messages(_Whole):
    """The raw stream of stderr. What it does not take is dropped."""

    def write(self, data: ReadableBuffer, /) -> int:
        with contextlib.suppress(OSError):
            super().write(data)
        return memoryview(data).nbytes


def close_stdout() -> None:
    """The reader of stdout closed the pipe: discard the rest, without an error at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_exactly(text: str) -> None:
    """Write a patch or a document to stdout byte by byte, whatever the locale; on a terminal, control
    characters are made visible."""
    out = sys.stdout
    buffer = getattr(out, "buffer", None)
    if out.isatty() or buffer is None:
        out.write(visible(text) if out.isatty() else text)
    else:
        out.flush()
        buffer.write(text.encode("utf-8", "surrogateescape"))
    out.flush()


def write_new_file(path: Path, text: str, *, force: bool) -> None:
    """Write a file that is not there yet, or with `force` over one that is."""
    if path.exists() and not force:
        hint = "Overwrite it with --force, or name another file."
        raise Refused("already exists", where=str(path), hint=hint)
    path.write_text(text, encoding="utf-8", errors="surrogateescape")


def confirm(question: str, why: str, otherwise: str) -> None:
    """Ask before something that cannot be undone; without a terminal, refuse and say `why`. A no raises
    `NothingToDo`."""
    if not sys.stdin.isatty():
        raise UsageError(why, hint="Add --yes to confirm without a terminal.")
    if input(f"{question} [y/N] ").strip().lower() not in ("y", "yes"):
        raise NothingToDo(otherwise)


def print_error(text: str, end: str = "\n") -> None:
    """Words on stderr. Names and quotes in them come from files and models."""
    print(visible(text), end=end, file=sys.stderr, flush=True)


class MessageLines:
    """Prose as it comes, and messages, on stderr. A message begins a line of its own."""

    def __init__(self) -> None:
        self.open = False
        """Whether a line of prose is not ended yet."""
        self._space = ""
        """What the prose ended with so far."""

    def tell(self, text: str) -> None:
        """Prose; the empty lines around hunks would be a gap here, where no hunk is shown."""
        text = self._space + text if self.open else text.lstrip("\r\n")
        words = text.rstrip()
        self._space = text[len(words) :]
        if words:
            self.open = True
            print_error(words, end="")

    def end_line(self) -> None:
        if self.open:
            print_error("")
        self.open, self._space = False, ""

    def say(self, text: str) -> None:
        self.end_line()
        print_error(f"spark: {text}")


def show_progress(done: int, total: int) -> None:
    """A counter on stderr: where that is no terminal, a line for the first and for each tenth."""
    if sys.stderr.isatty():
        print(f"\r{done} of {total}", end="\r" if done < total else "\n", file=sys.stderr, flush=True)
    elif done == 1 or 10 * done // total > 10 * (done - 1) // total:
        print_error(f"{done} of {total}")


def reported(work: Callable[[], ExitCode], report: dict[str, Any], *, as_json: bool) -> int:
    """Do the work, which fills the report in. As JSON the report is printed whatever happens, with the error
    that it ended in; else the error is raised. Files that are written are done, whoever hears of it."""
    try:
        try:
            code = work()
        except SparkError as error:
            if not as_json:
                raise
            report["error"] = error.as_dict()
            code = error.exit_code
        report["exit_code"] = int(code)
        if as_json:
            print(json.dumps(report))
        sys.stdout.flush()
    except OSError:
        if not report["applied"]:
            raise
        code = ExitCode.DONE
        with told("the files are written"):
            raise
    return int(code)


@contextlib.contextmanager
def told(done: str) -> Iterator[None]:
    """Around the words about what is done already: it is done, whoever hears of it."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        close_stdout()
        print_error(f"spark: {done}; this cannot be said on stdout: {error.strerror}")


def on_terminal() -> bool:
    """Whether a person is at both ends."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def become_workbench(root: Path, session_id: str) -> NoReturn:
    """Open a session in the workbench, in place of this process: commands do not run each other."""
    code = (
        "import json, sys; sys.path[:] = json.loads(sys.argv.pop()); from spark_tui.cli.main import main;"
        " sys.exit(main())"
    )
    where = json.dumps([path for path in sys.path if path])
    words = [sys.executable, "-P", "-c", code, "-C", str(root), "--session", session_id, where]
    sys.stdout.flush()
    os.execv(sys.executable, words)
