"""A class that can be closed becomes usable with `with`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, call, found, word
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.held_resources import ends_of_held
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function

_ENDS = ("close", "aclose", "stop", "shutdown", "disconnect", "release", "terminate")
_PLAIN = """def __enter__(self):
    return self


def __exit__(self, *error):
    {end}
"""
_ASYNC = """async def __aenter__(self):
    return self


async def __aexit__(self, *error):
    await {end}
"""


def context_manager(context: Context) -> Iterator[Built]:
    """The two methods, where a context manager is asked for."""
    text = f"{context.text('method')} {context.beside_slots()}".lower()
    if not phrases.any_stands_in(phrases.words("context_managers"), text):
        return
    for anchor in found(context, "class", "class")[:1]:
        body = getattr(anchor.node, "body", ())
        methods = {one.name: one for one in body if isinstance(one, Function)}
        if {"__enter__", "__aenter__"} & {*methods}:
            raise Unresolved("it can be used with `with` already", nothing=True)
        name = next((one for one in _ENDS if one in methods), "")
        held = (
            ends_of_held(context.source(anchor.path), anchor.node)
            if isinstance(anchor.node, ast.ClassDef) and not name
            else []
        )
        if not name and not held:
            raise Unresolved("the class has no method that closes it")
        form = _ASYNC if isinstance(methods.get(name), ast.AsyncFunctionDef) else _PLAIN
        end = "\n    ".join(held or [f"self.{name}()"])
        target = word(context, "class", anchor)
        made = [call("add_method", target=target, code=code) for code in form.format(end=end).split("\n\n\n")]
        doubts = (
            () if name.endswith("close") else (assumed(f"{name or ', '.join(held)} was assumed to end it"),)
        )
        yield build_at(anchor, *made, weight=0.9, doubts=doubts)
