"""Limits that are said as a matter of fact, and folders that have to be there: *hp can't go below 0*, *create out first*.

Comes in: an order. Goes out: edits. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import importing, put, top_line
from spark_tui.refactor.checks.read import Reading, tidy
from spark_tui.refactor.naming import naming_in, parts
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import value
from spark_tui.refactor.source import Change, Function, Source, parameters

_NO = r"(?:(?:should|must|may|can|do(?:es)?|will)(?: ?n[o']?t| not| never)|can't|cannot|cant|never|not|no|isn'?t allowed to|is not allowed to|has to stop|have to stop)"
_LOW = re.compile(
    rf"\b{_NO}(?: ever| be able to| let it)?\s*(?:go(?:es|ing)?|drop(?:s|ping)?|fall(?:s|ing)?|sink|get|be(?:come)?|make|turn|run)?\s*(?:(?:\w+ )?(?P<neg>negative|minus)|(?:down )?(?:below|under|lower than|less than|smaller than|beneath) (?P<v>-?\w+(?:\.\d+)?))\b|\b(?:stop|stops|end|ends)(?: \w+)?(?: \w+)? at (?P<s>zero|0)\b|\b(?:at least|no lower than|no less than) (?P<l>-?\w+(?:\.\d+)?)\b|\bkeep \w+(?: \w+)? (?:at or )?(?:above|over) (?P<k>-?\w+)\b",
    re.I,
)
_HIGH = re.compile(
    rf"\b{_NO}(?: ever| be able to| let it)?\s*(?:go(?:es|ing)?|rise|rises|climb|grow|get|be(?:come)?|exceed|raise)?\s*(?:(?:up )?(?:above|over|beyond|past|higher than|more than|bigger than|greater than) |(?<=exceed) )(?P<v>-?\w+(?:\.\d+)?)\b|\b(?:cap|caps|capped|limit|limited|clamp)\b.*?\b(?:at|to) (?P<c>-?\w+(?:\.\d+)?)\b|\bat most (?:to )?(?P<m>-?\w+(?:\.\d+)?)\b|\b(?:to )?(?P<w>-?\w+) at (?:the )?most\b",
    re.I,
)
_SAID = "should shouldn't must mustn't can't cannot can not never no be go goes drop drops fall below above under over zero value of the a it its ever allowed become negative more less than any further at most least to up cap caps limit limited keep make sure stop when so that in is up there anymore maximum max minimum min down let and nobody has have may might let it's reaches reached"


def _limits(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if re.search(r"\b(?:raise|return|error|if|when|unless|skip|assert|print|warn|reject|refuse)\b", order.said, re.I):
        return
    functions = _plainly(reading)
    low = reading.take(_LOW)
    high = reading.take(_HIGH) if low is None else None
    match = low or high
    if match is None:
        return
    told = "0" if low is not None and low["neg"] else next((one for one in match.groupdict().values() if one), None)
    found: dict[str, list[ast.AugAssign]] = {}
    said = set(re.findall(r"[a-z]+|\d+", reading.order.said.lower()))
    limits: dict[str, str] = {}
    wanted = ast.Sub if low is not None else ast.Add
    for function in functions:
        bound = value(naming_in(src, function), told or "")
        if bound is None:
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.AugAssign) and isinstance(node.op, wanted):
                target = node.target
                name = target.attr if isinstance(target, ast.Attribute) else ast.unparse(target)
                holder = src.class_of(function) or function
                key = f"{ast.unparse(target)} {holder.name}"
                spoken = set(parts(name)) <= said or name in reading.order.said
                if (spoken or (reading.named and not _things(src, said))) and src.function_of(node) is function:
                    found.setdefault(key, []).append(node)
                    limits[key] = bound
    if reading.named and len({id(node) for nodes in found.values() for node in nodes}) > len(found):
        return
    for key, nodes in found.items():
        changes: list[Change] = []
        for node in nodes:
            written, more = src.segment(node.target), src.segment(node.value)
            if isinstance(node.value, ast.BinOp | ast.IfExp | ast.BoolOp) and low is not None:
                more = f"({more})"
            whole = (
                f"max({limits[key]}, {written} - {more})"
                if low is not None
                else f"min({limits[key]}, {written} + {more})"
            )
            changes.append((*src.span(node), f"{written} = {whole}"))
        owner = key.partition(" ")[2]
        yield order.edit(changes, *reading.used, _SAID, *parts(key.partition(" ")[0]), owner, *parts(owner))


def _things(src: Source, said: set[str]) -> bool:
    """Whether the order names anything that is counted up or down."""
    names = {
        node.target.attr if isinstance(node.target, ast.Attribute) else ast.unparse(node.target)
        for node in src.nodes
        if isinstance(node, ast.AugAssign)
    }
    return any(set(parts(name)) <= said for name in names)


def _plainly(reading: Reading) -> list[Function]:
    """The functions that are meant: a plain word at the beginning counts, *tick shouldn't …*, with its class in front."""
    src = reading.src
    found = reading.functions()
    if reading.named:
        return found
    head = re.match(r"(?:(?:in|for|the)\s+)*(?:(?P<class>[A-Z]\w*)\.)?(?P<name>[^\W\d]\w*)(?:\(\))?", reading.rest)
    same = [one for one in found if head and one.name == head["name"]]
    if head and head["class"]:
        same = [one for one in same if (owner := src.class_of(one)) is not None and owner.name == head["class"]]
    if same and head:
        reading.cut(*head.span())
        reading.named = True
        return same
    return found


# -- folders -----------------------------------------------------------------------------------------------------------

_CREATE = re.compile(
    r"\b(?:create|make|mkdir|add)\s+(?P<a>(?!sure\b|it\b)(?:[\w.`'\"]+\s+){0,3}?[\w.`'\"]+?)(?:\s+(?P<kind>folder|directory|dir))?(?:\s+(?:of|for) (?P<of>[\w.`]+(?: file)?))?\s*,?\s*(?:first\s*)?(?:\b(?:if|when|unless|in case)\b\s+(?:(?:it|that|the folder|the directory|there|they)\s*(?:is|does|'s|was)?\s*(?:n[o']?t|not|no)?\s*(?:missing|exists?(?: yet)?|there(?: yet)?|such(?: \w+)?|yet)|(?:it|that)'?s (?:not there|missing)|(?:it )?(?:isnt|isn'?t|doesnt|doesn'?t) (?:there|exist)(?: yet)?|missing|needed|necessary)|(?:if|when) (?:needed|missing|necessary))",
    re.I,
)
_ENSURE = re.compile(
    r"\b(?:make sure|ensure|be sure)(?: that)? (?P<a>(?:[\w.`'\"]+\s+){0,3}?[\w.`'\"]+?)(?:\s+(?P<kind>folder|directory|dir))?(?:\s+(?:of|for) (?P<of>[\w.`]+(?: file)?))? (?:exists|is there|is created)(?: (?:first|before \w+(?: \w+){0,3}))?",
    re.I,
)
_FOLDER = "create make mkdir folder directory dir if it is isn't isnt missing doesn't doesnt exist exists not there yet first needed necessary in when the of for sure ensure that before writing saving copying at start parent its parents"


def _folders(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    reading.rest, reading.used = order.said, []
    match = reading.take(_CREATE, _ENSURE)
    if match is None:
        return
    spoken = bool(match["kind"])
    functions = reading.functions()
    if not reading.named and reading.strangers():
        return
    for function in functions:
        naming = naming_in(src, function, _constants(src))
        naming.names = tuple(dict.fromkeys((*naming.names, *_constants(src))))
        said = tidy(match["of"] or re.sub(r"\b(?:folder|directory|dir)$", "", match["a"], flags=re.I))
        said = re.sub(r"^(?:the|a|an|its)\s+", "", said, flags=re.I) if said else ""
        name = naming.thing(said) if said and said.lower() not in ("the", "a") else _folder_in(function)
        own = (
            _folder_in(function)
            if spoken and not match["of"] and name is None and said.lower() in ("the", "")
            else name
        )
        name = own
        if name is None or not re.fullmatch(r"[\w.]+", name):
            continue
        code, module = _made(src, function, name, bool(match["of"]), spoken)
        if code is None or not (spoken or _is_folder(name, src.segment(function))):
            continue
        if not reading.named and len(functions) > 1 and not re.search(rf"(?<![\w.]){name}\b", src.segment(function)):
            continue
        there = _there(src, function, name)
        if there is not None:
            yield order.edit(there, *reading.used, _FOLDER, name, *parts(name))
            continue
        place = _before(src, function, name)
        imported = importing(src, module)
        if place is None or imported is None or code in src.segment(function):
            continue
        yield order.edit([put(src, place[0], [place[1] + code]), *imported], *reading.used, _FOLDER, name, *parts(name))


def _constants(src: Source) -> list[str]:
    return [
        target.id
        for node in (src.tree.body if src.tree else [])
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]


def _is_folder(name: str, text: str) -> bool:
    last = parts(name)[-1:] or [""]
    return last[0] in ("folder", "dir", "directory", "target", "dst", "dest", "destination", "out", "output") or bool(
        re.search(rf"(?:os\.path\.join|listdir|copy\w*)\((?:[^()]*, )?{re.escape(name)}\b", text)
    )


def _folder_in(function: Function) -> str | None:
    """The one parameter that is a folder, or what a file is opened at for writing."""
    named = [one.arg for one in parameters(function) if _is_folder(one.arg, "")]
    return named[0] if len(named) == 1 else None


def _made(src: Source, function: Function, name: str, parent: bool, spoken: bool) -> tuple[str | None, str]:
    text = src.segment(function)
    one = re.escape(name)
    path = re.search(rf"\b{one}\s*/\s*|\b{one}\.(?:mkdir|exists|iterdir|glob|open|write_text)\b|(?m:^{one} = (?:pathlib\.)?Path\()|\b{one}: (?:pathlib\.)?Path\b", src.text)  # fmt: skip
    opened = re.search(rf"\bopen\(\s*{one}\s*,", text)
    if opened and not parent and not spoken:
        return None, ""
    if path:
        return f"{name}{'.parent' if parent or opened else ''}.mkdir(parents=True, exist_ok=True)", ""
    if parent or opened:
        return f"os.makedirs(os.path.dirname({name}), exist_ok=True)", "os"
    return f"os.makedirs({name}, exist_ok=True)", "os"


def _there(src: Source, function: Function, name: str) -> list[Change] | None:
    """Where it is made already, that may find it made."""
    for node in ast.walk(function):
        made = isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.mkdir", "os.makedirs")
        if (
            made
            and isinstance(node, ast.Call)
            and [src.segment(one) for one in node.args] == [name]
            and not node.keywords
        ):
            end = src.span(node)[1] - 1
            return [(*src.span(node.func), "os.makedirs"), (end, end, ", exist_ok=True")]
    return None


def _before(src: Source, function: Function, name: str) -> tuple[int, str] | None:
    """The top of the function, or behind the line that makes the name."""
    for one in function.body:
        if isinstance(one, ast.Assign) and any(ast.unparse(target) == name for target in one.targets):
            return src.last_line(one), src.indent(one)
    return top_line(src, function)


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\b(?:below|under|negative|above|over|exceed|beyond|past|cap|caps|capped|limit|most|least|than|at (?:zero|0))\b", re.I), _limits),
    Rule(re.compile(r"\b(?:create|make|mkdir|ensure|be sure|add)\b.*\b(?:folder|director(?:y|ies)|dir|exists?|missing|there)\b", re.I), _folders),
)  # fmt: skip
