"""How things are written and compared: *stamp like 2024-05-01 17:30*, *names should ignore case*, *round the total to 2 digits*.

Comes in: an `Order`. Goes out: edits of one format, comparison or result each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.asked import asked
from spark_tui.refactor.values.slots import alike, parts, slot_of, target_name
from spark_tui.refactor.values.written import in_quotes_of

_SAMPLE = re.compile(r"(?<![\w.])(?P<date>\d{4}[-/._]?\d\d[-/._]?\d\d|\d\d[-/.]\d\d[-/.]\d{4})(?P<gap>[ T_-]?)(?P<time>\d\d[:.h-]?\d\d(?:[:.-]?\d\d)?)?(?![\w])|(?<![\w.])(?P<only>\d\d:\d\d(?::\d\d)?)(?!\w)")  # fmt: skip
_CLOCK = re.compile(r"\b(?:the |with |and |also |show |add )*(?:the )?(?P<what>hours?(?:,| and) minutes?(?:(?:,| and) seconds?)?|time(?: of (?:the )?day)?|seconds)\b", re.I)  # fmt: skip
_DATE_WORDS = frozenset(re.findall(r"\w+", "add put the time date to in stamp format formatted like as should be look looks timestamp use with and also too show shown such e g for example so it this way instead change hours minutes seconds hour minute second day of names name file"))  # fmt: skip


def _format_of(sample: re.Match[str], old: str) -> str:
    """The format of a date that is shown as an example; which of day and month comes first, as it was."""
    if sample["only"]:
        return "%H:%M:%S" if sample["only"].count(":") == 2 else "%H:%M"
    date = sample["date"]
    mark = re.sub(r"\d", "", date)[:1]
    if re.match(r"\d{4}", date):
        out = mark.join(("%Y", "%m", "%d"))
    else:
        first = int(date[:2])
        month_first = int(date[3:5]) > 12 or (first <= 12 and old.find("%m") >= 0 and old.find("%m") < old.find("%d") and "%Y" in old[old.find("%d") :])  # fmt: skip
        out = mark.join(("%m", "%d", "%Y") if month_first or (mark == "/" and first <= 12) else ("%d", "%m", "%Y"))
    if sample["time"]:
        pieces = re.split(r"([:.h-])", sample["time"])
        digits = "".join(re.findall(r"\d", sample["time"]))
        between = pieces[1] if len(pieces) > 1 else ""
        out += sample["gap"] + between.join(("%H", "%M", "%S")[: len(digits) // 2])
    return out


def _dates(order: Order) -> Iterator[Edit]:
    """*add the time to the stamp, like 2024-05-01-1730*: the one format of a time in the file, or in the function."""
    about = asked(order)
    if len(about.text) > 120 or re.search(
        r"\b(?:parse|parameter|function|if|when|import|remove|why|log)\b", about.text, re.I
    ):
        return
    src = order.src
    found = []
    for node in src.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"%[YmdHMSyBb]", node.value):
            call = src.parents.get(node)
            if about.inside(node.lineno) and (isinstance(call, ast.Assign) or (isinstance(call, ast.Call) and target_name(call.func).rpartition(".")[2] == "strftime")):  # fmt: skip
                function = src.function_of(node)
                slot = slot_of(src, node)
                found.append((node, [part for name in (*slot.names, *slot.near, function.name if function else "") for part in parts(name)]))  # fmt: skip
    sample = _SAMPLE.search(about.text)
    rest = about.text if sample is None else about.text[: sample.start()] + " " + about.text[sample.end() :]
    said = [word for word in words(rest) if word not in FILLERS and word not in _DATE_WORDS]
    fitting = [node for node, around in found if all(any(alike(word, part) for part in around) for word in said)]
    if len(fitting) != 1:
        return
    node = fitting[0]
    old = str(node.value) if isinstance(node, ast.Constant) else ""
    if sample is not None:
        if re.search(r"\b(?:from|since|until|before|after|day is|today)\b", rest, re.I):
            return
        new = _format_of(sample, old)
    else:
        clock = _CLOCK.search(about.text)
        if (
            clock is None
            or "%H" in old
            or not re.search(r"\b(?:add|with|also|too|and|include|put)\b", about.text, re.I)
        ):
            return
        new = old + (" %H:%M:%S" if "second" in clock["what"].lower() else " %H:%M")
        said_words = set(words(about.text))
        if not said_words & {"stamp", "timestamp", "date", "dates", "format"} and not said:
            return
    if new != old:
        yield about.edit([(*src.span(node), in_quotes_of(src.segment(node), new))], about.text)


# -- case and rounding ---------------------------------------------------------------------------------------------------

_NO_CASE = re.compile(r"\b(?:ignor\w+(?: the| upper and lower)? case|case[- ]?insensitiv\w*|regardless of (?:upper ?case|lower ?case|case)|case (?:should not|shouldn'?t|does(?:n'?t| not)|must not) matter|upper ?case \w+ (?:should )?count too|not be case[- ]sensitive)\b", re.I)  # fmt: skip
_CASE_WORDS = frozenset(re.findall(r"\w+", "comparison compare comparing compared compares names name check checks search find matching match matches look lookup should must be of when test equal equality the in too also upper lower case uppercase lowercase count counts"))  # fmt: skip


def _ignoring_case(order: Order) -> Iterator[Edit]:
    """*names should ignore case*: both sides of the one comparison of texts."""
    about = asked(order)
    match = _NO_CASE.search(about.text)
    if re.match(r"(?:do|does|is|are|why|how|did)\b", order.said, re.I):
        return
    if match is None or len(about.text) > 100 or re.search(r"\b(?:sort\w*|regex|pattern|re\.)\b", about.text, re.I):
        return
    src = order.src
    scope = [one for one in src.functions if re.match(rf"{one.name}\b", about.text)]
    said = [word for word in words(about.text.replace(match[0], " ")) if word not in FILLERS and not any(word in parts(one.name) for one in scope)]  # fmt: skip
    found = []
    for node in src.nodes:
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not about.inside(node.lineno):
            continue
        if not isinstance(node.ops[0], ast.Eq | ast.NotEq) or (scope and src.function_of(node) not in scope):
            continue
        sides = (node.left, node.comparators[0])
        if any(isinstance(one, ast.Constant) and not isinstance(one.value, str) for one in sides):
            continue
        if any(isinstance(one, ast.BinOp | ast.Compare | ast.List | ast.Tuple) or (isinstance(one, ast.Call) and target_name(one.func) in ("len", "int", "sum")) for one in sides):  # fmt: skip
            continue
        names = [part for one in ast.walk(node) for part in parts(target_name(one))]
        function = src.function_of(node)
        names += parts(function.name) if function is not None else []
        fits = [word for word in said if any(alike(word, part) for part in names)]
        if all(word in fits or word in _CASE_WORDS for word in said):
            found.append((len(fits), node, sides, fits))
    best = max((one[0] for one in found), default=-1)
    chosen = [one for one in found if one[0] == best]
    for _, _, sides, fits in chosen if len(chosen) <= 2 else []:
        changes: list[Change] = []
        for side in sides:
            if isinstance(side, ast.Constant):
                low = src.segment(side).lower()
                changes += [] if low == src.segment(side) else [(*src.span(side), low)]
            elif not src.segment(side).endswith((".lower()", ".casefold()", ".upper()")):
                end = src.span(side)[1]
                changes.append((end, end, ".lower()"))
        if changes:
            yield about.edit(changes, match[0], *fits, *_CASE_WORDS, *(one.name for one in scope))


_ROUND = re.compile(r"\bround(?:s|ed)?\b(?P<what>.*?)\b(?:to|with|at|off to)\s+(?P<n>\d|one|two|three|four)\s+(?:decimals?|decimal places|places|digits)\b|\bround(?:s|ed)?\b(?P<what2>.*?)\bto (?P<cents>cents?)\b", re.I)  # fmt: skip
_DIGITS = {"one": "1", "two": "2", "three": "3", "four": "4"}


def _rounded(order: Order) -> Iterator[Edit]:
    """*convert should round to 2 places*, *round the total to 2 digits*: what is given back by that name."""
    match = _ROUND.search(order.said)
    if match is None or len(order.said) > 90:
        return
    digits = "2" if match["cents"] else _DIGITS.get(match["n"].lower(), match["n"])
    rest = order.said[: match.start()] + " " + (match["what"] or match["what2"] or "") + " " + order.said[match.end() :]
    said = [word for word in words(rest) if word not in FILLERS and word not in ("result", "return", "returns", "returned", "answer", "function", "prices", "up", "down")]  # fmt: skip
    src = order.src
    found: list[ast.expr] = []
    for node in src.nodes:
        if isinstance(node, ast.Return) and node.value is not None:
            function = src.function_of(node)
            value = node.value
            if isinstance(value, ast.Constant | ast.List | ast.Dict | ast.ListComp | ast.JoinedStr | ast.Tuple) or function is None:  # fmt: skip
                inner = [one for one in ast.walk(value) if isinstance(one, ast.Dict)]
            else:
                names = [*parts(function.name), *parts(target_name(value))]
                if said and all(word in names for word in said) and not _is_rounded(value):
                    found.append(value)
                inner = [one for one in ast.walk(value) if isinstance(one, ast.Dict)]
            for one in inner:
                for key, held in zip(one.keys, one.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str) and said and all(word in parts(key.value) for word in said) and not _is_rounded(held):  # fmt: skip
                        found = [*(other for other in found if one not in ast.walk(other)), held]
    if len(found) == 1 and not isinstance(found[0], ast.Constant):
        text = src.segment(found[0])
        yield order.edit([(*src.span(found[0]), f"round({text}, {digits})")], match[0], *said, "result return returns returned answer function")  # fmt: skip


def _is_rounded(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and target_name(node.func) == "round"


_ANSWER = re.compile(r"\b(?:return|answer|respond|reply|give)s?(?: back)?(?: with)?(?: an?| the)?(?: (?:status|code))*\s*(?P<code>[1-5]\d\d)(?: (?:and|with) (?P<body>an? empty (?:string|body|text|answer)|nothing|no (?:content|body)))?$", re.I)  # fmt: skip


def _status(order: Order) -> Iterator[Edit]:
    """*clear should return 204 and an empty string*: the code beside what a handler gives back."""
    about = asked(order)
    match = _ANSWER.search(about.text)
    if match is None or not match["body"] or re.search(r"\b(?:if|when|unless|otherwise)\b", order.said, re.I):
        return
    functions = order.functions()
    src = order.src
    first = re.match(r"(?:the )?(\w+)", order.said)
    if len(functions) != 1 and first is not None:
        functions = [one for one in src.functions if one.name == first[1]]
    if len(functions) != 1:
        return
    returns = [one for one in ast.walk(functions[0]) if isinstance(one, ast.Return) and one.value is not None]
    if len(returns) != 1 or returns[0].value is None or "route" not in src.text:
        return
    yield about.edit(
        [(*src.span(returns[0].value), f'"", {match["code"]}')], match[0], functions[0].name, "answer return"
    )


RULES = (
    Rule(re.compile(r"\d\d[-/.:]?\d\d|\b(?:stamp|timestamp|date|time|hours?|minutes?|seconds)\b", re.I), _dates),
    Rule(_NO_CASE, _ignoring_case),
    Rule(_ROUND, _rounded),
    Rule(_ANSWER, _status),
)
