"""Strings with values in them: f-strings for %, format and +, and back.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import bracketed
from spark_tui.refactor.source import Source

Part = str | tuple[str, str, str]
"""Text as it stands between quotes, or an expression with its conversion and its format."""
_PERCENT = re.compile(
    r"%(?:%|(?:\((?P<key>\w+)\))?(?P<flags>[-0+ #]*)(?P<width>\d*)(?P<prec>\.\d+)?(?P<kind>[sdrfgGeExXoici]))"
)
_FIELD = re.compile(r"\{\{|\}\}|\{(?P<name>[^{}:!]*)(?:!(?P<conv>[rsa]))?(?::(?P<spec>[^{}]*))?\}")


def _literal(src: Source, node: ast.AST) -> tuple[str, str, str] | None:
    """Prefix, quote and inner text of a string that stands on one line in one piece."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node.lineno != node.end_lineno:
        return None
    match = re.fullmatch(r"([rR]?)(\"\"\"|'''|\"|')(.*)\2", src.segment(node))
    if match is None or (not match[1] and len(match[2]) == 1 and re.search(rf"(?<!\\){match[2]}", match[3])):
        return None
    return match[1], match[2], match[3]


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _expression(src: Source, node: ast.expr) -> tuple[str, str]:
    """The text of an expression, and a conversion, without a `str()` or `repr()` that the f-string does itself."""
    plain = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords and len(node.args) == 1
    if plain and isinstance(node, ast.Call) and not isinstance(node.args[0], ast.Starred):
        name = src.segment(node.func)
        if name in ("str", "repr"):
            return src.segment(node.args[0]), "!r" if name == "repr" else ""
    return src.segment(node), ""


def _written(parts: list[Part], prefix: str, quote: str) -> str | None:
    """An f-string of parts, with quotes that do not clash."""
    inside = [part[0] for part in parts if isinstance(part, tuple)]
    if any("\\" in one or "\n" in one or "#" in one for one in inside) or not inside:
        return None
    texts = "".join(part for part in parts if isinstance(part, str))
    other = "'" if quote[0] == '"' else '"'
    swap = any(quote[0] in one for one in inside)
    out = []
    for part in parts:
        if isinstance(part, str):
            out.append(part)
            continue
        text, conversion, form = part
        if swap and len(quote) == 1 and quote in text:
            if other in text or "f'" in text or 'f"' in text:
                return None
            text = text.replace(quote, other)
        lead = " " if text.startswith("{") else ""
        if re.match(r"lambda\b", text) or (":=" in text):
            text = f"({text})"
        out.append("{" + lead + text + conversion + (f":{form}" if form else "") + "}")
    if "\n" in texts:
        return None
    return f"f{prefix}{quote}{''.join(out)}{quote}"


def _of_percent(src: Source, node: ast.AST) -> str | None:
    if (
        not isinstance(node, ast.BinOp)
        or not isinstance(node.op, ast.Mod)
        or (literal := _literal(src, node.left)) is None
    ):
        return None
    prefix, quote, text = literal
    fields = [match for match in _PERCENT.finditer(text) if match[0] != "%%"]
    keyed = any(match["key"] for match in fields)
    right = node.right
    if keyed:
        if not isinstance(right, ast.Dict) or not all(isinstance(key, ast.Constant) for key in right.keys):
            return None
        values = {
            str(key.value): value
            for key, value in zip(right.keys, right.values, strict=True)
            if isinstance(key, ast.Constant)
        }
        exprs = [values.get(match["key"]) for match in fields]
    else:
        listed = right.elts if isinstance(right, ast.Tuple) else [right]
        if (
            len(listed) != len(fields)
            or isinstance(right, ast.Dict)
            or any(isinstance(one, ast.Starred) for one in listed)
        ):
            return None
        exprs = [*listed]
    if re.sub(_PERCENT, "", text).count("%") or not fields:
        return None
    parts: list[Part] = []
    at, number = 0, 0
    for match in _PERCENT.finditer(text):
        parts.append(_escaped(text[at : match.start()]))
        at = match.end()
        if match[0] == "%%":
            parts.append("%")
            continue
        value = exprs[number]
        number += 1
        if value is None:
            return None
        expression, conversion = _expression(src, value)
        kind, flags = match["kind"], match["flags"]
        form = ""
        if kind == "r":
            conversion = "!r"
        if "-" in flags:
            form = "<"
        elif match["width"] and kind in "sr" and "0" not in flags:
            form = ">"
        form += "+" * ("+" in flags) + " " * (" " in flags) + "#" * ("#" in flags)
        form += ("0" * ("0" in flags)) + match["width"] + (match["prec"] or "")
        if kind in "fgGeExXo":
            form += kind
        elif kind == "d" and form:
            form += "d"
        elif kind in "ic":
            return None
        if kind == "d" and form and match["prec"]:
            return None
        parts.append((expression, conversion, form))
    parts.append(_escaped(text[at:]))
    return _written(parts, prefix, quote)


def _of_format(src: Source, node: ast.AST) -> str | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "format":
        return None
    literal = _literal(src, node.func.value)
    if (
        literal is None
        or any(isinstance(one, ast.Starred) for one in node.args)
        or any(one.arg is None for one in node.keywords)
    ):
        return None
    prefix, quote, text = literal
    named = {one.arg: one.value for one in node.keywords}
    parts: list[Part] = []
    at, number, seen = 0, 0, 0
    for match in _FIELD.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
        if match["name"] is None:
            parts.append(match[0])
            continue
        head = re.match(r"\w*", match["name"])
        key, tail = (head[0] if head else ""), match["name"][len(head[0]) if head else 0 :]
        if key == "" or key.isdigit():
            index = int(key) if key else number
            number += 1
            if index >= len(node.args):
                return None
            value = node.args[index]
        elif key in named:
            value = named[key]
        else:
            return None
        expression, conversion = _expression(src, value)
        if tail:
            tail = re.sub(r"\[([A-Za-z_]\w*)\]", lambda found: f"['{found[1]}']", tail)
            expression = (
                f"({src.segment(value)}){tail}"
                if not isinstance(value, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
                else f"{src.segment(value)}{tail}"
            )
            conversion = ""
        if conversion and (match["conv"] or match["spec"]):
            expression, conversion = src.segment(value), ""
        seen += 1
        parts.append((expression, f"!{match['conv']}" if match["conv"] else conversion, match["spec"] or ""))
    parts.append(text[at:])
    if (
        re.search(r"(?<!\{)\{(?!\{)", "".join(one for one in parts if isinstance(one, str)).replace("{{", ""))
        or not seen
    ):
        return None
    return _written(parts, prefix, quote)


def _of_plus(src: Source, node: ast.AST) -> str | None:
    terms: list[ast.expr] = []

    def gather(one: ast.expr) -> None:
        if (
            isinstance(one, ast.BinOp)
            and isinstance(one.op, ast.Add)
            and one is not node
            and bracketed(src, one) != src.span(one)
        ):
            terms.append(one)
        elif isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add):
            gather(one.left)
            gather(one.right)
        else:
            terms.append(one)

    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    gather(node)
    literals = [_literal(src, one) for one in terms]
    if not any(literals) and not any(_is_str(one) for one in terms):
        return None
    quotes = [one[1] for one in literals if one] or ['"']
    if any(len(quote) > 1 for quote in quotes) or any(one[0] for one in literals if one) or len(terms) < 2:
        return None
    parts: list[Part] = []
    for term, literal in zip(terms, literals, strict=True):
        if literal is not None:
            text = literal[2]
            if literal[1] != quotes[0]:
                if quotes[0] in text:
                    return None
                text = text.replace("\\" + literal[1], literal[1])
            parts.append(_escaped(text))
        elif isinstance(term, ast.Constant) or (isinstance(term, ast.JoinedStr) and (term.lineno != term.end_lineno)):
            return None
        elif isinstance(term, ast.JoinedStr):
            found = re.fullmatch(r"[fF]([\"'])(.*)\1", src.segment(term))
            if not found or found[1] != quotes[0]:
                return None
            parts.append(found[2])
        else:
            parts.append((*_expression(src, term), ""))
    return _written(parts, "", quotes[0])


def _is_str(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"
    )


def _top(src: Source, node: ast.AST) -> bool:
    """Whether a sum is not part of a longer one."""
    parent = src.parents.get(node)
    return not (
        isinstance(parent, ast.BinOp)
        and isinstance(parent.op, ast.Add)
        and isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add)
        and bracketed(src, node) == src.span(node)
    )


def to_f(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.nodes:
        if (
            not isinstance(node, ast.BinOp | ast.Call)
            or not _top(src, node)
            or (getattr(node, "lineno", 0) != getattr(node, "end_lineno", 0) and "#" in src.segment(node))
        ):
            continue
        new = _of_percent(src, node) or _of_format(src, node) or _of_plus(src, node)
        if new is None:
            continue
        start, end = src.span(node)
        wide = bracketed(src, node)
        parent = src.parents.get(node)
        if wide != (start, end) and not (isinstance(parent, ast.Call) and src.span(parent)[1] == wide[1]):
            start, end = wide
        yield Spot(node, ((start, end, new),), ("string", "format"))


def _pieces(src: Source, node: ast.JoinedStr) -> tuple[str, list[Part]] | None:
    """Quote and parts of an f-string on one line."""
    match = re.fullmatch(r"[fF](\"|')(.*)\1", src.segment(node)) if node.lineno == node.end_lineno else None
    if match is None:
        return None
    parts: list[Part] = []
    rest, at = match[2], 0
    while at < len(rest):
        if rest[at : at + 2] in ("{{", "}}"):
            parts.append(rest[at])
            at += 2
        elif rest[at] == "{":
            deep, end = 1, at + 1
            while end < len(rest) and deep:
                deep += {"{": 1, "}": -1}.get(rest[end], 0)
                end += 1
            inner = rest[at + 1 : end - 1]
            found = re.fullmatch(r"((?:[^:!=]|[!=]=|\[[^\]]*\]|\([^)]*\))+?)(![rsa])?(?::([^{}]*))?", inner)
            if found is None:
                return None
            parts.append((found[1].strip(), found[2] or "", found[3] or ""))
            at = end
        else:
            parts.append(rest[at])
            at += 1
    return match[1], parts


def from_f(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    form = (
        "format"
        if "format(" in asked.text or re.search(r"\.format|str\.format|\bformat method", asked.text)
        else "percent"
        if re.search(r"%|percent|lazy", asked.text)
        else "plus"
        if re.search(r"concat|plus|\+", asked.text)
        else ""
    )
    for node in src.nodes:
        if not isinstance(node, ast.JoinedStr) or isinstance(src.parents.get(node), ast.FormattedValue) or not form:
            continue
        found = _pieces(src, node)
        if found is None or not any(isinstance(part, tuple) for part in found[1]):
            continue
        quote, parts = found
        values = [part for part in parts if isinstance(part, tuple)]
        texts: list[str] = []
        if form == "format":
            texts = [
                part.replace("{", "{{").replace("}", "}}")
                if isinstance(part, str)
                else "{" + part[1] + (f":{part[2]}" if part[2] else "") + "}"
                for part in parts
            ]
            new = f"{quote}{''.join(texts)}{quote}.format({', '.join(part[0] for part in values)})"
        elif form == "percent":
            if any(not re.fullmatch(r"(?:0?\d*(?:\.\d+)?[dfgex])?", part[2]) for part in values):
                continue
            texts = [
                part.replace("%", "%%")
                if isinstance(part, str)
                else "%" + (part[2] or ("r" if part[1] == "!r" else "s"))
                for part in parts
            ]
            given = (
                values[0][0]
                if len(values) == 1 and re.fullmatch(r"[\w.\[\]'\"]+(?:\([^()]*\))?", values[0][0])
                else f"({', '.join(part[0] for part in values)}{',' * (len(values) == 1)})"
            )
            new = f"{quote}{''.join(texts)}{quote} % {given}"
        else:
            if any(part[1] or part[2] for part in values):
                continue
            run = ""
            for part in [*parts, ("", "", "")]:
                if isinstance(part, str):
                    run += part
                    continue
                texts += [f"{quote}{run}{quote}"] if run else []
                texts += [f"str({part[0]})"] if part[0] else []
                run = ""
            new = " + ".join(texts)
        yield Spot(node, ((*src.span(node), new),), ("string", "format"))


_F = r"\bf-? ?strings?|\bfstrings?|\bf\"\"|formatted string literals?|formatted string"
_OTHER = r"%[- ]?format\w*|% ?operator|%s?\b|percent|\.format\b(?:\(\))?|str\.format|\bformat\(\)|(?:string )?concat\w*|(?:string )?plus|\+|printf"


def formatted(asked: Asked) -> Iterator[Spot]:
    wanted = asked.wants(_F, _OTHER)
    back = re.search(
        r"f-?strings? (?:don'?t|do not|aren'?t|cannot|can't)|lazy|f-?string\b[^.;]{0,40}\b(?:with|be|as|to|into|using|by) (?:a |the )?(?:%|percent|\.?format|str\.format|string concat|concat|plus)",
        asked.text,
    )
    if back or (wanted is False and not re.search(r"format .* with an f-?string", asked.text)):
        yield from from_f(asked)
    else:
        yield from to_f(asked)


WAYS = (
    way(
        rf"{_F}|up031|up032|%[- ]formatting|string concatenation|\bconcatenat\w+|\.format\b",
        formatted,
        "f-string f-strings fstring fstrings f string strings format formatting formatted formats interpolation interpolate interpolated literal literals percent percentage operator str repr concatenation concatenate concatenated concatenating "
        "concat plus building build built text message printf pyupgrade up031 up032 call project lazy logging calls join joining everywhere assemble assembled put together with style signs",
        together=True,
    ),
)
