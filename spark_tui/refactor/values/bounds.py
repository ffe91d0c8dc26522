"""What a result never is, how it is rounded, and what is counted at all: *remaining should never go below zero*, *crates_for must
round up*, *income should only count the paid ones*, *only keep words with more than 3 letters*.

Comes in: an order. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.checks.put import importing, put, top_line
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.said_of import SaidOf, said_of
from spark_tui.refactor.source import Change, parameters

_N = r"(?P<n>-?\d+(?:\.\d+)?|zero|one|two|three|five|ten|twenty|fifty|a hundred|one hundred|hundred)"
_GO = r"(?:(?:go|goes|going|be|become|becomes|drop|drops|fall|falls|get|gets|return|returns|give|sink|rise|come|grow|climb)s?(?: back)?(?: anything)?\s+)?"
_LOW = re.compile(rf"^(?:never|not|no longer)\s+{_GO}(?:below|under|less than|lower than|smaller than|beneath)\s+{_N}$|^(?:be )?at least\s+{_N.replace('<n>', '<m>')}$|^(?:never|not)\s+{_GO}(?P<neg>negative)$|^(?:stop|end) at (?P<zero>zero|0)$", re.I)  # fmt: skip
_HIGH = re.compile(rf"^(?:never|not|no longer)\s+{_GO}(?:above|over|more than|higher than|larger than|greater than|beyond|past)\s+{_N}$|^(?:be )?at most\s+{_N.replace('<n>', '<m>')}$|^(?:stop|end|be capped|cap) at\s+{_N.replace('<n>', '<k>')}$", re.I)  # fmt: skip
_TREAT = re.compile(
    r"^(?:treat|count|take|handle|read|consider)\s+(?:a |any )?negative\s+(?:values? (?:of|for) )?(?P<p>\w+)\s+(?:as|like)\s+(?P<n>0|zero)$",
    re.I,
)


def _number(match: re.Match[str]) -> str | None:
    said = next((one for name, one in match.groupdict().items() if one and name in ("n", "m", "k", "zero")), "0")
    return said if re.fullmatch(r"-?[\d.]+", said) else literals.literal(said)


def _bounded(order: Order) -> Iterator[Edit]:
    src = order.src
    for about in said_of(order):
        if len(about.functions) != 1 or not about.named:
            continue
        low, high = _LOW.match(about.rest), _HIGH.match(about.rest)
        for match, form in ((low, "max"), (high, "min")):
            number = _number(match) if match is not None else None
            if match is None or number is None:
                continue
            steps = [one for one in about.find(ast.AugAssign) if isinstance(one, ast.AugAssign) and isinstance(one.op, ast.Add | ast.Sub)]  # fmt: skip
            rising = [one for one in steps if isinstance(one.op, ast.Add) == (form == "min")]
            in_loop = any(isinstance(one, ast.For | ast.While) for step in steps for one in src.ancestors(step))
            if steps and not in_loop:
                if len(rising) == 1 == len(steps):
                    one = rising[0]
                    target, sign = src.segment(one.target), "+" if isinstance(one.op, ast.Add) else "-"
                    value = src.segment(one.value)
                    value = f"({value})" if isinstance(one.value, ast.BinOp | ast.IfExp) and sign == "-" else value
                    yield order.edit([(*src.span(one), f"{target} = {form}({number}, {target} {sign} {value})")], about.named, match[0])  # fmt: skip
                continue
            yield from _result_bounded(order, about, match[0], form, number)


def _result_bounded(order: Order, about: SaidOf, used: str, form: str, number: str) -> Iterator[Edit]:
    src = order.src
    returns = [one for one in about.find(ast.Return) if isinstance(one, ast.Return)]
    if len(returns) != 1 or returns[0].value is None or isinstance(returns[0].value, ast.Tuple):
        return
    value = returns[0].value
    if isinstance(value, ast.Name):
        stored = [one for one in about.find(ast.Name) if isinstance(one, ast.Name) and one.id == value.id and isinstance(one.ctx, ast.Store)]  # fmt: skip
        made = src.parents.get(stored[0]) if len(stored) == 1 else None
        if isinstance(made, ast.Assign) and len(made.targets) == 1 and isinstance(made.value, ast.BinOp | ast.Call):
            value = made.value
    if (isinstance(value, ast.Call) and src.segment(value.func) in ("max", "min")) or "\n" in src.segment(value):
        return
    if isinstance(value, ast.Constant | ast.List | ast.Dict | ast.JoinedStr | ast.Compare | ast.BoolOp):
        return
    yield order.edit([(*src.span(value), f"{form}({number}, {src.segment(value)})")], about.named, used)


def _treated(order: Order) -> Iterator[Edit]:
    src = order.src
    for about in said_of(order):
        match = _TREAT.match(about.rest)
        own = [one for one in about.functions if match and match["p"] in [arg.arg for arg in parameters(one)]]
        if match is None or len(own) != 1:
            continue
        place = top_line(src, own[0])
        if place is not None and not re.search(rf"max\([^)]*\b{match['p']}\b", src.segment(own[0])):
            line = f"{place[1]}{match['p']} = max({match['p']}, 0)"
            yield order.edit([put(src, place[0], [line])], about.named, match[0])


_CUT = r"(?:cut(?:ting)?(?: (?:it|them))?(?: off)?|truncat(?:e|ing)|floor(?:ing)?|chop(?:ping)?(?: off)?|int|dropping the (?:rest|decimals|fraction)|(?:rounding )?(?:up|down))"
_ROUND = re.compile(
    rf"^(?:(?:be )?round(?:ed|s)?(?: (?:it|the (?:result|number|value)))?(?P<way> up| down| properly| correctly)?(?: to (?:the )?(?:next|nearest) (?:whole number|integer))?(?:\s*,?\s*(?:instead of|rather than|and not|not)\s+(?:just )?{_CUT}(?: it)?)?)$",
    re.I,
)


def _rounded(order: Order) -> Iterator[Edit]:
    """`int(a / b)` and `a // b`, where it is said how they should be rounded."""
    src = order.src
    for about in said_of(order):
        match = _ROUND.match(about.rest)
        if match is None or not about.named:
            continue
        cut = [one for one in about.find(ast.Call) if isinstance(one, ast.Call) and src.segment(one.func) in ("int", "math.floor", "math.ceil", "round", "floor", "ceil", "math.trunc") and len(one.args) == 1 and any(isinstance(deep, ast.BinOp) and isinstance(deep.op, ast.Div | ast.Mult) for deep in ast.walk(one.args[0]))]  # fmt: skip
        floored = [one for one in about.find(ast.BinOp) if isinstance(one, ast.BinOp) and isinstance(one.op, ast.FloorDiv)]  # fmt: skip
        way = (match["way"] or "").strip().lower()
        form = {"up": "math.ceil", "down": "math.floor"}.get(way, "round")
        if form == "math.floor" and not cut:
            continue
        changes: list[Change] = []
        if len(cut) == 1 and not floored:
            if src.segment(cut[0].func).endswith(form.rpartition(".")[2]):
                continue
            changes = [(*src.span(cut[0].func), form)]
        elif len(floored) == 1 and not cut:
            one = floored[0]
            changes = [(*src.span(one), f"{form}({src.segment(one.left)} / {src.segment(one.right)})")]
        imports = importing(src, "math") if "." in form else []
        if changes and imports is not None:
            yield order.edit([*imports, *changes], about.named, match[0])


_ONLY = re.compile(
    r"^(?:only|just)\s+(?:keep|count|return|list|show|include|take|give|add|sum|use|consider|print|load|collect|report)s?(?: up)?\s+(?P<what>.+)$|^(?:keep|count|return|list|show|include|take|give|add|sum|use|consider|print|load|collect|report)s?(?: up)?\s+only\s+(?P<what2>.+)$|^(?:skip|ignore|leave out|drop|exclude|filter out)\s+(?P<less>.+)$",
    re.I,
)
_LETTERS = re.compile(
    rf"^(?:the )?\w*\s*(?:with|of|that have|having|which have)?\s*(?P<how>more than|at least|fewer than|less than|at most|exactly|longer than|shorter than|over|under)?\s*{_N}(?P<more> or more)?\s+(?:letters?|char(?:acter)?s?|chars)$|^(?:the )?\w+\s+(?:that are |which are )?(?P<how2>longer than|shorter than)\s+{_N.replace('<n>', '<m>')}(?: letters?| characters?)?$",
    re.I,
)
_SIGNS = {"more than": ">", "longer than": ">", "over": ">", "at least": ">=", "fewer than": "<", "less than": "<", "shorter than": "<", "under": "<", "at most": "<=", "exactly": "=="}  # fmt: skip
_OPPOSITE = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!="}
_KIND = re.compile(
    r"^(?:(?:the|all|every|any)\s+)?(?:(?:(?P<no>not |un)?(?P<word>[a-z_]+?)(?: (?:ones|one|entries|items|things|rows|\w+s))?)|(?:ones|those|\w+s?)\s+(?:(?:that|which|who)\s+)?(?:are|is|have been|were|was)\s+(?:already )?(?P<no2>not |un)?(?P<word2>[a-z_]+))$",
    re.I,
)


def _filtered(order: Order) -> Iterator[Edit]:
    """A comprehension or a loop looks at some only."""
    src = order.src
    for about in said_of(order):
        match = _ONLY.match(about.rest)
        if match is None or not about.named:
            continue
        loops: list[tuple[ast.AST, ast.expr]] = [(one, one.target) for node in about.find(ast.ListComp, ast.SetComp, ast.GeneratorExp) for one in getattr(node, "generators", []) if not one.ifs]  # fmt: skip
        whole = [one for one in about.find(ast.For) if isinstance(one, ast.For) and not one.orelse]
        loops += [(one, one.target) for one in whole]
        if len(loops) != 1 or not isinstance(loops[0][1], ast.Name):
            continue
        loop, each = loops[0][0], loops[0][1].id
        less = match["less"] is not None
        test = _test(order, (match["what"] or match["what2"] or match["less"]).strip(), each, less)
        if test is None:
            continue
        if isinstance(loop, ast.comprehension):
            end = src.span(loop.iter)[1]
            while src.text[end : end + 1] == ")" and src.text[src.span(loop.iter)[0] - 1] == "(":
                end += 1
            yield order.edit([(end, end, f" if {test}")], about.named, match[0])
            continue
        if not isinstance(loop, ast.For):
            continue
        first, last = src.first_line(loop.body[0]), src.last_line(loop.body[-1])
        if first == src.first_line(loop) or any(isinstance(one, ast.Constant | ast.JoinedStr) and one.end_lineno != one.lineno for one in ast.walk(loop)):  # fmt: skip
            continue
        deep = [src.step + line if line.strip() else line for line in src.lines[first:last]]
        new = [f"{src.indent(loop.body[0])}if {test}:", *deep]
        yield order.edit_text(src.with_lines(first, last, new), about.named, match[0])


def _test(order: Order, what: str, each: str, less: bool) -> str | None:
    lengths = _LETTERS.match(what)
    if lengths is not None:
        said = lengths["n"] or lengths["m"]
        number = said if said.isdigit() else literals.literal(said)
        sign = ">=" if lengths["more"] else _SIGNS.get((lengths["how"] or lengths["how2"] or "exactly").lower(), "==")
        return f"len({each}) {_OPPOSITE[sign] if less else sign} {number}" if number else None
    kind = _KIND.match(what)
    if kind is None:
        return None
    text = order.src.text
    bare, no_of_it = (kind["word"] or kind["word2"]).lower(), (kind["no"] or kind["no2"] or "").lower()
    said = [(bare, bool(no_of_it)), *([(f"un{bare}", False)] if no_of_it == "un" else [])]
    for word, no in said:
        forms = []
        for name in (word, f"is_{word}"):
            if re.search(rf"\.{name}\(\)|def {name}\(self\)", text):
                forms.append(f"{each}.{name}()")
            elif re.search(rf"\b(?:self|{each})\.{name}\b", text) or re.search(rf"^\s+{name}: bool\b", text, re.M):
                forms.append(f"{each}.{name}")
            elif re.search(rf"\b{each}\[(['\"]){name}\1\]", text) or re.search(rf"['\"]{name}['\"]: (?:True|False)\b", text):  # fmt: skip
                quote = "'" if f"['{name}']" in text or f"'{name}':" in text else '"'
                forms.append(f"{each}[{quote}{name}{quote}]")
        if len(forms) == 1:
            return f"not {forms[0]}" if no != less else forms[0]
    return None


RULES = (
    Rule(
        re.compile(
            r"\b(?:never|not|can'?t|cannot|don'?t|shouldn'?t|mustn'?t|no longer|at (?:least|most)|(?:stop|end|capp?e?d?) at)\b",
            re.I,
        ),
        _bounded,
    ),
    Rule(re.compile(r"\bnegative\b", re.I), _treated),
    Rule(re.compile(r"\bround", re.I), _rounded),
    Rule(re.compile(r"\b(?:only|just|skip|ignore|leave out|drop|exclude|filter out)\b", re.I), _filtered),
)
