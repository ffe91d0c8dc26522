"""Type annotations: of parameters and results, Optional, and none at all."""

from __future__ import annotations

import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Change, SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, WordsSlot

wording = table("wording/hints")

_TYPES = (
    "str",
    "int",
    "bool",
    "float",
    "bytes",
    "list[str]",
    "dict[str, int]",
    "str | None",
    "list[int]",
    "Path",
    "Any",
    "tuple[int, ...]",
    "int | None",
    "set[str]",
    "dict[str, Any]",
    "Callable[..., None]",
    "Iterable[str]",
    "object",
)


@kind(
    "annotate_parameter",
    *wording["parameter"],
    weight=0.7,
)
def annotate_parameter(window: SourceWindow, draw: Draw) -> Made | None:
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
        return Made(window.text, after, {"p": NameSlot(item.arg), "f": fname(function), "t": CodeSlot(new)})
    return None


@kind(
    "annotate_return",
    *wording["return"],
    weight=0.7,
)
def annotate_return(window: SourceWindow, draw: Draw) -> Made | None:
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
                {"f": fname(function), "t": CodeSlot(new)},
                wording["change_return"],
            )
        match = re.search(r"\)(?=:\s*(#[^\n]*)?\n)", window.text[start:stop])
        if match is None:
            continue
        at = start + match.end()
        return Made(
            window.text,
            window.text[:at] + f" -> {new}" + window.text[at:],
            {"f": fname(function), "t": CodeSlot(new)},
        )
    return None


@kind(
    "modernise_optional",
    *wording["optional"],
    needs=r"Optional\[|\| None",
    weight=1.2,
)
def modernise_optional(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the notation of an optional type. The text before is written in the other notation, so that
    both directions are drawn."""
    new_form = re.compile(
        r"(?<=: )([\w.]+(?:\[[\w., ]+\])?) \| None(?=[,):\s]"
        r"| =)|(?<=-> )([\w.]+(?:\[[\w., ]+\])?) \| None(?=:)"
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
    return Made(
        before,
        after,
        {
            "pipe": draw.slot(CodeSlot("| None"), CodeSlot("X | None"), ExactSlot("| None")),
            "where": WordsSlot(""),
            "ox": CodeSlot("Optional[X]"),
        },
    )


@kind(
    "remove_annotations",
    *wording["remove"],
    needs=r"def [^\n]*: \w|->",
    weight=0.5,
)
def remove_annotations(window: SourceWindow, draw: Draw) -> Made | None:
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
