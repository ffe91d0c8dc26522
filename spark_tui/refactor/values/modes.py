"""How files are opened and what stands between values: *append instead of overwriting*, *use a semicolon as delimiter*.

Comes in: an `Order`. Goes out: edits of one call each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.values.asked import asked
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in
from spark_tui.refactor.values.slots import slots
from spark_tui.refactor.values.written import in_quotes_of

_MODES: list[tuple[str, str]] = [
    (r"append(?:ing)?(?: mode)?(?=.*\b(?:instead of|not|rather than) (?:over)?writ\w+|.*\bopen|\s*$)|(?:in|for|use|to) append(?:ing)?(?: mode)?|append mode", "a"),
    (r"overwrit\w+ instead of append\w*|write mode", "w"), (r"read[- ]?only(?: mode)?|read mode", "r"), (r"exclusive(?: creation)?(?: mode)?", "x"),
]  # fmt: skip
_BINARY = re.compile(r"\b(?:in |as )?binary(?: mode)?\b", re.I)
_TEXT = re.compile(r"\b(?:in |as )?text mode\b", re.I)
_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "open opens opening opened file files in as mode append appending write writing overwrite overwriting read reading only use instead of not rather than the it be should must binary text for exclusive creation exclusively switch to change set with up",
    )
)
_SIGNS = {
    "semicolon": ";", "comma": ",", "colon": ":", "tab": "\\t", "pipe": "|", "space": " ", "dash": "-", "hyphen": "-", "slash": "/", "underscore": "_", "dot": ".", "newline": "\\n", "blank": " ",
}  # fmt: skip
_SIGN = re.compile(rf"\b(?:an? |the )?(?P<sign>{'|'.join(_SIGNS)})s?\b", re.I)
_BETWEEN = re.compile(r"\b(?:delimiter|separator|sep|separate\w*|delimit\w*|split|join\w*)\b", re.I)


def _mode(order: Order) -> Iterator[Edit]:
    """The mode of the one file that is opened there."""
    about = asked(order)
    text = about.text
    if len(text) > 100 or about.items:
        return
    calls = [
        node for node in order.src.nodes
        if isinstance(node, ast.Call) and about.inside(node.lineno) and node.args
        and ((isinstance(node.func, ast.Name) and node.func.id == "open") or (isinstance(node.func, ast.Attribute) and node.func.attr == "open" and order.src.segment(node.func) in ("io.open", "codecs.open", "gzip.open")))
    ]  # fmt: skip
    wanted = next((mode for pattern, mode in _MODES if re.search(rf"\b(?:{pattern})", text, re.I)), None)
    binary, plain = _BINARY.search(text), _TEXT.search(text)
    said, known = about.role_words(text, _NOTHING)
    if (wanted is None and not binary and not plain) or said or not 1 <= len(calls) <= 3:
        return
    found = []
    for call in calls:
        holder = next(
            (one.value for one in call.keywords if one.arg == "mode"), call.args[1] if len(call.args) > 1 else None
        )
        if holder is not None and not (isinstance(holder, ast.Constant) and isinstance(holder.value, str)):
            continue
        old = holder.value if isinstance(holder, ast.Constant) and isinstance(holder.value, str) else "r"
        rest = re.sub(r"[rwxat]", "", old)
        new = (
            (wanted or re.sub(r"[^rwxa]", "", old) or "r")
            + ("b" if binary and "b" not in rest else "")
            + ("" if plain else rest)
        )
        if plain:
            new = new.replace("b", "")
        if wanted == "a" and old[:1] == "r":
            continue
        if new == old:
            continue
        if holder is not None:
            found.append([(*order.src.span(holder), in_quotes_of(order.src.segment(holder), new))])
        elif (span := call_brackets(order.src, call)) is not None:
            if len(arguments(order.src, call)) == 1:
                found.append(put_in(order.src, span, arguments(order.src, call), [f'"{new}"']))
            else:
                end = order.src.span(call.args[0])[1]
                found.append([(end, end, f', "{new}"')])
    for changes in found:
        yield about.edit(changes, *known)


def _sign(order: Order) -> Iterator[Edit]:
    """The delimiter, said by its name."""
    about = asked(order)
    signs = list(_SIGN.finditer(about.text))
    if (
        len(about.text) > 100
        or not 1 <= len(signs) <= 2
        or about.items
        or re.search(r"\b(?:end|append|add|strip|remove|if|when|print|after|before)\b", about.text, re.I)
    ):
        return
    new = signs[0]
    if len(signs) == 2 and not re.search(
        r"\b(?:instead of|not|rather than)\W*(?:an? |the )?$", about.text[signs[0].end() : signs[1].start()], re.I
    ):
        if not re.search(r"\b(?:to|by|with)\W*$|->", about.text[signs[0].end() : signs[1].start()], re.I):
            return
        new = signs[1]
    old = next((_SIGNS[one["sign"].lower()] for one in signs if one is not new), None)
    rest = _SIGN.sub(" ", about.text)
    said, known = about.role_words(
        rest,
        frozenset(
            [
                "use",
                "as",
                "the",
                "instead",
                "of",
                "not",
                "be",
                "should",
                "must",
                "make",
                "rather",
                "than",
                "change",
                "replace",
                "with",
                "by",
                "to",
                "from",
                "delimiter",
                "separator",
                "sep",
                "separate",
                "separated",
                "split",
                "join",
                "on",
                "at",
                "values",
                "columns",
                "csv",
                "it",
                "is",
            ]
        ),
    )
    if said:
        return
    src = order.src
    found = []
    for slot in slots(src, str, [node for node in src.nodes if about.inside(getattr(node, "lineno", -1))]):
        shown = src.segment(slot.node)
        inside = re.fullmatch(r"[rb]?(['\"])(.*)\1", shown)
        if inside is None or (old is not None and inside[2].strip() != old and inside[2] != old):
            continue
        if old is None and not any(name in ("sep", "delimiter", "separator", "split", "join") for name in slot.names):
            continue
        if not _BETWEEN.search(about.text) and old is None:
            continue
        padded = (
            inside[2].replace(old, _SIGNS[new["sign"].lower()]) if old and old.strip() else _SIGNS[new["sign"].lower()]
        )
        found.append((*src.span(slot.node), f"{inside[1]}{padded}{inside[1]}"))
    for change in found if len(found) <= 3 else []:
        yield about.edit([change], *known, *(one[0] for one in signs))


RULES = (
    Rule(
        re.compile(r"\b(?:append|overwrit|binary|text mode|read[- ]?only|write mode|read mode|exclusive)", re.I), _mode
    ),
    Rule(_SIGN, _sign),
)
