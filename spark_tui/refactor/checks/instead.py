"""One way to tell a caller in the place of another: *return the message instead of printing it*, *raise instead of printing*,
*loop must end on KeyboardInterrupt*.

Comes in: an order. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.said_of import SaidOf, said_of
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Source

_WHAT = r"(?:\s+(?:(?:out|back|just|it|them|that|so|the|a|an|its|this|message|messages|text|string|result|results|value|line|error|warning|output|answer|number|sum|total|report|name|something)\b\s*)+)?"
_INSTEAD = r"\s*,?\s*(?:instead of|rather than|and not|in place of|not)\s+(?:just\s+)?(?:to\s+)?"
_RETURN = re.compile(rf"^(?:return|give back|hand back)(?:s|ing)?{_WHAT}{_INSTEAD}print(?:ing|s)?{_WHAT}$", re.I)
_PRINT = re.compile(rf"^(?:print|show|output)(?:s|ing)?{_WHAT}{_INSTEAD}return(?:ing|s)?{_WHAT}$", re.I)
_RAISE = re.compile(
    rf"^(?:raise|throw)s?\s+(?:an?\s+|the\s+)?(?P<exc>[A-Za-z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Stop\w*))\b{_WHAT}{_INSTEAD}(?:print(?:ing|s)?|only printing){_WHAT}(?:\s*,?\s*(?:when|if|on|for|in case of)\s+(?P<when>.+))?$",
    re.I,
)
_END = re.compile(
    r"^(?:(?:end|stop|quit|finish|exit|leave|break)(?:s|ped)?(?: (?:quietly|silently|cleanly|gracefully|the loop))?\s+(?:on|with|at|by|for|upon|when (?:there is )?an?)|catch|handle|survive)\s+(?:an?\s+)?(?P<exc>KeyboardInterrupt|ctrl[ +-]?c|EOFError|StopIteration|[A-Z]\w*Error)(?: (?:quietly|silently|cleanly|gracefully|without (?:a )?traceback|comes|is raised))?(?: and (?:stop|end|quit|exit)(?: quietly)?)?$",
    re.I,
)


def _prints(src: Source, about: SaidOf) -> list[tuple[ast.Expr, ast.Call]]:
    return [
        (node, node.value)
        for node in about.find(ast.Expr)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and src.segment(node.value.func) == "print"
        and node.value.args
        and not node.value.keywords
        and not any(isinstance(one, ast.Starred) for one in node.value.args)
    ]


def as_one(src: Source, call: ast.Call) -> str:
    """The arguments of a print as one text, as it would show them."""
    if len(call.args) == 1:
        return src.segment(call.args[0])
    pieces: list[str] = []
    for one in call.args:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            pieces.append(src.segment(one)[1:-1].replace("{", "{{").replace("}", "}}"))
        elif isinstance(one, ast.JoinedStr):
            pieces.append(re.sub(r"^[fF]['\"]|['\"]$", "", src.segment(one)))
        else:
            pieces.append("{" + src.segment(one) + "}")
    inner = " ".join(pieces)
    quote = "'" if '"' in inner and "'" not in inner else '"'
    return f"f{quote}{inner}{quote}"


def _behind(src: Source, statement: ast.stmt) -> ast.stmt | None:
    block = src.block(statement)
    at = block.index(statement) + 1
    return block[at] if at < len(block) else None


def _ends(src: Source, statement: ast.stmt) -> bool:
    """Whether nothing runs behind it in its function."""
    at: ast.AST = statement
    while not isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef):
        parent = src.parents.get(at)
        if parent is None or isinstance(parent, ast.For | ast.While | ast.AsyncFor | ast.Try | ast.Module):
            return False
        if isinstance(at, ast.stmt) and src.block(at)[-1] is not at:
            return False
        at = parent
    return True


def _in_place(src: Source, statement: ast.stmt, new: str, gone: ast.stmt | None) -> list[Change]:
    end = src.span(gone)[1] if gone is not None else src.span(statement)[1]
    return [(src.span(statement)[0], end, new)]


def _returned(order: Order) -> Iterator[Edit]:
    """*return the message instead of printing it*."""
    src = order.src
    for about in said_of(order):
        match = _RETURN.match(about.rest)
        if match is None:
            continue
        found = _prints(src, about)
        changes: list[Change] = []
        for node, call in found:
            then = _behind(src, node)
            if isinstance(then, ast.Return) or _ends(src, node):
                new = f"return {as_one(src, call)}"
                changes += _in_place(src, node, new, then if isinstance(then, ast.Return) else None)
        if changes and len(changes) == len(found) and (about.named or len(found) == 1):
            yield order.edit(changes, about.named, match[0])


def _printed(order: Order) -> Iterator[Edit]:
    """*print the total instead of returning it*."""
    src = order.src
    for about in said_of(order):
        match = _PRINT.match(about.rest)
        found = [one for one in about.find(ast.Return) if isinstance(one, ast.Return)] if match else []
        own = [one for one in found if one.value is not None and not isinstance(one.value, ast.Tuple)]
        if match and own and len(own) == len(found) and all(_ends(src, one) for one in own) and (about.named or len(own) == 1):  # fmt: skip
            changes = [(*src.span(one), f"print({src.segment(one.value)})") for one in own if one.value is not None]
            yield order.edit(changes, about.named, match[0])


def _raised(order: Order) -> Iterator[Edit]:
    """*raise a RuntimeError instead of printing*."""
    src = order.src
    for about in said_of(order):
        match = _RAISE.match(about.rest)
        if match is None:
            continue
        found = _prints(src, about)
        if match["when"]:
            found = [one for one in found if _fits(src, one[0], match["when"])]
        guarded = [one for one in found if isinstance(src.parents.get(one[0]), ast.If | ast.ExceptHandler)]
        if len(guarded) != 1:
            continue
        node, call = guarded[0]
        then = _behind(src, node)
        plain = isinstance(then, ast.Return) and (then.value is None or isinstance(then.value, ast.Constant))
        if then is not None and not plain:
            continue
        args = ", ".join(src.segment(one) for one in call.args)
        kept = order.said if match["when"] is None else match["when"]
        yield order.edit(
            _in_place(src, node, f"raise {match['exc']}({args})", then), about.named, match[0] if kept else ""
        )


def _fits(src: Source, statement: ast.stmt, when: str) -> bool:
    """Whether every word of a condition stands in a statement or in the test around it."""
    test = src.parents.get(statement)
    text = src.segment(statement) + (src.segment(test.test) if isinstance(test, ast.If) else "")
    there = set(re.findall(r"[^\W\d_]+|\d+", text.lower()))
    said = [word for word in words(when) if word not in FILLERS]
    return bool(said) and all(word in there for word in said)


def _ended(order: Order) -> Iterator[Edit]:
    """*loop must end on KeyboardInterrupt*: a try around the loop."""
    src = order.src
    for about in said_of(order):
        match = _END.match(re.sub(r"^(?:(?:the )?(?:loop|program|script|it) (?:should|must|has to|can|needs to) )", "", about.rest, flags=re.I))  # fmt: skip
        if match is None:
            continue
        exc = "KeyboardInterrupt" if match["exc"].lower().startswith("ctrl") else match["exc"]
        loops = [one for one in about.find(ast.While) if isinstance(one, ast.While)]
        if not about.named:
            loops += [one for one in src.statements if isinstance(one, ast.While) and src.function_of(one) is None]
        loops = [one for one in loops if isinstance(one.test, ast.Constant) and not one.orelse] or loops
        if len(loops) != 1 or exc in src.segment(src.function_of(loops[0]) or loops[0]):
            continue
        loop = loops[0]
        first, last, indent, step = src.first_line(loop), src.last_line(loop), src.indent(loop), src.step
        strings = [one for one in ast.walk(loop) if isinstance(one, ast.Constant | ast.JoinedStr) and one.end_lineno != one.lineno]  # fmt: skip
        if strings:
            continue
        body = [step + line if line.strip() else line for line in src.lines[first:last]]
        new = [f"{indent}try:", *body, f"{indent}except {exc}:", f"{indent}{step}pass"]
        yield order.edit_text(src.with_lines(first, last, new), about.named, order.said)


RULES = (
    Rule(re.compile(r"\b(?:return|give back|hand back).*\bprint", re.I), _returned),
    Rule(re.compile(r"\b(?:print|show|output).*\breturn", re.I), _printed),
    Rule(re.compile(r"\b(?:raise|throw).*\bprint", re.I), _raised),
    Rule(re.compile(r"KeyboardInterrupt|ctrl|EOFError|StopIteration|\w+Error", re.I), _ended),
)
