"""Texts that statements tell, and the same text as a literal or as a log line is given it.

Comes in: statements. Goes out: texts as pieces, code. Must not know: messages, hunks.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.source import Source

Part = str | tuple[str, str]
"""Of a text: letters, or an expression and how it is shown."""


def parts_of(src: Source, node: ast.expr) -> list[Part] | None:
    """A text with what is filled in."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        out: list[Part] = []
        for item in node.values:
            if isinstance(item, ast.Constant):
                out.append(str(item.value))
            elif isinstance(item, ast.FormattedValue):
                spec = ""
                if isinstance(item.format_spec, ast.JoinedStr):
                    if not all(isinstance(one, ast.Constant) for one in item.format_spec.values):
                        return None
                    spec = ":" + "".join(str(getattr(one, "value", "")) for one in item.format_spec.values)
                conv = f"!{chr(item.conversion)}" if item.conversion > 0 else ""
                out.append((ast.unparse(item.value), conv + spec))
        return out
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = parts_of(src, node.left), parts_of(src, node.right)
        return (
            None
            if left is None and right is None
            else [*(left or _hole(src, node.left)), *(right or _hole(src, node.right))]
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant):
        given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return _percent(src, str(node.left.value), given)
    return None


def _hole(src: Source, node: ast.expr) -> list[Part]:
    if isinstance(node, ast.Call) and src.segment(node.func) == "str" and len(node.args) == 1:
        node = node.args[0]
    return [(src.segment(node), "")]


def _percent(src: Source, words: str, given: list[ast.expr]) -> list[Part] | None:
    pieces = re.split(r"(%[-+ #0]*\d*(?:\.\d+)?[sdrfxgi])", words)
    if len(pieces) // 2 != len(given):
        return None
    out: list[Part] = []
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            out += [piece.replace("%%", "%")] if piece else []
        else:
            how = (
                {"s": "", "d": "", "i": "", "r": "!r"}.get(piece[-1], ":" + piece[1:])
                if len(piece) == 2
                else ":" + piece[1:]
            )
            out.append((src.segment(given[at // 2]), how))
    return out


def told_by(src: Source, node: ast.stmt) -> list[Part] | None:
    """The text that a statement tells: of a print, a log line, an exception, an assertion, a returned text."""
    value = (
        node.value
        if isinstance(node, (ast.Expr, ast.Return))
        else node.msg
        if isinstance(node, ast.Assert)
        else getattr(node, "exc", None)
    )
    if isinstance(value, ast.Call) and not isinstance(node, ast.Return):
        if len(value.args) > 1 and is_log(src, value) and isinstance(value.args[0], ast.Constant):
            return _percent(src, str(value.args[0].value), value.args[1:])
        if len(value.args) > 1 and src.segment(value.func) == "print":
            out: list[Part] = []
            for item in value.args:
                one = parts_of(src, item) or _hole(src, item)
                out += ([" "] if out else []) + one
            return out
        value = value.args[0] if value.args else None
    if value is None:
        return None
    parts = parts_of(src, value)
    if isinstance(node, ast.Return) and parts is not None and not re.search(r"\w \w", as_text(parts)):
        return None  # A value, and no message.
    return parts


def as_text(parts: list[Part]) -> str:
    """As a literal."""
    holes = any(not isinstance(one, str) for one in parts)
    words = ""
    for one in parts:
        if isinstance(one, str):
            words += one.replace("{", "{{").replace("}", "}}") if holes else one
        else:
            words += "{" + one[0] + one[1] + "}"
    words = words.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    quote = "'" if '"' in words and "'" not in words else '"'
    return (
        ("f" if holes else "")
        + quote
        + (words.replace('"', "'") if quote == '"' and holes else words.replace(quote, f"\\{quote}"))
        + quote
    )


def as_log(parts: list[Part], src: Source) -> str:
    """As what a log line is given: filled in later, or an f-string where the file does so."""
    holes = [one for one in parts if not isinstance(one, str)]
    if any(one[1] and not re.fullmatch(r"!r|:[-0]*\d*(?:\.\d+)?[dfgx]|:\.\d+f", one[1]) for one in holes) or re.search(
        r"\blog\w*\.\w+\(f[\"']", src.text
    ):
        return as_text(parts)
    words = ""
    for one in parts:
        if isinstance(one, str):
            words += one.replace("%", "%%") if holes else one
        else:
            words += "%r" if one[1] == "!r" else "%" + one[1][1:] if one[1] else "%s"
    words = words.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return ", ".join([f'"{words}"', *(one[0] for one in holes)])


def is_log(src: Source, call: ast.Call) -> bool:
    return re.fullmatch(r"(?:self\.)?_?log(?:ger|ging)?\.\w+", src.segment(call.func), re.I) is not None
