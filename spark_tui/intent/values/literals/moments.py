"""The present as a value: *now* and *today*, as the file writes them or can write them with its imports; and
formats of dates from samples of them: `2024-03-31` and `YYYY-MM-DD` are `%Y-%m-%d`."""

from __future__ import annotations

import ast
import re
from datetime import datetime

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.made_types import made_type
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_FORMS = {"now": ("datetime.now()", "time.time()"), "today": ("date.today()",)}
_PARTS = ("year", "month")
"""What is asked of the day, which is imported where it is not."""
_MOMENT = re.compile(
    r"(?P<unless>unless )?(?P<x>.+?) (?:is|lies|was|ends|starts)? ?in the (?:past|(?P<future>future))"
)
_DAYS = frozenset(("date", "datetime"))
_MODULES = {"datetime": "datetime", "date": "datetime", "time": "time"}
DATE_FIELD = re.compile(r"%[aAbBdHIjmMpSyY]")
_YEAR = re.compile(r"%[yYGcx]")
_GROUP = re.compile(r"\d+|[^\W\d_]+")
_FIELDS = ("%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%I", "%B", "%b", "%A", "%a", "%p", "%j")
_LETTERS = {"yyyy": "%Y", "yy": "%y", "mm": "%m", "dd": "%d", "hh": "%H", "ss": "%S"}
USUAL = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y"),
    *("%d.%m.%y", "%d %B %Y", "%d %b %Y", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%H:%M", "%H:%M:%S"),
)


def present_moment(text: str, source: Source | None) -> str | None:
    """The code of `today` or `the current time`; None where a file imports nothing that gives it."""
    kind = phrases.lookup("moments", text)
    if kind is None or source is None or source.tree is None:
        return None
    if kind in _PARTS:
        moment = present_moment("today", source) or present_moment("now", source) or ""
        return f"{moment if moment and 'time.time' not in moment else 'date.today()'}.{kind}"
    calls = list(find_nodes(source.tree, ast.Call))
    used = [ast.unparse(call) for call in calls if called_name(call) == kind]
    if used:
        return max(used, key=used.count)
    for form in _FORMS[kind]:
        owner = form.partition(".")[0]
        for stmt in source.tree.body:
            names = stmt.names if isinstance(stmt, ast.Import | ast.ImportFrom) else []
            for alias in names:
                spelled = alias.asname or alias.name
                if isinstance(stmt, ast.ImportFrom) and owner != "time":
                    if stmt.module == _MODULES[owner] and alias.name == owner:
                        return form.replace(owner, spelled, 1)
                elif isinstance(stmt, ast.Import) and alias.name == _MODULES[owner]:
                    return form.replace(owner, spelled, 1) if owner == "time" else f"{spelled}.{form}"
    return None


def find_moment_condition(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """That a time is in the past or the future, as code: compared with today where it is a day."""
    found = _MOMENT.fullmatch(span.text.strip(" .,;!?`"))
    visible = context.visible(anchor.path, anchor.node)
    named = (found["x"], found["x"].partition(" ")[2]) if found is not None else ()  # if start, when
    subject = next((code for item in named if (code := visible.expression(item))), None)
    function = anchor.node if isinstance(anchor.node, Function) else None
    if found is None or subject is None or function is None:
        return []
    source, tree = context.source(anchor.path), parsed(subject)
    made = made_type(tree, function, source) if isinstance(tree, ast.expr) else ""
    kinds = (
        ("today", "now") if made == "date" or (not made and _is_day(source, subject)) else ("now", "today")
    )
    code = next((code for kind in kinds if (code := present_moment(kind, source))), None)
    if code is None:
        return []
    later = bool(found["future"]) != bool(found["unless"])
    sign = (">" if later else "<") if not found["unless"] else (">=" if later else "<=")
    kinds_of = {made} if made else _kinds(source)
    unlike = kinds_of & _DAYS - {"date" if "today" in code else "datetime"}
    doubts = (assumed(f"{subject} was assumed to be like {code}"),) if unlike else ()
    return [Option(f"{subject} {sign} {code}", doubts=doubts)]


def _is_day(source: Source, subject: str) -> bool:
    """Whether a file has days alone: it uses `date`, and `datetime` nowhere."""
    return _kinds(source) == {"date"} and "day" not in subject.split(".")


def _kinds(source: Source) -> frozenset[str]:
    """Which of both kinds of moments a file uses by their names."""
    known = {ast.unparse(node) for node in walk(source.tree) if isinstance(node, ast.Name | ast.Attribute)}
    return _DAYS & known


def date_format(form: str, old: str, new: str) -> str | None:
    """The format of dates that gives a new sample, or that letters spell (`YYYY-MM-DD`)."""
    if spelled := _spelled(new):
        return spelled
    if not old:
        return next((item for item in USUAL if is_date_in_format(item, new)), None)
    when = _parse_date(form, old)
    if when is None:
        return None
    used: list[str] = [*DATE_FIELD.findall(form), *_FIELDS]

    def field(found: re.Match[str]) -> str:
        fits = [item for item in used if when.strftime(item) == found[0]]
        if not fits:
            return found[0]
        used.remove(fits[0])
        return fits[0]

    made = _GROUP.sub(field, new)
    return made if made != new and when.strftime(made) == new else None


def _spelled(text: str) -> str:
    """The format of `YYYY-MM-DD` or `dd.mm.yy`."""
    parts = _GROUP.findall(text.lower())
    if len(parts) < 2 or any(part not in _LETTERS for part in parts) or "dd" not in parts:
        return ""
    made = _GROUP.sub(lambda found: _LETTERS[found[0].lower()], text)
    head, hour, rest = made.partition("%H")
    return head + hour + rest.replace("%m", "%M") if hour else made


def is_date_in_format(form: str, text: str) -> bool:
    return _parse_date(form, text) is not None


def _parse_date(form: str, text: str) -> datetime | None:
    """The date that a text is in a format; none of a format with a field twice, as `%d` of numbers may be.
    A date without a year is one of the leap year 2000: Python 3.13 warns where none is given."""
    if not _YEAR.search(form):
        text, form = f"2000 {text}", f"%Y {form}"
    try:
        return datetime.strptime(text, form)
    except (ValueError, re.error):
        return None
