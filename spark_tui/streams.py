"""The standard streams of every door: never missing, never a traceback for a letter, exact where bytes count.

Comes in: text. Goes out: bytes on stdout, words on stderr. Must not know: what is said.
"""

from __future__ import annotations

import contextlib
import os
import sys

from spark_tui.errors import visible


def prepare() -> None:
    """Streams that were closed before spark began lead nowhere, and no file that is opened later takes their place
    (a journal would be written into by whoever prints). Bytes that are no text survive from stdin; what stdout's
    encoding cannot say is said by its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None and stream.errors == "strict":
            reconfigure(errors=errors)


def nobody_reads() -> None:
    """The reader of stdout went away: what is still to be written leads nowhere, and is no error at the end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_exactly(text: str) -> None:
    """A patch or a document on stdout: its bytes as they are, whatever the locale says; to a terminal as marks what
    could speak to it."""
    out = sys.stdout
    buffer = getattr(out, "buffer", None)
    if out.isatty() or buffer is None:
        out.write(visible(text) if out.isatty() else text)
    else:
        out.flush()
        buffer.write(text.encode("utf-8", "surrogateescape"))
    out.flush()


def say(text: str, end: str = "\n") -> None:
    """Words on stderr. Names and quotes in them come from files and models."""
    print(visible(text), end=end, file=sys.stderr, flush=True)
