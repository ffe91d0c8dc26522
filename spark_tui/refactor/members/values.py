"""What classes hold: attributes that `__init__` sets, fields of data classes, members of enums, constants of
classes.

Comes in: an order. Goes out: edits. Must not know: other families.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.literals import literal
from spark_tui.refactor.members.classes import Held, classes_meant
from spark_tui.refactor.members.said import VOCABULARY, accounted, anchor, asides, without_class
from spark_tui.refactor.order import Edit, Order, _parts
from spark_tui.refactor.saying import FILLERS
from spark_tui.refactor.source import Change, Function

_NAME = r"[^\W\d]\w*"
_VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|(?:an? )?empty \w+|-?\d[\d_.]*|\[\]|\{\}|\(\)|(?:set|list|dict|deque|tuple)\(\)|[^\W\d][\w.]*(?:\([^()]*\))?"
_SELF = rf"(?:self|srlf|slef|sefl|this)\.(?P<name>{_NAME})"
_SAID = rf"(?:self\.)?`?'?\"?(?:self\.)?(?P<name>{_NAME})`?'?\"?"
_STARTS = r"(?:first|(?:initial(?:ly|i[sz]ed)?(?:\s+(?:value|to|as|with))*|start(?:s|ing)?(?:\s+(?:value|at|as|with|out as|off as))*|set to|with(?:\s+(?:(?:a |the )?(?:initial|default|start(?:ing)?)?\s*value)(?:\s+of)?|\s+default)?|default(?:s|ing)?(?:\s+(?:value|to|is|of))*|(?:which|that) (?:is|starts as|holds)|being|it's|is|as|of|to)\b|=|:|-)"
_ROLE = r"(?:(?:new|another|an?|the|instance)\s+)*(?:attribute|attr|member|field|property|instance (?:variable|var|local|attribute)|variable|var|local)s?"
_ATTRIBUTE = tuple(
    re.compile(form, re.I)
    for form in (
        rf"{_SELF}\s*(?:=|:=)\s*(?P<value>{_VALUE})",
        rf"(?P<value>{_VALUE})\s+(?:goes|should go|belongs)?\s*(?:into|in|as|to)\s+{_SELF}",
        rf"\bno attribute\s+['\"`]?(?P<name>{_NAME})['\"`]?,?\s+(?:so\s+)?(?:set|init\w*|start)\s+(?:it\s+)?(?:to|with|as|at)\s+(?P<value>{_VALUE})",
        rf"\b(?:store|keep|put|save)\s+(?P<value>{_VALUE})\s+(?:in|as|into|under)\s+{_SELF}",
        rf"\b(?:set|initiali[sz]e|init|define)\s+{_SELF}\b.*?(?:\b(?:to|as|with|it's|is)|,|=)\s+(?:it's\s+|to\s+)?(?P<value>{_VALUE})\s*$",
        rf"\b(?:init(?:iali[sz]e)?|start)\s+{_SAID}\s+(?:with|to|as|at)\s+(?P<value>{_VALUE})",
        rf"{_ROLE}\s+(?:called\s+|named\s+)?{_SAID}\s*,?\s*{_STARTS}\s*(?P<value>{_VALUE})",
        rf"{_ROLE}\s+(?:called\s+|named\s+)?{_SAID}\s*,\s*(?P<value>{_VALUE})(?=\s*$|\s+(?:to start|at first|in the beginning|by default|initially))",
        rf"{_SAID}\s+{_ROLE}\s*,?\s*(?:{_STARTS})?\s*(?P<value>{_VALUE})(?=\s*$|\s+(?:to start|at first|in the beginning|by default|initially|for now))",
        rf"(?:^|\b(?:add|give|keep|store|needs?|want|gets?|track|remember|record|has|have)\s+)(?:me\s+|it\s+)?(?:an?\s+|the\s+)?{_SAID}\s*,\s*(?:{_STARTS}\s*)?(?P<value>{_VALUE})(?=\s*$|\s+(?:to start|at first|in the beginning|by default|initially))",
    )
)  # fmt: skip
_VOCABULARY = VOCABULARY | frozenset(
    re.findall(
        r"\S+",
        "track remember record by default gets perhaps first attributeerror easy save under no attribute attr member field property instance local variable var constructor ctor init initialise initialize initially initial initialised initialized set sets start starts starting started value begin beginning goes into kept keep keeps store stored forgot hold holds init__ __init__ __imit__ then called named name new another at first being to as = should go belongs also put time let me think cleaning up",
    )
)
_TYPES = {
    "str": "str", "string": "str", "text": "str", "int": "int", "integer": "int", "number": "int", "float": "float", "decimal": "float", "bool": "bool", "boolean": "bool", "flag": "bool", "bytes": "bytes",
    "datetime": "datetime", "date": "date", "list": "list", "dict": "dict", "dictionary": "dict", "set": "set", "ints": "int", "strings": "str", "floats": "float",
}  # fmt: skip
_TYPE = (
    r"(?:optional\s+)?(?:list|set|dict|tuple)\[[^\]]+\]|(?:list|set)s? of \w+|(?:optional\s+)?(?:"
    + "|".join(_TYPES)
    + r")(?:\s*\|\s*None)?\b|[A-Z]\w*(?:\[[^\]]+\])?"
)
_FIELD = (
    re.compile(rf"`(?P<name>{_NAME})\s*:\s*(?P<type>[^=`]+?)(?:\s*=\s*(?P<value>[^`]+))?`"),
    re.compile(rf"\b(?P<name>{_NAME})\s*:\s*(?P<type>{_TYPE})(?:\s*=\s*(?P<value>{_VALUE}))?"),
)
_DEFAULT = re.compile(
    rf"(?:\b(?:default(?:s|ing)?|initial(?:ly)?|start(?:s|ing)?)\b(?:\s+(?:value|to|of|is|at|as|with|it|it's))*|=)\s*(?P<value>{_VALUE})",
    re.I,
)
_WANTS = re.compile(
    r"\b(?:add|needs?|gets?|ha(?:s|ve)|give|wants?|new|more|miss(?:es|ing)|lacks?|with|include|put|also|carry|carries)\b",
    re.I,
)
_SAID_TYPE = re.compile(rf"(?<![\w.])(?P<type>{_TYPE.replace('|[A-Z]', '|[A-Z](?=[a-z])')})(?!\w)", re.I)
_FIELDS = (
    _VOCABULARY
    | frozenset(_TYPES)
    | frozenset(
        re.findall(
            r"\S+", "optional type types typed lists sets column dataclass one more misses lacks tuple none"
        )
    )
)
_CONSTANT = tuple(
    re.compile(form, re.I)
    for form in (
        rf"\bclass(?:[- ]level)?\s+(?:attribute|variable|constant|var|attr)\s+(?:called\s+|named\s+)?`?(?P<name>{_NAME})`?\s*(?:=|{_STARTS})\s*(?P<value>{_VALUE})",
        rf"\bconstant\s+(?:called\s+|named\s+)?`?(?P<name>{_NAME})`?\s*(?:=|{_STARTS})\s*(?P<value>{_VALUE})(?=.*\bclass\b)",
    )
)
_MEMBER = tuple(
    re.compile(form)
    for form in (
        r"\b(?P<name>[A-Z][A-Z\d_]*)\s*(?:=|:|with(?: the)?(?: value)?|\((?=[^)]))\s*(?P<value>`[^`]+`|\"[^\"]*\"|'[^']*'|-?\d+|auto\(\))",
        r"\b(?:add|needs?|with|member|value|mode|state|entry|kind|type|level|status|gets?|missing|misses|lacks|one more \w+:?|option)\s+(?:an?\s+|the\s+|called\s+|named\s+)*`?(?P<name>[A-Z][A-Z\d_]*)`?(?P<value>)",
    )
)  # fmt: skip


def attribute(order: Order) -> Iterator[Edit]:
    """`__init__` sets one more."""
    if CONSTANT.search(order.said):
        return
    text, off = asides(order)
    for held in classes_meant(order, text):
        rest = without_class(held, text)
        for form in _ATTRIBUTE:
            for found in form.finditer(rest):
                name, said = found["name"], found["value"]
                if name in _VOCABULARY and f"`{name}`" not in text and f"self.{name}" not in text:
                    continue
                if name in order.identifiers and not re.search(
                    r"\bself\.|\b(?:attribute|attr|member|field|instance)\b", text
                ):
                    continue
                edit = _set_in_init(order, held, text, off, name, said)
                if edit is not None:
                    yield edit
                    return


def _set_in_init(order: Order, held: Held, text: str, off: list[str], name: str, said: str) -> Edit | None:
    value = _value(said) or _known(held, said)
    if (
        value is None
        or held.init is None
        or name in held.attributes
        or name in held.methods
        or held.has_fields
    ):
        return None
    at = anchor(order, held) or held.init.body[-1]
    if (
        isinstance(at, ast.Return | ast.Raise)
        or at not in held.init.body
        or held.init.body[0].lineno <= held.init.lineno
    ):
        return None
    line = f"{order.src.indent(held.init.body[0])}self.{name} = {value}"
    first, end = order.src.line_span(order.src.first_line(at), order.src.last_line(at))
    lone = isinstance(at, ast.Pass)
    change: Change = (first if lone else end, end, f"{line}\n")
    used = [name, said, value, held.name, " ".join(_parts(held.name)), f"{held.name}s", "self srlf slef sefl"]
    return order.edit([change], *accounted(order, text, off, _VOCABULARY, *used))


def _value(said: str) -> str | None:
    text = said.strip()
    if re.fullmatch(r"\[\]|\{\}|\(\)|(?:set|list|dict|deque|tuple)\(\)", text.strip("`")):
        return text.strip("`")
    return literal(text) or (text.strip("`") if text.startswith("`") and literal(text.strip("`")) else None)


def _known(held: Held, said: str) -> str | None:
    """A parameter of `__init__`, or what hangs from one."""
    code = said.strip("`")
    if held.init is None or not re.fullmatch(rf"{_NAME}(?:\.{_NAME})*", code):
        return None
    root = code.split(".")[0]
    return code if root in {one.arg for one in _parameters(held.init)} else None


def _parameters(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def field(order: Order) -> Iterator[Edit]:
    """A data class lists one more."""
    text, off = asides(order)
    for held in classes_meant(order, text):
        if not held.has_fields:
            continue
        rest = without_class(held, text)
        spelled = next((found for form in _FIELD if (found := form.search(rest)) is not None), None)
        said = (
            (spelled["name"], spelled["type"], spelled["value"] or "")
            if spelled is not None
            else _in_words(held, rest)
        )
        edit = _with_field(order, held, said, text, off) if said is not None else None
        if edit is not None:
            yield edit
            return


def _in_words(held: Held, rest: str) -> tuple[str, str, str] | None:
    """Name, type and value: *a humidity too, float with default 0.0*."""
    if not _WANTS.search(rest):
        return None
    default = _DEFAULT.search(rest)
    left = rest.replace(default[0], " ", 1) if default is not None else rest
    typed = next((one for one in _SAID_TYPE.finditer(left) if one[0] != held.name and _is_type(one[0])), None)
    if typed is not None:
        left = left[: typed.start()] + " " + left[typed.end() :]
    names = [
        word
        for word in re.findall(_NAME, left)
        if word.lower() not in _FIELDS | FILLERS
        and word != held.name
        and word.lower() not in (held.name.lower(), f"{held.name.lower()}s")
    ]
    if not 1 <= len(names) <= 2:
        return None
    return (
        "_".join(names),
        typed[0] if typed is not None else "",
        default["value"] if default is not None else "",
    )


def _is_type(said: str) -> bool:
    if said in ("True", "False", "None"):
        return False
    return (
        said.lower() in _TYPES
        or "[" in said
        or " " in said
        or (said[0].isupper() and said.lower() not in _FIELDS)
    )


def _with_field(
    order: Order, held: Held, spoken: tuple[str, str, str], text: str, off: list[str]
) -> Edit | None:
    name, said, given = spoken
    value = _value(given) if given else None
    if (
        name in held.attributes
        or name in held.methods
        or not name.isidentifier()
        or (given and value is None)
    ):
        return None
    kind = _type(said) if said else _type_of(value) if value else None
    optional = re.search(r"\boptional\b", text, re.I) is not None
    if kind is None:
        return None
    if optional and "None" not in kind:
        kind = f"{kind} | None"
    if optional and value is None:
        value = "None"
    if value in ("[]", "{}", "set()") and held.is_dataclass:
        if not re.search(r"\bfield\b", "\n".join(line for line in order.src.lines if "import" in line)):
            return None
        value = f"field(default_factory={ {'[]': 'list', '{}': 'dict', 'set()': 'set'}[value] })"
    more = _import_of(order, kind)
    if more is None:
        return None
    behind: ast.stmt | None = None
    if value is None and any(item.value is not None for item in held.fields):
        plain = [item for item in held.fields if item.value is None]
        if not plain:
            return None
        behind = plain[-1]
    changes = held.with_field(f"{name}: {kind}" + (f" = {value}" if value is not None else ""), behind)
    if changes is None:
        return None
    changes += more
    used = [name, said, given, *name.split("_"), held.name, " ".join(_parts(held.name)), f"{held.name}s"]
    return order.edit(changes, *accounted(order, text, off, _FIELDS, *used))


def _import_of(order: Order, kind: str) -> list[Change] | None:
    """What makes a type known, where it is not; None where nothing does."""
    roots = {node.id for node in ast.walk(parse_code(kind)) if isinstance(node, ast.Name)}
    new = roots - set(dir(builtins)) - order.identifiers
    if not new:
        return []
    line = _IMPORTS.get(new.pop()) if len(new) == 1 else None
    change = with_import(order.src, line) if line is not None else None
    return [change] if change is not None else None


_IMPORTS = {
    "datetime": "from datetime import datetime",
    "date": "from datetime import date",
    "Path": "from pathlib import Path",
    "Any": "from typing import Any",
    "Decimal": "from decimal import Decimal",
}


def _type(said: str) -> str | None:
    text = said.strip()
    low = re.sub(r"^optional\s+", "", text.lower())
    if low in _TYPES:
        return _TYPES[low]
    many = re.fullmatch(r"(list|set)s? of (\w+)", low)
    if many is not None:
        inner = _TYPES.get(many[2]) or _TYPES.get(many[2].rstrip("s"))
        return f"{many[1]}[{inner}]" if inner else None
    try:
        parse_code(text, mode="eval")
    except (SyntaxError, ValueError):
        return None
    return text


def _type_of(value: str) -> str | None:
    try:
        found = type(ast.literal_eval(value)).__name__
    except (ValueError, SyntaxError):
        return None
    return found if found in ("int", "float", "str", "bool") else None


def enum_member(order: Order) -> Iterator[Edit]:
    """An enum gets one more."""
    text, off = asides(order)
    there = [held for held in classes_meant(order, text) if held.is_enum]
    enums = [Held(order.src, node) for node in order.src.classes if Held(order.src, node).is_enum]
    spoken = re.search(r"\benum\b", text, re.I) is not None
    meant = there or (enums if len(enums) == 1 and spoken else [])
    for held in meant:
        listed = [
            item
            for item in held.node.body
            if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name)
        ]
        for form in _MEMBER:
            found = next(
                (
                    one
                    for one in form.finditer(text)
                    if one["name"] not in order.identifiers and one["name"] != held.name
                ),
                None,
            )
            if found is None or not listed:
                continue
            value = (
                _value(found["value"])
                if found["value"] and found["value"] != "auto()"
                else found["value"] or _next_value(order, listed, found["name"])
            )
            if not value:
                continue
            changes = held.with_lines_behind(listed[-1], [f"{held.inner}{found['name']} = {value}"], "")
            own = [
                held.name,
                " ".join(_parts(held.name)),
                f"{held.name}s",
                found["name"],
                found["value"],
                value,
            ]
            yield order.edit(changes, *accounted(order, text, off, VOCABULARY | _MEMBERS, *own))
            return


_MEMBERS = frozenset(
    re.findall(
        r"\S+",
        "enum member value values mode state kind option entry one more another new called named level status type constant with auto next",
    )
)


def _next_value(order: Order, listed: list[ast.Assign], name: str) -> str:
    """What the others follow: counted, spelled as the name, or `auto()`."""
    values = [order.src.segment(item.value) for item in listed]
    if values[-1].endswith("auto()"):
        return values[-1]
    names = [item.targets[0].id for item in listed if isinstance(item.targets[0], ast.Name)]
    if all(value.isdigit() for value in values) and len(values) > 1:
        numbers = [int(value) for value in values]
        return str(numbers[-1] + 1) if all(two - one == 1 for one, two in pairwise(numbers)) else ""
    for quote in "\"'":
        if values == [f"{quote}{one.lower()}{quote}" for one in names]:
            return f"{quote}{name.lower()}{quote}"
        if values == [f"{quote}{one}{quote}" for one in names]:
            return f"{quote}{name}{quote}"
    return ""


def constant(order: Order) -> Iterator[Edit]:
    """A class gets a value that all its instances share."""
    text, off = asides(order)
    for form in _CONSTANT:
        found = form.search(text)
        if found is None:
            continue
        for held in classes_meant(order, text):
            value = _value(found["value"])
            there = {node.id for node in ast.walk(held.node) if isinstance(node, ast.Name)}
            if value is None or found["name"] in there or held.is_enum:
                continue
            changes = held.with_field(f"{found['name']} = {value}")
            if changes is not None:
                used = [
                    found["name"],
                    found["value"],
                    value,
                    held.name,
                    " ".join(_parts(held.name)),
                    "level constant",
                ]
                yield order.edit(changes, *accounted(order, text, off, _VOCABULARY, *used))
        return


ATTRIBUTE = re.compile(
    r"\b(?:self|srlf|slef|sefl)\.|\battr|\bmembers?\b|\bfield\b|\binit|\binstance (?:var|local)|\b(?:ctor|constructor)\b|\b(?:add|need|keep|give|store)\b",
    re.I,
)
FIELD = re.compile(r"\bfields?\b|\b(?:add|needs?|gets?|have|has|give|attribute|member|misses|lacks)\b", re.I)
MEMBER = re.compile(r"\b[A-Z][A-Z\d_]*\b")
CONSTANT = re.compile(
    r"\bclass(?:[- ]level)?\s+(?:attribute|variable|constant|var|attr)\b|\bconstant\b", re.I
)
