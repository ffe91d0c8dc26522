"""Where a program reads the types of a function while it runs."""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.callsites import HARMLESS, call_sites, find_parameter_readers
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.words import word_set

_READ_TYPES = frozenset(("get_type_hints", "get_annotations", "signature", "getfullargspec"))
_BY_TYPES = word_set(
    "register validate_call validate_arguments typechecked beartype inject get post put patch delete"
    " websocket command callback tool dispatch multimethod"
)
"""Decorators that choose, convert or check by the types of parameters."""


def read_types(
    repo: Repository, source: Source, node: Function, *, kept: bool = False
) -> Iterator[Unfollowed]:
    """Where the types are read: by a decorator of the function, or `get_type_hints(function)`. Where types
    are `kept`, only a decorator that works by them counts."""
    for one, name in zip(node.decorator_list, decorator_names(node), strict=True):
        if name in _BY_TYPES or (not kept and name not in HARMLESS):
            yield Unfollowed(source.path, one.lineno, f"the decorator {name or 'here'} may read the types")
    if not kept:
        yield from find_parameter_readers(repo, call_sites(repo, [(source.path, node)]).values)
    for path in sorted(repo.index.files_with(node.name)):
        for call in repo.index.scopes(path).calls:
            if last_name(call.func) in _READ_TYPES and node.name in map(last_name, call.args):
                shown = repo.index.source(path).segment(call).splitlines()[0]
                yield Unfollowed(path, call.lineno, f"{shown} reads the types")
        for use in repo.index.scopes(path).attributes_by_name.get("__annotations__", ()):
            if last_name(use.node.value) == node.name:
                yield Unfollowed(path, use.node.lineno, f"{node.name}.__annotations__ reads the types")
