"""Small changes of behaviour: letter case, whitespace, what a loop skips or counts, formats, messages."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/everyday")


def spot(window: SourceWindow, node: ast.AST, draw: Draw) -> dict[str, Slot]:
    """The function of a node, as a phrase for the end or the start of a sentence."""
    return placed(inside(window, window.function_of(node), draw))


@kind("ignore_case", *wording["ignore_case"], needs=r" (==|!=|in) [\(\[{]?['\"][A-Za-z]", weight=0.8)
def ignore_case(window: SourceWindow, draw: Draw) -> Made | None:
    """Lowers a name that is compared with lower-case text, or raises it for upper-case text."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Compare) and len(n.ops) == 1]):
        left, right = node.left, node.comparators[0]
        items = (
            right.elts
            if isinstance(node.ops[0], ast.In | ast.NotIn)
            and isinstance(right, ast.Tuple | ast.List | ast.Set)
            else [right]
        )
        texts = [
            item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        whole = window.source(node)
        if (
            not texts
            or len(texts) != len(items)
            or not isinstance(node.ops[0], ast.Eq | ast.NotEq | ast.In | ast.NotIn)
        ):
            continue
        if isinstance(node.ops[0], ast.In | ast.NotIn) and items == [right]:
            continue
        if (
            not isinstance(left, ast.Name | ast.Attribute | ast.Subscript)
            or "\n" in whole
            or window.text.count(whole) != 1
        ):
            continue
        call = (
            ".lower()" if all(map(str.islower, texts)) else ".upper()" if all(map(str.isupper, texts)) else ""
        )
        if not call or len(whole) > 60:
            continue
        end = window.span(left)[1]
        fold: Slot = SubTemplate("[lower|lowercase]" if call == ".lower()" else "[upper|uppercase]")
        slots: dict[str, Slot] = {
            "x": NameSlot(window.source(left)),
            "s": CodeSlot(window.source(right)),
            "cmp": CodeSlot(whole),
            "fold": fold,
        }
        return Made(
            window.text, window.text[:end] + call + window.text[end:], slots | spot(window, node, draw)
        )
    return None


_READS_TEXT = re.compile(
    r"(?:^|\.)(input|read|readline|read_text|decode|group|recv|text|str"
    r"|check_output|replace|join|format|getvalue|sub|get_text|get_data)$"
)


@kind("strip_value", *wording["strip_value"], needs=r"(?m)^\s*\w+ = [\w.]+\(", weight=0.8)
def strip_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Strips or lowers the text that a call returns, where a name is bound to it."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
    ):
        target, value = node.targets[0], node.value
        assert isinstance(value, ast.Call)
        source = window.source(value.func)
        if (
            not isinstance(target, ast.Name | ast.Attribute)
            or len(node.targets) > 1
            or not _READS_TEXT.search(source)
            or "path." in source
        ):
            continue
        name = window.source(target)
        if (
            len(re.findall(rf"(?m)^\s*{re.escape(name)} = ", window.text)) != 1
            or value.lineno != value.end_lineno
        ):
            continue
        end = window.span(value)[1]
        call, phrases = draw.choice(
            [
                (".strip()", wording["strip_value"]),
                (".strip()", wording["strip_value"]),
                (".lower()", wording["lower_value"]),
            ]
        )
        after = window.text[:end] + call + window.text[end:]
        return Made(window.text, after, {"x": NameSlot(name), **spot(window, node, draw)}, phrases)
    return None


_SKIPS = (
    ("not {x}", SubTemplate("is empty"), SubTemplate("empty ones")),
    ("not {x}", SubTemplate("is falsy"), SubTemplate("falsy ones")),
    ("{x} is None", SubTemplate("is None"), SubTemplate("[None|None values|the Nones]")),
    ("not {x}.strip()", SubTemplate("is blank"), SubTemplate("blank ones")),
    ("{x} < 0", SubTemplate("is negative"), SubTemplate("negative ones")),
    ("{x} == 0", SubTemplate("is [0|zero]"), SubTemplate("[zeros|zeroes]")),
    (
        '{x}.startswith("_")',
        SubTemplate('starts with [an underscore|"_"]'),
        SubTemplate("[private ones|those with a leading underscore]"),
    ),
)
_LINE_SKIPS = (
    ("not {x}.strip()", SubTemplate("is blank"), SubTemplate("[blank|empty] lines")),
    (
        '{x}.startswith("#")',
        SubTemplate('starts with "#"'),
        SubTemplate("[comments|comment lines|lines that start with #]"),
    ),
)


def loops(window: SourceWindow, draw: Draw) -> list[ast.For]:
    """Loops over a short expression, with one target, that differ in what they run over."""
    found = [
        n for n in window.nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name) and not n.orelse
    ]
    sources = [window.source(n.iter) for n in found]
    short = [
        n for n in found if len(window.source(n.iter)) <= 40 and sources.count(window.source(n.iter)) == 1
    ]
    return draw.shuffled(
        [n for n in short if n.iter.lineno == n.iter.end_lineno and window.own_lines(n.body[0])]
    )


def named(window: SourceWindow, node: ast.For, draw: Draw) -> dict[str, Slot]:
    assert isinstance(node.target, ast.Name)
    return {
        "x": NameSlot(node.target.id),
        "it": CodeSlot(window.source(node.iter)),
        **spot(window, node, draw),
    }


@kind("skip_in_loop", *wording["skip"], needs=r"(?m)^\s*for \w+ in ", weight=1.0)
def skip_in_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a test at the start of a loop that skips some items."""
    for node in loops(window, draw):
        assert isinstance(node.target, ast.Name)
        name = node.target.id
        lines = re.search(r"line|row|raw", name) is not None
        test, when, what = draw.choice(_LINE_SKIPS if lines and draw.chance(0.7) else _SKIPS)
        line = window.first_line(node.body[0])
        if (
            sum(
                isinstance(n, ast.For) and isinstance(n.target, ast.Name) and n.target.id == name
                for n in window.nodes
            )
            > 1
        ):
            continue
        if window.lines[line - 2].lstrip().startswith("#"):
            continue
        indent, at = window.indent(node.body[0]), window.starts[line - 1]
        new = f"{indent}if {test.format(x=name)}:\n{indent}    continue\n"
        slots: dict[str, Slot] = {"when": when, "what": what, **named(window, node, draw)}
        return Made(window.text, window.text[:at] + new + window.text[at:], slots)
    return None


@kind("count_in_loop", *wording["count"], needs=r"(?m)^\s*for \w+ in ", weight=0.7)
def count_in_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a counter that starts at 0 before a loop and grows at the end of each round."""
    for node in loops(window, draw):
        last = node.body[-1]
        leaves = any(isinstance(n, ast.Return | ast.Continue | ast.Break | ast.Raise) for n in ast.walk(node))
        if leaves or not window.own_lines(last) or window.lines[node.lineno - 2].lstrip().startswith("#"):
            continue
        assert isinstance(node.target, ast.Name)
        name = draw.choice(
            ["count", "counter", "n", "total", "seen", f"{node.target.id}_count", "processed", "done"]
        )
        if name in window.names:
            continue
        first, end = window.starts[node.lineno - 1], window.starts[window.last_line(last)]
        changes = [
            (first, first, f"{window.indent(node)}{name} = 0\n"),
            (end, end, f"{window.indent(last)}{name} += 1\n"),
        ]
        after = apply_changes(window.text, changes)
        return Made(window.text, after, {"n": NameSlot(name), **named(window, node, draw)})
    return None


@kind("loop_order", *wording["loop_order"], needs=r"(?m)^\s*for \w+ in ", weight=0.8)
def loop_order(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes a loop run over its items sorted, reversed, or sliced."""
    for node in loops(window, draw):
        source = window.source(node.iter)
        number = draw.rng.choice([1, 2, 3, 5, 10, 20, 50, 100])
        forms = [
            ("sorted({it})", "[in sorted order|sorted]"),
            ("sorted({it}, reverse=True)", "[in descending order|sorted in reverse]"),
            ("reversed({it})", "[backwards|in reverse order|from the end]"),
        ]
        if isinstance(node.iter, ast.Name | ast.Attribute) and source.endswith(
            ("s", "list", "data", "queue")
        ):
            forms += [
                ("{it}[1:]", "[without the first|from the second on]"),
                ("{it}[:-1]", "without the last"),
                ("set({it})", "without duplicates"),
            ]
            if number > 1:
                forms += [
                    (f"{{it}}[:{number}]", f"[only up to the first {number}|for the first {number} only]"),
                    (f"{{it}}[-{number}:]", f"for the last {number} only"),
                ]
        elif not isinstance(node.iter, ast.Name | ast.Attribute | ast.Call) or re.match(
            r"(enumerate|zip|range|sorted|reversed|iter)\(", source
        ):
            continue
        form, how = draw.choice(forms)
        start, end = window.span(node.iter)
        after = window.text[:start] + form.format(it=source) + window.text[end:]
        return Made(window.text, after, {"how": SubTemplate(how), **named(window, node, draw)})
    return None


_FORMATS = (
    (":.2f", "with [two|2] [decimals|decimal places|digits after the point]"),
    (":.2f", "[rounded to|to] [two|2] [decimals|decimal places]"),
    (":.1f", "with one decimal"),
    (":.3f", "with [three|3] decimals"),
    (":.0f", "without decimals"),
    (":,", "with thousands separators"),
    (":,", "with commas [between thousands|for the thousands]"),
    (":>8", "right-aligned in 8 columns"),
    (":<20", "left-aligned in 20 columns"),
    (":<12", "padded to 12 on the right"),
    (":^30", "centred in 30 columns"),
    (":03d", "with [three|3] digits and leading zeros"),
    (":02d", "with [two|2] digits and a leading zero"),
    (":.1%", "as [a percentage|percent] with one decimal"),
    (":.0%", "as [a percentage|percent] without decimals"),
    (":x", "in hex"),
    ("!r", "[as repr|with its repr]"),
    ("=", "[with its name|with the name in front] (the = form)"),
)


@kind("format_value", *wording["format"], needs=r"\bf['\"][^\n]*\{[\w.]+\}", weight=1.0)
def format_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a format to a value of an f-string: decimals, width, percent, hex, repr."""
    texts = [n for n in window.nodes if isinstance(n, ast.JoinedStr) and n.lineno == n.end_lineno]
    for node in draw.shuffled(texts):
        start, end = window.span(node)
        found = list(re.finditer(r"(?<!\{)\{([A-Za-z_][\w.]*)\}(?!\})", window.text[start:end]))
        if not found or not re.match(r"[fF]['\"]", window.text[start:]):
            continue
        match = draw.choice(found)
        if window.text.count(match[0]) != 1:
            continue
        spec, how = draw.choice(_FORMATS)
        at = start + match.end() - 1
        slots: dict[str, Slot] = {
            "x": NameSlot(match[1]),
            "how": SubTemplate(how),
            **spot(window, node, draw),
        }
        return Made(window.text, window.text[:at] + spec + window.text[at:], slots)
    return None


def _role(call: ast.Call, window: SourceWindow) -> Slot:
    """What people call the text of this call."""
    source = window.source(call.func)
    if isinstance(window.parents.get(call), ast.Raise):
        return SubTemplate(
            "[the message of the {e}|the {e} message"
            "|the error message|the text of the {e}|what the {e} says]",
            {"e": NameSlot(source)},
        )
    if source == "print":
        return SubTemplate("[what is printed|the printed text|the text of the print|the output|the print]")
    level = WordsSlot(source.rpartition(".")[2])
    return SubTemplate(
        "[the log message|the {level} message|the text of the {level} log|what is logged]", {"level": level}
    )


@kind("change_message", *wording["message"], needs=r"(raise \w+|print|log\w*\.\w+)\(['\"]", weight=1.2)
def change_message(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces the text of an error, a log line or a print, which the instruction names by its purpose."""
    for function in draw.shuffled(window.functions):
        calls = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Constant)
        ]
        logs = (
            r"(log|logger|logging|self\.logger|self\.log|_logger|LOG"
            r"|_log)\.(debug|info|warning|error|exception|critical)"
        )
        said = [
            n
            for n in calls
            if isinstance(window.parents.get(n), ast.Raise)
            or re.fullmatch(rf"print|{logs}", window.source(n.func))
        ]
        if len(said) != 1 or len(said[0].args) != 1:
            continue
        text = said[0].args[0]
        old, new = window.source(text), draw.choice(draw.pools.strings)
        if (
            not re.fullmatch(r"(['\"])[^\n'\"\\%{]+\1", old)
            or re.search(r"['\"\\`]", new)
            or new == old[1:-1]
        ):
            continue
        start, end = window.span(text)
        slots: dict[str, Slot] = {
            "role": _role(said[0], window),
            "new": ExactSlot(new, quoted=True),
            **spot(window, text, draw),
        }
        return Made(window.text, window.text[:start] + old[0] + new + old[0] + window.text[end:], slots)
    return None
