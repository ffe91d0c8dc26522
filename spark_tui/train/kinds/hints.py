# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Type annotations: of parameters and results, Optional, and none at all."""

from __future__ import annotations

import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.phrasing import Code, Name, Words
from spark_tui.train.windows import Change, Window, apply_changes, arguments

_TYPES = ("str", "int", "bool", "float", "bytes", "list[str]", "dict[str, int]", "str | None", "list[int]", "Path", "Any", "tuple[int, ...]",
          "int | None", "set[str]", "dict[str, Any]", "Callable[..., None]", "Iterable[str]", "object")  # fmt: skip


@kind(
    "annotate_parameter",
    "annotate {p} [of|in] {f} as {t}",
    "{p} [in|of] {f} [is|should be] [a|an|] {t}",
    "add [the|a] type [hint|annotation] {t} to {p} [in|of] {f}",
    "type {p} [of|in] {f} as {t}",
    "make {p} a {t} in the signature of {f}",
    "the type of {p} in {f} [should be|is] {t}",
    "add a type hint for {p} [in|of] {f}: {t}",
    "{f}: {p} has type {t}",
    "declare {p} as {t} in {f}",
    weight=1.0,
)
def annotate_parameter(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        bare = [a for a in arguments(function) if a.annotation is None]
        if not bare:
            continue
        item = draw.choice(bare)
        new = draw.choice(_TYPES)
        _, end = window.span(item)
        rest = window.text[end:]
        default = re.match(r"=(?!=)", rest)
        after = window.text[:end] + f": {new}" + (" = " + rest[1:] if default else rest)
        return Made(window.text, after, {"p": Name(item.arg), "f": fname(function), "t": Code(new)})
    return None


@kind(
    "annotate_return",
    "annotate {f} as returning {t}",
    "add [the|a] return type {t} to {f}",
    "{f} returns [a|an|] {t}[, annotate it|, add the annotation]",
    "the return type of {f} [is|should be] {t}",
    "add a return annotation to {f}: {t}",
    "type the result of {f} as {t}",
    "add -> {t} to {f}",
    "{f} -> {t}",
    "declare that {f} returns {t}",
    weight=1.0,
)
def annotate_return(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        new = draw.choice([*_TYPES, "None", "None", "Self", "Iterator[str]"])
        first = function.body[0]
        stop = window.span(first)[0]
        start = window.name_at(function)[1]
        if function.returns is not None:
            a, b = window.span(function.returns)
            if "\n" in window.source(function.returns) or window.source(function.returns) == new:
                continue
            return Made(
                window.text,
                window.text[:a] + new + window.text[b:],
                {"f": fname(function), "t": Code(new)},
                _CHANGE_RETURN,
            )
        match = re.search(r"\)(?=:\s*(#[^\n]*)?\n)", window.text[start:stop])
        if match is None:
            continue
        at = start + match.end()
        return Made(
            window.text, window.text[:at] + f" -> {new}" + window.text[at:], {"f": fname(function), "t": Code(new)}
        )
    return None


_CHANGE_RETURN = (
    "change the return type of {f} to {t}",
    "the return type of {f} should be {t}",
    "{f} should be annotated as returning {t}",
    "fix the return annotation of {f}: {t}",
    "{f} returns {t} now, update the annotation",
    "{f} -> {t}",
    "the annotation of {f}'s result has to be {t}",
)


@kind(
    "modernise_optional",
    "use {pipe} instead of Optional{where}",
    "replace Optional [with|by] {pipe}{where}",
    "modernise the [annotations|type hints]{where}: no Optional",
    "change Optional[X] to {pipe}{where}",
    "no more Optional{where}, write {pipe}",
    "rewrite Optional[...] as {pipe}{where}",
    needs=r"Optional\[|\| None",
    weight=0.8,
)
def modernise_optional(window: Window, draw: Draw) -> Made | None:
    """Both ways are drawn from code that has either: the old form is written where the new one stands."""
    new_form = re.compile(
        r"(?<=: )([\w.]+(?:\[[\w., ]+\])?) \| None(?=[,):\s]| =)|(?<=-> )([\w.]+(?:\[[\w., ]+\])?) \| None(?=:)"
    )
    text = window.text
    if "Optional" in text:
        flat = re.compile(r"Optional\[([\w.]+(?:\[[\w., ]+\])?)\]")
        if text.count("Optional[") != len(flat.findall(text)) or "import Optional" in text:
            return None
        before, after = text, flat.sub(lambda m: f"{m[1]} | None", text)
    elif new_form.search(text):
        before, after = new_form.sub(lambda m: f"Optional[{m[1] or m[2]}]", text), text
        if " | None" in before:
            return None
    else:
        return None
    templates = tuple(t.replace("Optional[X]", "{ox}").replace("Optional[...]", "{ox}") for t in _OPTIONAL)
    return Made(
        before,
        after,
        {
            "pipe": draw.slot(Code("| None"), Code("X | None"), Words("| None")),
            "where": Words(""),
            "ox": Code("Optional[X]"),
        },
        templates,
    )


_OPTIONAL = (
    "use {pipe} instead of Optional{where}",
    "replace Optional [with|by] {pipe}{where}",
    "modernise the [annotations|type hints]{where}: no Optional",
    "change {ox} to {pipe}{where}",
    "rewrite {ox} as {pipe}{where}",
    "no more Optional{where}, write {pipe}",
    "Optional is old style{where}, use {pipe}",
)


@kind(
    "remove_annotations",
    "remove the [type hints|annotations|type annotations] [from|of] {f}",
    "drop [all|the] [type hints|annotations] [in|from] {f}",
    "strip the types from {f}['s signature|]",
    "{f} should have no [type hints|annotations]",
    "{f} without type hints",
    "get rid of the annotations in {f}",
    needs=r"def [^\n]*: \w|->",
    weight=0.5,
)
def remove_annotations(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        changes: list[Change] = []
        args = [
            *function.args.posonlyargs,
            *function.args.args,
            *function.args.kwonlyargs,
            function.args.vararg,
            function.args.kwarg,
        ]
        for item in args:
            if item is not None and item.annotation is not None:
                start, _ = window.span(item)
                end = window.span(item.annotation)[1]
                changes.append((start + len(item.arg), end, ""))
                if window.text[end : end + 3] == " = ":
                    changes[-1] = (start + len(item.arg), end + 3, "=")
        if function.returns is not None:
            a, b = window.span(function.returns)
            arrow = window.text.rfind("->", 0, a)
            changes.append((len(window.text[:arrow].rstrip()), b, ""))
        if len(changes) < 2 or any("\n" in window.text[a:b] for a, b, _ in changes):
            continue
        return Made(window.text, apply_changes(window.text, changes), {"f": fname(function)})
    return None
