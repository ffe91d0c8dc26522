"""New options of a command line: *add a --dry-run flag*.

Comes in: an order. Goes out: edits behind the options that are there. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.literals import as_number, as_value, literal
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import added, head, place_for
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.options import (
    KIND,
    TEXT,
    TYPE,
    TYPES,
    VALUE,
    WORDS,
    Option,
    decorated,
    options,
)

_NEW = re.compile(
    rf"^(?:(?:add|create|introduce|give it|we need|need|i need|new|support|another|there should be|include)\s+)*(?:an?\s+|another\s+|the\s+|new\s+|optional\s+)*(?:(?:command[- ]line|cli|argparse|click|boolean|bool|int|integer|float|string)\s+)*(?P<k1>{KIND}\s+)?(?:called\s+|named\s+|for\s+)?[`'\"]?(?P<name>--?[a-zA-Z][\w-]*)[`'\"]?(?:\s*[,/|]\s*(?:or\s+)?[`'\"]?(?P<short>-\w|--[\w-]+)[`'\"]?|\s*\((?P<short2>-\w)\))?(?:\s+(?P<k2>{KIND}))?(?P<rest>.*)$",
    re.I,
)
_PLACE = re.compile(
    r"\s*\b(?:to|in|for|on)\s+(?:the\s+)?(?:[`'\"]?(?P<where>\w+)(?:\(\))?[`'\"]?|(?:command line|arg(?:ument)? ?parser|cli|parser|script))(?=\s*(?:$|,|;|\bwith\b|\bthat\b))",
    re.I,
)
_HELP = re.compile(rf"[\s,;(]*(?:with\s+|and\s+)?(?:the\s+|an?\s+)?help(?:\s*text)?\s*[:=]?\s*{TEXT}\)?\s*$", re.I)
_NEW_DEFAULT = re.compile(
    rf"[\s,;(]*(?:(?:and|with|which|that)\s+)*(?:an?\s+|the\s+)?(?:defaults?(?:ing)?(?: value)?(?: (?:to|of|is))?\s*[:=]?\s*(?P<v>{VALUE})|(?P<w>[\w.\"'`/-]+)\s+by default)\)?",
    re.I,
)
_NEW_TYPE = re.compile(rf"[\s,;(]*(?:(?:of|with)\s+)?(?:type\s*[:=]?\s+)?(?:an?\s+)?\b(?P<t>{TYPE})\b\)?", re.I)
_TAKES = re.compile(r"^\s*(?:that|which)\s+(?:takes|is|expects)\b", re.I)


def add_option(order: Order) -> Iterator[Edit]:
    there = options(order.src)
    found = _NEW.match(order.said)
    if found is None or any(found["name"] in one.flags for one in there):
        return
    rest = found["rest"]
    place = _PLACE.match(rest)
    used = [found["name"], found["name"].replace("-", " ")]
    if place is not None:
        rest = rest[place.end() :]
        used.append(place[0])
    rest = re.sub(r"[\s,(]*(?:action ?= ?)?[`'\"]?\bstore_true\b[`'\"]?\)?", " ", rest)
    helped = _HELP.search(rest)
    if helped is not None:
        rest = rest[: helped.start()]
        used.append(helped[0])
    default = _NEW_DEFAULT.search(rest)
    if default is not None:
        rest = f"{rest[: default.start()]} {rest[default.end() :]}"
        used.append(default[0])
    typed = _NEW_TYPE.search(_TAKES.sub(" ", rest)) or re.search(
        rf"\b(?P<t>int|integer|float|string)\s+(?={KIND})", order.said, re.I
    )
    rest = _TAKES.sub(" ", rest).replace(typed[0], " ") if typed is not None else rest
    if re.sub(r"\W", "", rest) or (_is_said(found, "argument") and _is_said(found, "flag")):
        return
    value = (default["v"] or default["w"]) if default is not None else None
    written = None
    if value is not None:
        written = literal(value) or (f'"{value}"' if re.fullmatch(r"[\w./-]+", value) else None)
        if written is None:
            return
    parsed = literal(written) if written is not None else None
    kind = (
        TYPES[typed["t"].lower()]
        if typed is not None
        else type(as_value(parsed)).__name__
        if parsed and as_number(parsed) is not None
        else None
    )
    is_flag = (
        typed is None
        and kind is None
        and (written in (None, "False"))
        and not _is_said(found, "option|argument|arg|parameter|param")
    )
    short = found["short"] or found["short2"]
    flags = sorted((found["name"], short), key=len) if short else [found["name"]]
    used += [short or "", short.strip("-") if short else ""]
    text = (helped["q"] or helped["s"] or helped["b"] or helped["bare"]).strip() if helped is not None else ""
    edit = _declared(order, there, flags, is_flag, kind if kind != "str" else None, written, text)
    if edit is not None:
        yield order.edit(
            edit,
            *used,
            *(piece for piece in (typed[0] if typed else "",) if piece),
            *(word for word in words(order.said) if word in _NEW_WORDS),
        )


_NEW_WORDS = WORDS | frozenset(["create", "introduce", "include", "support", "there", "argparse", "click", "parser", "script", "argumentparser", "that", "which", "takes", "expects"])  # fmt: skip


def _is_said(found: re.Match[str], kinds: str) -> bool:
    return re.search(rf"\b(?:{kinds})\b", f"{found['k1'] or ''} {found['k2'] or ''}", re.I) is not None


def _declared(
    order: Order, there: list[Option], flags: list[str], is_flag: bool, kind: str | None, value: str | None, text: str
) -> list[Change] | None:
    src = order.src
    if kind == "Path" and not re.search(r"import.*\bPath\b", src.text):
        return None
    quote = "'" if src.text.count("add_argument('") > src.text.count('add_argument("') else '"'
    said = ", ".join(f"{quote}{flag}{quote}" for flag in flags)
    more = [f"type={kind}"] if kind and not is_flag else []
    more += [f"default={value}"] if value is not None and not is_flag else []
    click = bool(there) and there[-1].click
    if is_flag:
        more.append("is_flag=True" if click else f"action={quote}store_true{quote}")
    if text:
        more.append(f"help={quote}{text}{quote}")
    inner = ", ".join([said, *more])
    if click:
        function = decorated(src, there[-1])
        of = head(src, function) if function is not None else None
        if function is None or of is None:
            return None
        row = src.last_line(there[-1].node)
        at = src.starts[row]
        name = max(flags, key=len).lstrip("-").replace("-", "_")
        return [
            (at, at, f"{src.indent(function)}@click.option({inner})\n"),
            added(src.text, of.listed, place_for(of, default=False), name),
        ]
    calls = [one.node for one in there]
    behind: ast.stmt | None = src.statement(calls[-1]) if calls else None
    name = ast.unparse(calls[-1].func.value) if calls and isinstance(calls[-1].func, ast.Attribute) else ""
    if behind is None:
        made = [
            one
            for one in src.statements
            if isinstance(one, ast.Assign)
            and isinstance(one.value, ast.Call)
            and ast.unparse(one.value.func).endswith("ArgumentParser")
        ]
        if len(made) != 1 or not isinstance(made[0].targets[0], ast.Name):
            return None
        behind, name = made[0], made[0].targets[0].id
    owners = {ast.unparse(one.func.value) for one in calls if isinstance(one.func, ast.Attribute)}
    if len(owners) > 1 or not isinstance(behind, ast.Expr | ast.Assign):
        return None
    end = src.starts[src.last_line(behind)]
    return [(end, end, f"{src.indent(behind)}{name}.add_argument({inner})\n")]


RULES: tuple[Rule, ...] = (Rule(re.compile(r"(?<!\w)-{1,2}[a-zA-Z]"), add_option),)
