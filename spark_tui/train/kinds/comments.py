"""Comments and leftovers: add, delete, comment out, debug prints, bodies, unused functions."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.statements import SIMPLE, simple, what_of
from spark_tui.train.source_windows import SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, Slot, WordsSlot

wording = table("wording/comments")


@kind(
    "add_comment",
    *wording["add"],
    weight=0.8,
    exact=True,
)
def add_comment(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n, _ in window.statements()
        if window.own_lines(n)
        and not getattr(n, "decorator_list", None)
        and not window.lines[n.lineno - 1].lstrip().startswith(("elif", '"', "'", 'r"'))
    ]
    if not found:
        return None
    node = draw.choice(found)
    todo = draw.chance(0.3)
    text = draw.choice(draw.pools.strings)
    text = f"TODO: {text}" if todo else text
    at = window.starts[node.lineno - 1]
    after = window.text[:at] + window.indent(node) + f"# {text}\n" + window.text[at:]
    what: Slot = (
        what_of(window, node, draw) if isinstance(node, SIMPLE) else at_line(window, node.lineno, draw)
    )
    written = ExactSlot(f"# {text}")
    phrases: tuple[str, ...] = ()
    if todo and draw.chance(0.7):
        phrases = wording["todo"]
        text = text[6:]
    return Made(window.text, after, {"c": ExactSlot(text, quoted=True), "h": written, "what": what}, phrases)


@kind("delete_comment", *wording["remove_one"], needs=r"(?m)^\s*# ", weight=0.5, exact=True)
def remove_comment(window: SourceWindow, draw: Draw) -> Made | None:
    lines = [n for n, line in enumerate(window.lines, 1) if re.match(r"\s*# \w", line)]
    single = draw.chance(0.6)
    docs = {
        n
        for node in window.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = [n for n in lines if n not in docs]
    if not lines:
        return None
    if single:
        line = draw.choice(lines)
        text = window.lines[line - 1].strip()[2:]
        if window.text.count(text) != 1:
            return None
        gone = {line}
        phrases = wording["remove_one"]
        slots: dict[str, Slot] = {
            "line": WordsSlot(f"line {line}"),
            "c": ExactSlot(text[:60], quoted=True),
            "h": ExactSlot(f"# {text[:60]}"),
        }
    else:
        if len(lines) > 6 or re.search(r"\S +# ", window.text):
            return None
        gone = set(lines)
        phrases = wording["remove_all"]
        slots = {}
    after = "\n".join(text for n, text in enumerate(window.lines, 1) if n not in gone) + "\n"
    return Made(window.text, after, slots, phrases)


@kind(
    "comment_out",
    *wording["comment_out"],
    weight=0.5,
    exact=True,
)
def comment_out(window: SourceWindow, draw: Draw) -> Made | None:
    found = simple(window, removable=True)
    if not found:
        return None
    node = draw.choice(found)
    at = window.starts[node.lineno - 1] + len(window.indent(node))
    return Made(
        window.text, window.text[:at] + "# " + window.text[at:], {"what": what_of(window, node, draw)}
    )


@kind(
    "remove_prints",
    *wording["prints"],
    weight=0.9,
)
def remove_prints(window: SourceWindow, draw: Draw) -> Made | None:
    """Debug prints are added to the text before, so that the result is the original window."""
    if "print(" in window.text or not window.functions:
        return None
    function = draw.choice(window.functions)
    spots = [n for n in simple(window, removable=False) if window.function_of(n) is function]
    if not spots:
        return None
    changes = []
    for node in draw.rng.sample(spots, min(len(spots), draw.rng.randint(1, 3))):
        name = draw.choice(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["here"])
        text = draw.choice(
            [
                f"print({name})",
                f'print("{name}", {name})',
                f'print(f"{{{name}}}")',
                f'print("DEBUG", {name})',
                'print("here")',
                f"print({name!r})",
            ]
        )
        at = window.starts[node.lineno - 1]
        changes.append((at, at, window.indent(node) + text + "\n"))
    return Made(
        apply_changes(window.text, changes),
        window.text,
        {"where": inside(window, function, draw), "f": fname(function)},
    )


@kind(
    "replace_body",
    *wording["body"],
    weight=0.4,
)
def replace_body(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        body = window.body_after_docstring(function)
        if (
            not body
            or not window.own_lines(body[0])
            or window.last_line(body[-1]) - window.first_line(body[0]) > 12
        ):
            continue
        names = [a.arg for a in arguments(function)]
        code, do = draw.choice(
            [
                ("pass", "do nothing"),
                ("raise NotImplementedError", "raise NotImplementedError"),
                ("return None", "return None"),
                ("return True", "return True"),
                ("return False", "return False"),
                ("return []", "return an empty list"),
                *((f"return {name}", f"return {name}") for name in names[:1]),
                ('return ""', "return an empty string"),
                ("return {}", "return an empty dict"),
                ("return 0", "return 0"),
            ]
        )
        start, end = window.line_span(window.first_line(body[0]), window.last_line(body[-1]))
        after = window.text[:start] + window.indent(body[0]) + code + "\n" + window.text[end:]
        if after != window.text:
            return Made(
                window.text,
                after,
                {
                    "f": fname(function),
                    "do": ExactSlot(do) if do == code else WordsSlot(do),
                    "code": CodeSlot(code),
                },
            )
    return None


@kind(
    "delete_function",
    *wording["delete_function"],
    weight=0.5,
)
def delete_function(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        parent = window.parents[function]
        block = parent.body if isinstance(parent, ast.Module | ast.ClassDef) else []
        if len(block) < 2 or len(re.findall(rf"\b{function.name}\b", window.text)) != 1:
            continue
        first, last = window.first_line(function), window.last_line(function)
        lines = window.lines
        while first > 1 and not lines[first - 2].strip():
            first -= 1
        if first == 1:
            while last < len(lines) and not lines[last].strip():
                last += 1
        start, end = window.line_span(first, last)
        if block.index(function) == 0 and isinstance(parent, ast.ClassDef):
            continue
        return Made(window.text, window.text[:start] + window.text[end:], {"f": fname(function)})
    return None
