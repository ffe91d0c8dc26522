# ruff: noqa: E501 - tables of forms read better unbroken
"""What is done where something strikes, done otherwise: raised in the place of returned, logged for printed, skipped.

Comes in: a text in which an answer stands, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.backends.otherwise_base import Base
from spark_tui.backends.otherwise_said import Said
from spark_tui.backends.statement_said import code_of
from spark_tui.backends.told_texts import Part, as_log, as_text, is_log, told_by
from spark_tui.backends.tree_forms import blocks
from spark_tui.refactor.idioms.text import negated
from spark_tui.refactor.source import Change, Function, Source

_ERROR = r"[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Stop|NotFound|Missing|Invalid)"
DEEDS = (
    rf"\b(?:raise|throw|rais\w+|throw\w+|blow up|fail(?: loudly)?|crash)\b|(?-i:\b{_ERROR}\b)|\blog(?:s|ged|ging|ger)?\b|\b(?:debug|info|warning|error|warn) level\b"
    r"|\bprint(?:ed|s|ing)?\b|\bwarn(?:s|ings?)?\b|\breturn(?:s|ing)?\b|\bskip(?:s|ped|ping)?\b|\bcontinue\b|\bignor\w+\b|\bbreak\b|\bassert\b|\bsys\.exit\b|\bexit\b|\bpass\b|\bstderr\b"
)
_RAISE = re.compile(
    rf"(?:\b(?:raise|throw|raising|throwing|fail with|blow up with)\s+(?:an? |the |our |that )?(?P<e>(?-i:(?:\w+\.)*[A-Z]\w+))|(?:an? |the )?(?P<f>(?-i:(?:\w+\.)*{_ERROR})))\b(?P<args>\()?",
    re.I,
)
_LEAVES = re.compile(r"(?:return|raise|continue|break)\b")
_BARE_RAISE = re.compile(r"\b(?:raise|throw|raises|re-?raise|raising|fail loudly|blow up|crash)\b", re.I)
_LOG = re.compile(
    r"\blog(?:s|ged|ging|ger)?\b(?! (?:of|base|file)\b)|\b(?:debug|info|warning|error|warn) level\b", re.I
)
_LEVEL = re.compile(r"\b(debug|info|warn|warning|error|critical|exception)\b(?! level logger)", re.I)
_RETURN = re.compile(r"\b(?:return|returning|give back|hand back)\b\s*(?P<v>[^;,]*)", re.I)
_SKIP = re.compile(r"\b(?:skip|continue|ignore|ignoring|skipping)\b(?! the \w+ (?:arg|param))", re.I)
_WITH = re.compile(
    r"\b(?:with|of|for|naming|about|incl\w*|and) (?:the |that |its |this |an? )?(?P<x>[\w.]+)(?: (?:in it|as (?:the )?(?:message|arg\w*)|in the message))?",
    re.I,
)
_TEXT = re.compile(r"[fF]?\"[^\"]*\"|(?<!\w)[fF]?'[^']*'(?!\w)")


@dataclass(frozen=True)
class Deed:
    """One statement that is to be: its kind and its code; `told` where it takes over what was told."""

    kind: str
    code: str


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
    guarded = [
        one
        for one in out
        if isinstance(base.src.parents.get(one[0]), (ast.If, ast.ExceptHandler))
        and base.stands.brought(base.src.parents[one[0]])
    ]
    return guarded or [one for one in out if kind_of(base.src, one[-1]) == "tell"]


def deeds(base: Base, said: Said) -> Iterator[str]:
    """*raise a KeyError with the name*, *log it*, *skip those*: in the place of what was done there."""
    src = base.src
    found = groups(base)
    if not found:
        yield from _of_assert(base, said)
        return
    if len(found) > 1 and len({tuple(type(one) for one in group) for group in found}) > 1:
        return
    changes: list[Change] = []
    for group in found:
        wanted = _wanted(base, said, group)
        if wanted is None:
            return
        indent = src.indent(group[0])
        lines = [one.code for one in wanted]
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
    if "warnings.warn" in text:
        imports.append("import warnings")
    made = list(base.made(changes, *dict.fromkeys(imports)))
    if made and re.search(r"\blogger\.", text) and _logger(src, found[0][0]) == "":
        made = [_with_logger(made[0])]
    yield from made


def _wanted(base: Base, said: Said, group: list[ast.stmt]) -> list[Deed] | None:
    """The deeds that a message names, in the place of some."""
    src = base.src
    new = _said_deeds(base, said, group)
    if new is None or not new:
        return None
    leaves = [one for one in group if kind_of(src, one) == "leave"]
    tells = [one for one in group if kind_of(src, one) == "tell"]
    new_tells = [one for one in new if one.kind == "tell"]
    new_leaves = [one for one in new if one.kind == "leave"]
    out: list[Deed] = []
    if new_tells:
        out += new_tells
    elif tells and new_leaves and not re.match(r"raise|return [\"'f]", new_leaves[0].code):
        out += [Deed("tell", src.segment(one)) for one in tells]
    if new_leaves:
        out += new_leaves
    elif leaves:
        raised = isinstance(leaves[0], ast.Raise)
        if isinstance(leaves[0], ast.Pass) or (
            raised and not said.besides and not re.search(r"\b(?:first|before)\b", said.message)
        ):
            pass
        else:
            out += [Deed("leave", src.segment(one)) for one in leaves]
    return out


def _said_deeds(base: Base, said: Said, group: list[ast.stmt]) -> list[Deed] | None:
    src = base.src
    text = said.orders or said.everything
    if not re.search(DEEDS, text, re.I):
        text = said.everything
    told = next((parts for one in group if (parts := told_by(src, one)) is not None), None)
    found: list[tuple[int, Deed]] = []
    rest = text
    raised = _RAISE.search(text)
    caught = re.search(r"\b(?:catch|except|handle|on)\b[^;]*$", text[: raised.start()] if raised else "", re.I)
    if raised and not caught:
        error = (raised["e"] or raised["f"]).split(".")[0]
        if not hasattr(builtins, error) and not re.search(rf"\b{error}\b", src.text):
            return None
        found.append((raised.start(), Deed("leave", _raise(base, text, raised, told, group[0]))))
        rest = text[: raised.start()]
    elif (bare := _BARE_RAISE.search(text)) is not None:
        stood = group[0] if isinstance(group[0], ast.Raise) else None
        handled = isinstance(src.parents.get(group[0]), ast.ExceptHandler)
        if stood is not None or (re.search(r"re-?raise", text, re.I) and not handled):
            return None
        code = (
            "raise"
            if handled
            else "raise ValueError" + (f"({as_text(told)})" if told else _about(base, group[0], "ValueError"))
        )
        found.append((bare.start(), Deed("leave", code)))
    returned = _RETURN.search(rest)
    if returned and base.src.function_of(group[0]) is not None:
        value = re.sub(
            r"\s+(?:in (?:that|this|the) case|there|here|then|early|instead|for (?:that|those|it|them)|when .*|if .*|and .*)$",
            "",
            returned["v"].strip(" ."),
        )
        value = (
            re.sub(r"^(?:just|a|an|the|early|plain)\b\s*(?=\w)", "", value)
            if not value.startswith(("an empty", "a empty"))
            else value
        )
        result = code_of("return", value, src.lines)
        if result is None:
            return None
        found.append((returned.start(), Deed("leave", result)))
        rest = rest[: returned.start()] + " " * (returned.end() - returned.start()) + rest[returned.end() :]
    loop = _loop(src, group[0])
    if (match := _SKIP.search(rest)) is not None and not re.search(r"ignore case", rest, re.I):
        code = "continue" if loop else "pass" if isinstance(src.parents.get(group[0]), ast.ExceptHandler) else "return"
        found.append((match.start(), Deed("leave", code)))
    if (match := re.search(r"\bbreak\b|\bstop (?:there|the loop|looping)\b", rest, re.I)) is not None and loop:
        found.append((match.start(), Deed("leave", "break")))
    if (
        match := re.search(
            r"\bsys\.exit\(?(?P<n>[^)\s;]*)\)?|\bexit(?: (?:with|code|status))* ?(?P<m>\d+)?", rest, re.I
        )
    ) is not None:
        told_text = as_text(told) if told and match["n"] == "" and match["m"] is None else ""
        found.append((match.start(), Deed("leave", f"sys.exit({match['n'] or match['m'] or told_text or 1})")))
    if (match := _LOG.search(rest)) is not None:
        line = _log(base, said, text, told, group[0])
        if line is None:
            return None
        found.append((match.start(), Deed("tell", line)))
    elif (match := re.search(r"\bwarn(?:s|ings?)?\b(?! level)", rest, re.I)) is not None:
        words = _said_text(text) or (as_text(told) if told else "")
        if not words:
            return None
        if re.search(r"warnings?\.warn|\bwarnings module\b", rest, re.I) or not _logger(src, group[0]):
            found.append((match.start(), Deed("tell", f"warnings.warn({words})")))
        else:
            line = _log(base, said, text, told, group[0], "warning")
            if line is None:
                return None
            found.append((match.start(), Deed("tell", line)))
    elif (match := re.search(r"\bprint(?:s|ed)?\b|\bstderr\b", rest, re.I)) is not None:
        words = _said_text(text) or (as_text(told) if told else "")
        if not words:
            return None
        where = ", file=sys.stderr" if re.search(r"\bstderr\b", text) else ""
        found.append((match.start(), Deed("tell", f"print({words}{where})")))
    return [deed for _, deed in sorted(found, key=lambda one: one[0])]


def _said_text(text: str) -> str:
    found = _TEXT.findall(text)
    return found[0] if len(found) == 1 else ""


def _raise(base: Base, text: str, match: re.Match[str], told: list[Part] | None, node: ast.stmt) -> str:
    """The code of a `raise`, with what is said to be in it, or what was told there."""
    error = match["e"] or match["f"]
    if match["args"]:
        depth, at = 0, match.end() - 1
        for at in range(match.end() - 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[at], 0)
            if not depth:
                break
        return f"raise {error}{text[match.end() - 1 : at + 1]}"
    rest = text[match.end() :]
    words = _said_text(rest)
    if words:
        holes = re.search(r"\{\w", words)
        return f"raise {error}({'f' if holes and words[0] not in 'fF' else ''}{words})"
    given = _WITH.search(rest)
    if given is not None:
        name = _in_reach(base, node, given["x"])
        if name:
            return f"raise {error}({name})"
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        return f"raise {error}{base.src.text[base.src.span(node.exc.func)[1] : base.src.span(node.exc)[1]]}"
    if told:
        return f"raise {error}({as_text(told)})"
    return f"raise {error}{_about(base, node, error)}"


def _in_reach(base: Base, node: ast.stmt, name: str) -> str:
    """A name of the function by which it is said."""
    function = base.src.function_of(node)
    inside = {item.id for item in ast.walk(function) if isinstance(item, ast.Name)} if function is not None else set()
    inside |= {item.arg for item in ast.walk(function) if isinstance(item, ast.arg)} if function is not None else set()
    if name in inside:
        return name
    near = [one for one in sorted(inside) if name in one.split("_")]
    return near[0] if len(near) == 1 else ""


def _about(base: Base, node: ast.stmt, error: str) -> str:
    """What an exception is given of which no text is said: what the test is about."""
    guard = base.src.parents.get(node)
    if not isinstance(guard, ast.If):
        return ""
    params = []
    function = base.src.function_of(node)
    if function is not None:
        params = [
            item.arg
            for item in ast.walk(function.args)
            if isinstance(item, ast.arg) and item.arg not in ("self", "cls")
        ]
    names = [item.id for item in ast.walk(guard.test) if isinstance(item, ast.Name)]
    about = next((name for name in names if name in params), next(iter(names), ""))
    if not about:
        return ""
    if error in ("KeyError", "LookupError", "IndexError"):
        stands_for = about if about in params or len(params) != 1 else params[0]
        return f"({stands_for})"
    return f'(f"invalid {about.replace("_", " ")}: {{{about}!r}}")'


def _log(base: Base, said: Said, text: str, told: list[Part] | None, node: ast.stmt, level: str = "") -> str | None:
    src = base.src
    words = _said_text(text)
    parts: list[Part] | None = [words.strip("\"'")] if words and words[0] in "\"'" and "{" not in words else told
    if parts is None:
        return None
    given = _LEVEL.findall(re.sub(r"\w*Error\b|\berror message\b", " ", said.message))
    way = (level or next(iter(given), "")).lower()
    handled = any(isinstance(one, ast.ExceptHandler) for one in src.ancestors(node))
    if not way:
        way = (
            "exception"
            if re.search(r"traceback|stack ?trace", text, re.I) and handled
            else "warning"
            if handled or isinstance(node, ast.Raise)
            else "info"
        )
    way = "warning" if way == "warn" else way
    logger = _logger(src, node)
    if not logger:
        logger = "logger" if re.search(r"\blogger\b|getLogger", said.message) else "logging"
    parts = [
        re.sub(r"^(?:warning|error|info|debug|note)[:!]\s*", "", parts[0], flags=re.I)
        if isinstance(parts[0], str)
        else parts[0],
        *parts[1:],
    ]
    return f"{logger}.{way}({as_log(parts, src)})"


def _logger(src: Source, node: ast.stmt) -> str:
    found = re.findall(r"^(\w+)(?:: [\w.]+)? = (?:logging\.getLogger|getLogger|structlog\.get_logger)", src.text, re.M)
    if not found:
        own = re.findall(r"\b(self\._?log(?:ger)?) = ", src.text)
        return own[0] if own and src.function_of(node) is not None else ""
    return str(found[0])


def _with_logger(text: str) -> str:
    """With a logger of the module behind the imports."""
    lines = text.split("\n")
    tree = ast.parse(text)
    last = max(
        (node.end_lineno or 0 for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))), default=0
    )
    lines[last:last] = ["", "logger = logging.getLogger(__name__)"]
    return "\n".join(lines)


def _loop(src: Source, node: ast.stmt) -> bool:
    for one in src.ancestors(node):
        if isinstance(one, (ast.For, ast.While, ast.AsyncFor)):
            return True
        if isinstance(one, Function):
            return False
    return False


def _of_assert(base: Base, said: Said) -> Iterator[str]:
    """*raise ValueError("not a PNG")* for an assertion that was put in."""
    src = base.src
    found = [one for one in base.stands.statements if isinstance(one, ast.Assert)]
    text = said.orders or said.everything
    raised = _RAISE.search(text) or _RAISE.search(said.everything)
    if len(found) != 1 or raised is None:
        return
    node = found[0]
    text = text if _RAISE.search(text) else said.everything
    told = told_by(src, node)
    code = _raise(base, text, raised, told, node)
    if code.endswith(("Error", "Exception")):
        return
    indent = src.indent(node)
    yield from base.made([(*src.span(node), f"if {negated(src, node.test)}:\n{indent}{src.step}{code}")])
