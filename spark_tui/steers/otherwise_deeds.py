"""What is done where something strikes, done otherwise: raised in the place of returned, logged for printed,
skipped.

Comes in: a text in which an answer stands, a message. Goes out: texts that may be wanted. Must not know:
engines, ids.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.idioms.text import negated
from spark_tui.refactor.source import Change, Source
from spark_tui.steers.deeds_said import Deed, Named, logger_of
from spark_tui.steers.otherwise_base import Base
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.told_texts import is_log
from spark_tui.steers.tree_forms import blocks

_LEAVES = re.compile(r"(?:return|raise|continue|break)\b")


def kind_of(src: Source, node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = src.segment(node.value.func)
        if called == "print" or called == "warnings.warn" or is_log(src, node.value):
            return "tell"
        if called in ("sys.exit", "exit", "quit"):
            return "leave"
        return ""
    if isinstance(node, (ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Pass)):
        return "leave"
    return ""


def groups(base: Base) -> list[list[ast.stmt]]:
    """Deeds that the answer brought, those of one block together."""
    out = []
    for block in blocks(base.src):
        found = [one for one in block if kind_of(base.src, one) and base.stands.brought(one)]
        if found and block[block.index(found[0]) : block.index(found[-1]) + 1] == found:
            out.append(found)
    if all(kind_of(base.src, one) == "tell" for group in out for one in group):
        return out  # One is as much of the answer as the other.
    guarded = [
        one
        for one in out
        if isinstance(base.src.parents.get(one[0]), (ast.If, ast.ExceptHandler))
        and base.stands.brought(base.src.parents[one[0]])
    ]
    return guarded or [
        one for one in out if kind_of(base.src, one[-1]) == "tell" or _is_new_value(base, one[-1])
    ]


def _is_new_value(base: Base, node: ast.stmt) -> bool:
    """Whether a plain value is returned where nothing was."""
    plain = isinstance(node, ast.Return) and isinstance(node.value, ast.Constant)
    return (
        plain
        and base.src.lines[base.src.first_line(node)] not in base.stands.lines
        and any(hunk.first == hunk.last for hunk in base.stands.hunks)
    )


def deeds(base: Base, said: Said) -> Iterator[str]:
    """*raise a KeyError with the name*, *log it*, *skip those*: in the place of what was done there."""
    src = base.src
    found = groups(base)
    if not found:
        yield from _of_assert(base, said)
        return
    if len(found) > 1 and len({tuple(type(one) for one in group) for group in found}) > 1:
        return
    if len(found) > 1 and re.search(r"\breturn", said.orders):
        return  # Which of them?
    changes: list[Change] = []
    for group in found:
        if _on_other_terms(src, said, group[0]):
            return
        wanted = _wanted(base, said, group)
        if not wanted:
            return
        indent = src.indent(group[0])
        lines = [one.code for one in wanted]
        handler = src.parents.get(group[0])
        if (
            re.search(r"\bfrom (?:it|that|e|exc?|err|error|the \w+|None)\b|\bchain", said.message)
            and isinstance(handler, ast.ExceptHandler)
            and handler.type is not None
            and re.match(r"raise \w", lines[-1])
        ):
            name = "None" if "from None" in said.message else handler.name or "exc"
            lines[-1] += f" from {name}"
            if handler.name is None and name != "None":
                changes.append((src.span(handler.type)[1], src.span(handler.type)[1], " as exc"))
        last, block = group[-1], src.block(group[-1])
        behind = block[block.index(last) + 1 :]
        if behind and _LEAVES.match(lines[-1]):
            if len(behind) > 1 or kind_of(src, behind[0]) != "leave":
                return
            last = behind[0]  # It is not come to any more.
        changes.append((src.span(group[0])[0], src.span(last)[1], f"\n{indent}".join(lines)))
    text = "\n".join(code for _, _, code in changes)
    imports = []
    if re.search(r"\blogg(?:ing|er)\.", text) and not re.search(
        r"^(?:import|from) logging\b|^logger\b", src.text, re.M
    ):
        imports.append("import logging")
    if "sys.exit" in text or "sys.stderr" in text:
        imports.append("import sys")
    if re.search(r"\babort\(", text) and "flask" in src.text:
        imports.append("from flask import abort")
    if "warnings.warn" in text:
        imports.append("import warnings")
    imports += [
        f"import {name}" for name in re.findall(r"\braise (\w+)\.\w", text) if name in sys.stdlib_module_names
    ]
    made = list(base.made(changes, *dict.fromkeys(imports)))
    if made and re.search(r"\blogger\.", text) and logger_of(src, found[0][0]) == "":
        made = [_with_logger(made[0])]
    yield from made


def _on_other_terms(src: Source, said: Said, node: ast.stmt) -> bool:
    """Whether a condition is said that is about something else than the test around: *skip it when strict is
    false*."""
    terms = re.search(r"\b(?:when|if|unless|where|while)\b (?P<t>[^;]*)", said.orders)
    if terms is None:
        return False
    guard = src.parents.get(node)
    tested = src.segment(guard.test) if isinstance(guard, ast.If) else ""
    function = src.function_of(node)
    own = (
        {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)} if function is not None else set()
    )
    return any(word not in tested for word in re.findall(r"\w+", terms["t"]) if word in own or word.isdigit())


def _wanted(base: Base, said: Said, group: list[ast.stmt]) -> list[Deed]:
    """The deeds that a message names, with those of the place that stay."""
    src = base.src
    new = Named(src, said, group).deeds
    if not new:
        return []
    leaves = [one for one in group if kind_of(src, one) == "leave"]
    tells = [one for one in group if kind_of(src, one) == "tell"]
    new_tells = [one for one in new if not one.leaves]
    new_leaves = [one for one in new if one.leaves]
    out = list(new_tells)
    if (
        not new_tells
        and tells
        and new_leaves
        and not re.match(r"raise .|(?:return |sys\.exit\()[\"'f]", new_leaves[0].code)
    ):
        out += [Deed(False, src.segment(one)) for one in tells]
    if new_leaves:
        return [*out, *new_leaves]
    before = said.besides or re.search(r"\b(?:first|before)\b", said.message) is not None
    stay = leaves and not isinstance(leaves[0], ast.Pass) and (before or not isinstance(leaves[0], ast.Raise))
    return [*out, *(Deed(True, src.segment(one)) for one in leaves if stay)]


def _with_logger(text: str) -> str:
    """With a logger of the module behind the imports."""
    lines = text.split("\n")
    tree = parse_code(text)
    last = max(
        (node.end_lineno or 0 for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))),
        default=0,
    )
    lines[last:last] = ["", "logger = logging.getLogger(__name__)"]
    return "\n".join(lines)


def _of_assert(base: Base, said: Said) -> Iterator[str]:
    """*raise ValueError("not a PNG")* for an assertion that was put in."""
    src = base.src
    found = [one for one in base.stands.statements if isinstance(one, ast.Assert)]
    wanted = Named(src, said, found).deeds if len(found) == 1 else None
    if not wanted or not re.match(r"raise \w+\(", wanted[-1].code):
        return
    inner = f"\n{src.indent(found[0])}{src.step}"
    code = inner.join(one.code for one in wanted)
    yield from base.made([(*src.span(found[0]), f"if {negated(src, found[0].test)}:{inner}{code}")])
