"""Of several calls those that an argument can be meant for: they take it, or read where reading is said."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Source

_READING = ("read_text", "read_bytes", "reader", "load", "loads")
_WRITING = ("write_text", "write_bytes", "writer", "dump", "dumps")


def likely_calls(context: Context, source: Source, calls: Sequence[ast.AST | None]) -> list[ast.Call]:
    """The calls that have the argument that is named among their parameters, and of those that open files
    those that read, or write, where it is said; all where that tells nothing."""
    wanted = key(plain_name(context.text("argument")))
    every = [call for call in calls if isinstance(call, ast.Call)]
    if wanted and len(every) > 1:
        takes = [call for call in every if wanted in map(key, parameters_called(context.repo, source, call))]
        every = takes or every
    other_words = context.beside_slots()
    reads, writes = (says("file_words", kind, other_words) for kind in ("read", "written"))
    if len(every) > 1 and reads is not writes:
        every = [
            call for call in every if _writes(call) is not None and bool(_writes(call)) is writes
        ] or every
    return every


def _writes(node: ast.Call) -> bool | None:
    """Whether a call writes to a file or opens one for that; None where it has to do with none."""
    name = ast.unparse(node.func).rpartition(".")[2]
    if name.lower().endswith(_READING + _WRITING):
        return name.lower().endswith(_WRITING)
    if name not in ("open", "fdopen"):
        return None
    given = [*node.args[1 - (name == "open" and _is_method(node)) :][:1]]
    given += [keyword.value for keyword in node.keywords if keyword.arg == "mode"]
    modes = [str(arg.value) for arg in given if isinstance(arg, ast.Constant) and is_text(arg)]
    return any(sign in mode for mode in modes for sign in "wax")


def _is_method(node: ast.Call) -> bool:
    """Whether the file itself is opened, as by `path.open("w")`, and not a module called with a path."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return owner is not None and ast.unparse(owner) not in ("io", "gzip", "bz2", "lzma", "codecs", "os")
