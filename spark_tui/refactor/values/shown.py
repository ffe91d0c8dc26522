"""What a program shows: *make the winning message "Congratulations!"*, *the prompt should end with a colon*, *water should say
how many seconds too*.

Comes in: an `Order`. Goes out: edits of one text or one call each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Function, parameters
from spark_tui.refactor.values.asked import Asked, asked
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in
from spark_tui.refactor.values.slots import alike, parts, slot_of, target_name
from spark_tui.refactor.values.written import in_quotes_of

_SHOWS = re.compile(r"(?:print|input|prompt|echo|write|send\w*|reply|show\w*|say|speak|debug|info|warning|warn|error|critical|exception|title|Label|Button|messagebox|fail|abort|exit)$")  # fmt: skip
_NOTHING = frozenset(re.findall(r"\w+", "message messages text texts line output wording print prints printed shows shown says said show say make change set should must be read to new better now instead call input string value a an the for when after if on at"))  # fmt: skip


def _texts(about: Asked) -> list[tuple[ast.expr, list[str], list[str]]]:
    """Texts that are shown, the words in them, and what stands around them."""
    src = about.order.src
    out: list[tuple[ast.expr, list[str], list[str]]] = []
    for node in src.nodes:
        if not isinstance(node, ast.Constant | ast.JoinedStr) or not about.inside(node.lineno):
            continue
        if isinstance(node, ast.Constant) and (
            not isinstance(node.value, str) or not re.search(r"[^\W\d]", node.value)
        ):
            continue
        if isinstance(
            src.parents.get(node), ast.JoinedStr | ast.FormattedValue | ast.Expr | ast.Subscript | ast.Compare
        ):
            continue
        call = next((one for one in src.ancestors(node) if isinstance(one, ast.Call)), None)
        raised = any(isinstance(one, ast.Raise) for one in src.ancestors(node))
        parent = src.parents.get(node)
        shown = call is not None and (raised or _SHOWS.match(target_name(call.func).rpartition(".")[2]) is not None)
        if not shown and not isinstance(parent, ast.Return | ast.Assign | ast.keyword | ast.AnnAssign):
            continue
        content = [part for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str) for part in re.findall(r"[^\W\d]+", one.value.lower())]  # fmt: skip
        slot = slot_of(src, node)
        function = src.function_of(node)
        around = [part for name in (*slot.names, *slot.near, function.name if function else "") for part in parts(name)]
        if call is not None:
            around.append(target_name(call.func).rpartition(".")[2].lower())
            around += ["question", "prompt"] if target_name(call.func) == "input" else []
            around += ["error", "message"] if raised else []
        out.append((node, content, around))
    return out


_TO_BE = re.compile(
    r"^(?:make|change|set|turn|let|reword)?\s*(?:the )?(?P<role>[\w ]+?)\s*(?:to|into|be|say|read|says|=|:|->|should (?:be|say|read)|must (?:be|say|read)|reads?)?\s*(?P<text>\"[^\"]+\"|'[^']+'|`[^`]+`)(?: instead)?$",
    re.I,
)


def _message(order: Order) -> Iterator[Edit]:
    """The one text that a role fits by what it says or by where it stands."""
    about = asked(order)
    match = _TO_BE.match(about.text.strip(" .!")) or _TO_BE.match(order.said.strip())
    if match is None or re.match(
        r"(?:add|print|log|return|raise|append|call|import|rename|use)\b", match["role"], re.I
    ):
        return
    said = [word for word in words(match["role"]) if word not in FILLERS and word not in _NOTHING]
    kind = re.search(r"\b(?:message|text|line|output|wording|prompt|question|title|greeting|label|print|caption|welcome|farewell|goodbye|error|answer)\b", match["role"], re.I)  # fmt: skip
    if not said or kind is None:
        return
    ranked = []
    for node, content, around in _texts(about):
        inside = [word for word in said if any(alike(word, part) for part in content)]
        beside = [word for word in said if word not in inside and any(alike(word, part) for part in around)]
        asks = "input" in around and bool({"prompt", "question"} & set(said))
        if inside or beside:
            ranked.append((len(inside) + len(beside), len(inside) + asks, node))
    best = max((one[:2] for one in ranked), default=(0, 0))
    chosen = [one[2] for one in ranked if one[:2] == best]
    if len(chosen) != 1 or best[0] < len(said):
        return
    src = order.src
    node = chosen[0]
    if isinstance(node, ast.JoinedStr) or isinstance(src.parents.get(node), ast.BinOp):
        return  # what it puts in would be lost
    text = match["text"][1:-1]
    if isinstance(node, ast.Constant) and node.value != text:
        yield about.edit([(*src.span(node), in_quotes_of(src.segment(node), text))], match[0])


_MARKS = {"colon": ":", "question mark": "?", "exclamation mark": "!", "full stop": ".", "dot": ".", "period": ".", "newline": "\\n", "line break": "\\n", "comma": ",", "space": " ", "semicolon": ";", "ellipsis": "..."}  # fmt: skip
_END = re.compile(
    rf"^(?:the |put |add )?(?P<role>[\w ]*?)\s*(?:should|must|has to|needs? to|to)? ?(?:end|ends|finish)(?:ing)? (?:with|in|on) (?:an? |the )?(?P<mark>{'|'.join(_MARKS)})$"
    rf"|^(?:add|put|append) (?:an? |the )?(?P<mark2>{'|'.join(_MARKS)}) (?:to|at|after|behind) (?:the )?(?:end of (?:the )?)?(?P<role2>[\w ]+?)$"
    rf"|^(?:the )?(?P<role3>[\w ]+?) (?:needs?|lacks?|is missing|wants) (?:an? )?(?P<mark3>{'|'.join(_MARKS)})(?: at the end)?$",
    re.I,
)


def _ends(order: Order) -> Iterator[Edit]:
    """*the prompt should end with a colon*."""
    about = asked(order)
    match = _END.match(about.text.strip(" .!"))
    if match is None:
        return
    mark = _MARKS[next(one for one in (match["mark"], match["mark2"], match["mark3"]) if one).lower()]
    role = next((one for one in (match["role"], match["role2"], match["role3"]) if one), "")
    said = [word for word in words(role) if word not in FILLERS and word not in _NOTHING]
    src = order.src
    ranked = []
    for node, content, around in _texts(about):
        fits = [word for word in said if any(alike(word, part) for part in (*content, *around))]
        asks = "input" in around and bool({"prompt", "question", "input"} & set(said))
        ranked.append((len(fits) + asks, node))
    best = max((one[0] for one in ranked), default=0)
    chosen = [node for number, node in ranked if number == best]
    if len(chosen) != 1 or best < len(said) or (not said and not about.here):
        return
    segment = src.segment(chosen[0])
    quote = re.search(r"['\"]+$", segment)
    if quote is None:
        return
    inner = segment[: quote.start()]
    blank = inner[len(inner.rstrip(" ")) :]
    inner = inner.rstrip(" ")
    blank = "" if mark == "\\n" else blank
    if inner.endswith(mark):
        return
    if inner[-1:] in ":?!.,;" and mark.strip() and mark not in ("\\n",):
        inner = inner.rstrip(":?!.,;")
    if isinstance(chosen[0], ast.Constant):
        yield about.edit([(*src.span(chosen[0]), f"{inner}{mark}{blank}{quote[0]}")], match[0])


_TOO = re.compile(
    r"^(?:(?P<who>[\w.]+)(?:\(\))? (?:should|must|could|has to|needs to) (?:also )?)?(?:say|print|show|tell|mention|output|display|log|include|write)s? (?:also )?(?:how (?:many|much|long)|which|what)?\s*(?:the |a )?(?P<what>[\w ]+?)(?P<too> too| also| as well)?(?P<when> (?:when|after|behind|if|in|with|next to|beside|on) (?:the |an? )?(?P<where>[\w ()'\"`]+?))?(?P<too2> too| also| as well)?$",
    re.I,
)
_LEFT = frozenset(["remaining", "left", "current", "many", "much", "how", "number", "too", "also", "value", "of", "the", "its", "still", "needed"])  # fmt: skip


def _tell(order: Order) -> Iterator[Edit]:
    """One thing more in a print: *water should say how many seconds too*, *show the remaining lives after wrong*."""
    match = _TOO.match(order.said.strip(" .!"))
    if match is None or not (match["too"] or match["too2"] or match["where"]):
        return
    if re.search(r"\b(?:line|before|list|return|error|exception|traceback|all|every|each)\b", match[0], re.I):
        return
    src = order.src
    calls: list[ast.Call] = [node for node in src.nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"]  # fmt: skip
    who, where = match["who"], (match["where"] or "").strip()
    if who is not None and who.lower() not in ("it", "the", "program", "script", "we"):
        own = [one for one in src.functions if one.name == who.rpartition(".")[2]]
        calls = [node for node in calls if src.function_of(node) in own]
        if len(own) != 1:
            return
    if where:
        said = [word for word in words(re.sub(r"[\"'`()]", "", where)) if word not in FILLERS and word not in ("print", "message", "function")]  # fmt: skip
        named = [one for one in src.functions if one.name == re.sub(r"[\"'`()]", "", where)]
        ranked: list[ast.Call] = []
        for call in calls:
            text = [part for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str) for part in re.findall(r"\w+", one.value.lower())]  # fmt: skip
            function = src.function_of(call)
            text += parts(function.name) if function is not None else []
            if function in named or (said and all(any(alike(word, part) for part in text) for word in said)):
                ranked.append(call)
        calls = ranked
    elif not (match["too"] or match["too2"]):
        return
    wanted = [word for word in words(match["what"]) if word not in _LEFT and word not in FILLERS]
    made = []
    for call in calls:
        names = [name for name in _visible(order, call) if wanted and _means(wanted, name)]
        exact = [name for name in names if len(parts(name.rpartition(".")[2])) == len(wanted)] or names
        now = src.segment(call)
        if len(exact) == 1 and not re.search(rf"(?<![\w.]){re.escape(exact[0])}(?!\w)", now):
            made.append((call, exact[0]))
    if len(made) != 1:
        return
    call, name = made[0]
    span = call_brackets(src, call)
    if span is None or not call.args or call.keywords:
        return
    last = call.args[-1]
    changes: list[Change]
    if len(call.args) == 1 and isinstance(last, ast.JoinedStr) and src.segment(last)[-2:-1] not in "'\"":
        end = src.span(last)[1] - 1
        changes = [(end, end, f" {{{name}}}")]
    else:
        changes = put_in(src, span, arguments(src, call), [name])
    yield order.edit(changes, match[0])


def _visible(order: Order, call: ast.Call) -> list[str]:
    """Names that have a value where something is printed."""
    src = order.src
    function = src.function_of(call)
    names: dict[str, None] = {}
    if function is not None:
        names.update(dict.fromkeys(one.arg for one in parameters(function)))
    scope: ast.AST | None = function or src.tree
    for node in ast.walk(scope) if scope is not None else ():
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store) or node.lineno > call.lineno:
            continue
        if isinstance(scope, Function) or src.function_of(node) is None:
            names[node.id] = None
    own = src.class_of(function) if function is not None else None
    for node in ast.walk(own) if own is not None else ():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            names.update({f"self.{node.attr}": None} if isinstance(node.ctx, ast.Store) else {})
    return list(names)


def _means(wanted: list[str], name: str) -> bool:
    own = parts(name.rpartition(".")[2])
    return all(any(alike(word, part) for part in own) for word in wanted)


RULES = (
    Rule(re.compile(r"[\"'`]"), _message),
    Rule(re.compile(rf"\b(?:{'|'.join(_MARKS)})\b", re.I), _ends),
    Rule(re.compile(r"\b(?:say|print|show|tell|mention|output|display|log|include|write)", re.I), _tell),
)
