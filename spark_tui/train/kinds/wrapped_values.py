"""Values wrapped in place: rounded, converted, limited, protected from None, looked up with a default."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import added, located, placed, results, shown
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

_TABLES = table("tables/wraps")

wording = table("wording/wraps")

_SIMPLE = ast.Name | ast.Attribute | ast.Subscript | ast.Call


def _wrapped(window: SourceWindow, node: ast.AST, new: str) -> str:
    start, end = window.span(node)
    return window.text[:start] + new + window.text[end:]


_PATHS = re.compile(r"(?i)path|dir|folder|root|base|home|here|file|url|parent")


def _numeric(node: ast.expr, ops: tuple[type[ast.operator], ...]) -> bool:
    """Whether this is arithmetic on numbers, not on texts, paths or lists."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ops) or _PATHS.search(ast.unparse(node)):
        return False
    operands: list[ast.expr] = []
    left: list[ast.expr] = [node]
    while left:
        side = left.pop()
        if isinstance(side, ast.BinOp):
            left += [side.left, side.right]
        else:
            operands.append(side)
    numbers = [o for o in operands if isinstance(o, ast.Constant) and isinstance(o.value, int | float)]
    if isinstance(node.op, ast.Add) and not numbers:
        return False
    return all(
        o in numbers or isinstance(o, ast.Name | ast.Attribute | ast.Call | ast.Subscript) for o in operands
    )


@kind("round_value", *wording["round"], needs=r"[/*] ", weight=1.2)
def round_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Rounds a quotient or product that is assigned or returned."""
    for value, said, places in results(window, draw):
        if _numeric(value, (ast.Div, ast.Mult)):
            number = draw.choice("11222234")
            slots: dict[str, Slot] = {
                "x": said,
                "n": ExactSlot(number),
                "decimals": WordsSlot(
                    "decimal"
                    if number == "1"
                    else draw.choice(("decimals", "digits", "decimal places", "places"))
                ),
                **places,
            }
            return Made(
                window.text, _wrapped(window, value, f"round({window.source(value)}, {number})"), slots
            )
    return None


@kind("limit_value", *wording["not_below"], needs=r" [-+*] ", weight=1.6)
def limit_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Limits arithmetic that is assigned or returned: a minimum, a maximum, or the absolute value."""
    for value, said, places in results(window, draw):
        source = window.source(value)
        slots: dict[str, Slot] = {"x": said, **places}
        roll = draw.rng.random()
        if roll < 0.55 and _numeric(value, (ast.Sub,)):
            if draw.chance(0.35):
                return Made(window.text, _wrapped(window, value, f"abs({source})"), slots, wording["abs"])
            limit, phrases = (
                ("0", wording["negative"])
                if draw.chance(0.6)
                else (draw.choice("0112358"), wording["not_below"])
            )
            return Made(
                window.text,
                _wrapped(window, value, f"max({limit}, {source})"),
                slots | {"n": ExactSlot(limit)},
                phrases,
            )
        if roll >= 0.55 and _numeric(value, (ast.Add, ast.Mult)):
            names = [n.id for n in window.nodes if isinstance(n, ast.Name) and n.id.isupper()]
            limit = draw.choice([*names[:2], str(draw.rng.randint(2, 30) * 10), "100", "1000"])
            return Made(
                window.text,
                _wrapped(window, value, f"min({limit}, {source})"),
                slots | {"n": shown(limit) if limit.isidentifier() else ExactSlot(limit)},
                wording["at_most"],
            )
    return None


@kind("to_str_in_text", *wording["to_str"], needs=r"['\"] \+ [\w.]|[\w\])] \+ f?['\"]", weight=1.2)
def to_str_in_text(window: SourceWindow, draw: Draw) -> Made | None:
    """Wraps what is joined to a text in `str`, when the instruction asks for the call. `number_in_text`
    removes such a call and shows the error that follows."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Add)]
    ):
        sides = [node.left, node.right]
        if not any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in sides):
            continue
        other = next((side for side in sides if isinstance(side, _SIMPLE)), None)
        if other is None or re.match(
            r"str\(|.*\.(strip|lower|upper|join|format|name|title)\b", window.source(other)
        ):
            continue
        places = (
            located(window, other, draw)
            if isinstance(other, ast.Call | ast.Subscript | ast.Attribute)
            else added(window, node, other, draw)
        )
        if places is None:
            continue
        source = window.source(other)
        return Made(window.text, _wrapped(window, other, f"str({source})"), {"x": shown(source), **places})
    return None


@kind("or_empty", *wording["or_empty"], needs=r"(?m)^\s*for [^\n]+ in [\w.()\[\]\"']+:$", weight=1.0)
def or_empty(window: SourceWindow, draw: Draw) -> Made | None:
    """Lets a loop run over what may be None."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For)]):
        source = window.source(node.iter)
        if (
            not isinstance(node.iter, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
            or re.match(
                r"(range|enumerate|zip|sorted|reversed|list|set|map|filter|open|os\.walk|Path)\(", source
            )
            or ".items()" in source
        ):
            continue
        function = window.function_of(node)
        loops = [
            n
            for n in window.nodes
            if isinstance(n, ast.For | ast.comprehension) and window.source(n.iter) == source
        ]
        own = [n for n in loops if window.function_of(n) is function]
        where = inside(window, function, draw)
        if len(own) > 1 or (len(loops) > 1 and isinstance(where, WordsSlot)) or len(source) > 45:
            continue
        return Made(
            window.text,
            _wrapped(window, node.iter, f"{source} or []"),
            {"x": shown(source), "e": ExactSlot("[]"), "code": CodeSlot("or []"), **placed(where)},
        )
    return None


_TEXTS = re.compile(
    r"input\([^()]*\)|os\.(environ|getenv).+"
    r"|(request|self)?\.?args\.get\(['\"].*"
    r"|(row|data|line|parts?|fields?|item|config|values?|rec|record|params|entry)\[['\"\d].*\]"
    r"|\w+\.get\(['\"]\w+['\"]\)|\w+\.(group|readline|read)\(\d?\)|[\w.]+\.strip\(\)"
)
"""Expressions that read texts from a person, a file or a request."""


@kind("to_number", *wording["to_number"], needs=r"(?m)^\s*[\w.]+ = [\w.]+[\[(]", weight=1.2)
def to_number(window: SourceWindow, draw: Draw) -> Made | None:
    """Converts a text to a number where it is bound to a name."""
    for value, said, places in results(window, draw):
        source = window.source(value)
        if (
            isinstance(said, SubTemplate)
            or isinstance(window.parents[value], ast.Return)
            or not isinstance(value, _SIMPLE)
            or not _TEXTS.fullmatch(source)
        ):
            continue
        made = draw.choice(("int", "float", "float", "int"))
        an = WordsSlot(
            {
                "int": draw.choice(("an int", "an integer", "a number (int)")),
                "float": draw.choice(("a float", "a float", "a number (float)")),
            }[made]
        )
        return Made(
            window.text,
            _wrapped(window, value, f"{made}({source})"),
            {"x": said, "t": ExactSlot(made), "an": an, **places},
        )
    return None


_COUNTED = frozenset(_TABLES["counters"])
"""Names of numbers that count or index."""


@kind("lookup_with_default", *wording["get"], needs=r"\w\[\w[\w.]*\]", weight=2.0)
def lookup_with_default(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces `d[k]`, with a name as the key, by a lookup that does not fail; also its deletion."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Subscript)]):
        key, holder, whole = window.source(node.slice), window.source(node.value), window.source(node)
        if not isinstance(node.slice, ast.Name | ast.Attribute) or not isinstance(
            node.value, ast.Name | ast.Attribute
        ):
            continue
        if (
            key in _COUNTED
            or hasattr(builtins, key)
            or re.match(r"(list|dict|List|Dict|tuple|set|Optional|type)\b", holder)
            or (holder[:1].isupper() and not holder.isupper())
        ):
            continue
        counted = any(
            isinstance(n, ast.For)
            and isinstance(n.target, ast.Name)
            and n.target.id == key
            and window.source(n.iter).startswith(("range", holder))
            for n in window.nodes
        )
        parent, places = window.parents[node], located(window, node, draw)
        if places is None or counted or isinstance(parent, ast.AugAssign | ast.AnnAssign | ast.arg):
            continue
        slots: dict[str, Slot] = {"k": shown(key), "d": shown(holder), "sub": CodeSlot(whole), **places}
        if isinstance(parent, ast.Delete) and len(parent.targets) == 1:
            return Made(
                window.text, _wrapped(window, parent, f"{holder}.pop({key}, None)"), slots, wording["pop"]
            )
        if not isinstance(node.ctx, ast.Load):
            continue
        if draw.chance(0.25):
            return Made(
                window.text, _wrapped(window, node, f"{holder}.get({key})"), slots, wording["get_none"]
            )
        quote = "'" if window.text.count("'") > window.text.count('"') else '"'
        default = draw.choice(
            [
                "0",
                "None",
                f"{quote}{quote}",
                "[]",
                "1",
                "{}",
                "False",
                f"{quote}{draw.choice(draw.pools.variables)}{quote}",
                key,
                str(draw.rng.randint(2, 99)),
            ]
        )
        return Made(
            window.text,
            _wrapped(window, node, f"{holder}.get({key}, {default})"),
            slots | {"v": CodeSlot(default)},
        )
    return None


_TAKES_TEXT = rf"({'|'.join(_TABLES['takes_text'])})\w*$"
_NAMES_TEXT = rf"({'|'.join(_TABLES['names_text'])})s?$"


@kind("clean_operand", *wording["strip"], needs=r"(==|!=|\bin\b|\() ?[\w.]+", weight=1.2)
def clean_operand(window: SourceWindow, draw: Draw) -> Made | None:
    """Strips or lowers a text where it is compared or passed to a call."""
    found = [
        n for n in window.nodes if isinstance(n, ast.Name | ast.Attribute) and isinstance(n.ctx, ast.Load)
    ]
    for node in draw.shuffled(found)[:30]:
        parent, source, function = window.parents[node], window.source(node), window.function_of(node)
        same: list[ast.AST]
        if function is None or source.isupper() or len(source) < 2 or source in ("self", "cls"):
            continue
        if isinstance(parent, ast.Compare):
            texts = [
                n
                for n in [parent.left, *parent.comparators]
                if isinstance(n, ast.Constant) and isinstance(n.value, str)
            ]
            if (
                not texts
                or len(parent.ops) > 1
                or not isinstance(parent.ops[0], ast.Eq | ast.NotEq)
                or not str(texts[0].value).islower()
            ):
                continue
            there = SubTemplate(
                "[before it is compared|before comparing it"
                "|in the comparison [with|to] {s}|when it is compared with {s}]",
                {"s": CodeSlot(window.source(texts[0]))},
            )
            same = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Compare)
                and source in (window.source(n.left), *map(window.source, n.comparators))
            ]
        elif (
            isinstance(parent, ast.Call)
            and node in parent.args
            and isinstance(parent.func, ast.Name | ast.Attribute)
        ):
            call = window.source(parent.func)
            if (
                not re.search(
                    _TAKES_TEXT,
                    call,
                )
                or not re.search(
                    _NAMES_TEXT,
                    source,
                )
                or source.endswith("s")
                or len(call) > 40
            ):
                continue
            there = SubTemplate(
                "[before it is handed to|before it is passed to|in the call of|when calling] {c}",
                {"c": NameSlot(call, call=True)},
            )
            same = [
                n
                for n in ast.walk(function)
                if isinstance(n, ast.Call)
                and source in map(window.source, n.args)
                and window.source(n.func) == call
            ]
        else:
            continue
        where = inside(window, function, draw)
        others = [
            n
            for n in window.nodes
            if isinstance(n, type(parent)) and n not in same and ast.dump(n) == ast.dump(parent)
        ]
        if len(same) != 1 or (others and isinstance(where, WordsSlot)) or "\n" in window.source(parent):
            continue
        call_, phrases = (
            (".strip()", wording["strip"]) if draw.chance(0.5) else (".lower()", wording["lower"])
        )
        return Made(
            window.text,
            _wrapped(window, node, source + call_),
            {"x": shown(source), "there": there, **placed(where)},
            phrases,
        )
    return None
