"""Imports the modules of a package again and again, each time in a process of its own.

Run as a file: `python import_worker.py ROOT`. A line on standard input is a JSON list of modules; the answer
is a line with those that fail and the reason. What the package imports from elsewhere is imported once,
before. It imports nothing of spark.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any


def failing(modules: list[str]) -> dict[str, str]:
    """The modules that cannot be imported, with the reason."""
    warnings.simplefilter("ignore")
    failed: dict[str, str] = {}
    for name in modules:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                importlib.import_module(name)
        except BaseException as error:  # a module may even exit
            failed[name] = f"{type(error).__name__}: {error}"[:300]
    return failed


def foreign(root: str, modules: list[str]) -> list[str]:
    """What an import of the modules loads that does not stand under the root."""
    failing(modules)
    return foreign_ones(root)


def foreign_ones(root: str) -> list[str]:
    """The loaded modules that do not stand under the root."""
    inside = os.path.realpath(root) + os.sep
    return [
        name
        for name, module in list(sys.modules.items())
        if not os.path.realpath(str(getattr(module, "__file__", None) or "")).startswith(inside)
    ]


def in_child(work: Callable[[], Any]) -> Any:
    """The result of some work in a forked process; None where that ends badly."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        with os.fdopen(writing, "w") as pipe:
            pipe.write(json.dumps(work()))
            pipe.flush()
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    try:
        return json.loads(text)
    except ValueError:
        return None


def serve(root: str) -> None:
    """Answer the lines of standard input until it ends."""
    sys.path[0] = root
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    prepared = False
    for line in sys.stdin:
        modules = json.loads(line)
        if not prepared:
            prepared = True
            failing(in_child(partial(foreign, root, modules)) or [])
            for name in set(sys.modules) - set(foreign_ones(root)):
                del sys.modules[name]
            importlib.invalidate_caches()
        found = in_child(partial(failing, modules))
        if found is None:
            found = dict.fromkeys(modules, "the process did not end well")
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1])
