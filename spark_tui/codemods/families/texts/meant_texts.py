"""Parts of strings that mean more than their letters: a name that is looked up, a place that is filled in,
the end of an escape."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.uses.by_string import attribute_by_string
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_IMPORTING = word_set("import_module __import__ patch")
_NAMING = word_set("add_argument add_option namedtuple make_dataclass eval exec Template")
"""What makes names of the texts that it is given first, or reads them as code."""
_FILLED = re.compile(r"(?:%\(|\$\{?|\(\?P[<=]|(?<!\{)\{)\w*\Z")
_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
_MOST = 40


def meant_texts(repo: Repository, path: str, edits: Sequence[Edit]) -> Iterator[Unfollowed]:
    """Doubts about the edited strings of a file by which something is looked up, named or filled in."""
    source = repo.index.source(path)
    for edit in edits:
        line, before = source.line_number(edit.start), source.text[max(0, edit.start - _MOST) : edit.start]
        if _FILLED.search(before):
            yield Unfollowed(path, line, "what is filled in there goes by this name")
        if _ESCAPE.search(before):
            yield Unfollowed(path, line, "the backslash in front of it may be a part of it")
    for one in source.strings:
        low, high = source.span(one)
        if any(low <= edit.start < high for edit in edits) and (shown := _looks_up(source, one)):
            yield Unfollowed(path, one.lineno, f"{shown} looks something up by this text")


def _looks_up(source: Source, string: ast.Constant) -> str:
    """What makes a name of a string: a call that is given it, or a dictionary that `**` hands on."""
    for below, one in source.climb(string):
        if isinstance(one, ast.keyword):
            mapping = one.arg is None and isinstance(below, ast.Dict) and string in below.keys
            return f"**{ast.unparse(below)}" if mapping else ""
        if isinstance(one, ast.Call) and below in one.args:
            found = attribute_by_string(one, str(string.value)) if below is string else None
            known = (found is not None and found[2]) or (below is string and called_name(one) in _IMPORTING)
            return f"{ast.unparse(one.func)}(…)" if known or called_name(one) in _NAMING else ""
        if isinstance(one, ast.stmt | ast.Call):
            return ""
    return ""
