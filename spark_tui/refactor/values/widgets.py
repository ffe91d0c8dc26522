"""What windows, command lines, tests and web answers are made of: *the add button should say Insert*, *title of the window: Album*,
*restrict --zone to A and B*, *use assertAlmostEqual instead of assertEqual*, *answer 404 when there are no bikes*.

Comes in: an order. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import quote_of
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.said_of import said_of
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change, Source
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in
from spark_tui.refactor.values.slots import alike, parts, target_name
from spark_tui.refactor.values.written import in_quotes_of

_SAYS = re.compile(
    r"^(?:(?:make|let|have|change|set|rename)\s+)?(?:the\s+)?(?:(?:text|label|caption|title) (?:of|on|for) (?:the\s+)?)?(?P<role>[\w ]+?)\s+(?P<kind>button|label|checkbox|menu entry|menu item|header|heading)(?:'s)?(?: (?:text|caption|label))?\s*(?:(?:should|must|has to|needs to) (?:say|read|be(?: called| labell?ed)?|show|have the text)|says?|reads?|to(?: say| read)?|be called|:|=|->)\s+(?P<text>[^,;]+?)(?: instead(?: of .+)?)?$",
    re.I,
)
_TITLE = re.compile(
    r"^(?:(?:set|change|make|let)\s+)?(?:the\s+)?(?:title of (?:the\s+)?(?:main\s+)?(?:window|app|root|dialog|frame|gui|page|plot|chart|figure)|(?:window|app|root|plot|chart|figure)(?:'s)? title|title)\s*(?:(?:should|must) (?:be|say|read)|to(?: be)?|is|says?|be|read|:|=|->)\s+(?P<text>.+?)$|^(?:call|name|title) (?:the )?(?:main )?window\s+(?P<text2>.+?)$",
    re.I,
)


def _bare(text: str) -> str | None:
    """A text to be written: quoted, or a few words."""
    quoted = re.fullmatch(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`", text.strip())
    if quoted is not None:
        return next(one for one in quoted.groups() if one is not None)
    if re.search(r"[`\"()\[\]{}=]|\b(?:from|f-?string|variable|constant|parameter|argument|bold|red|disabled|bigger|centered|upper|lower)\b", text) or len(text.split()) > 5:  # fmt: skip
        return None
    return text.strip()


def _labelled(order: Order) -> Iterator[Edit]:
    match = _SAYS.match(order.said.strip(" .!"))
    text = _bare(match["text"]) if match is not None else None
    if match is None or not text:
        return
    src = order.src
    said = [word for word in words(match["role"]) if word not in FILLERS]
    found = []
    for node in src.nodes:
        if not isinstance(node, ast.Call):
            continue
        kind = target_name(node.func).rpartition(".")[2].lower()
        held = next((one.value for one in node.keywords if one.arg in ("text", "label")), None)
        if held is None and kind in ("button", "qpushbutton", "label", "qlabel", "qcheckbox") and node.args:
            held = node.args[0]
        if not isinstance(held, ast.Constant) or not isinstance(held.value, str):
            continue
        if match["kind"].lower() in ("button", "label", "checkbox") and not kind.replace("checkbutton", "checkbox").endswith(match["kind"].lower()):  # fmt: skip
            continue
        parent = src.parents.get(node)
        near = parts(src.segment(parent.targets[0])) if isinstance(parent, ast.Assign) else []
        near += [part for one in node.keywords if one.arg == "command" for part in parts(src.segment(one.value))]
        near += re.findall(r"\w+", held.value.lower())
        if said and all(any(alike(word, part) for part in near) for word in said):
            found.append(held)
    if len(found) == 1 and found[0].value != text:
        yield order.edit([(*src.span(found[0]), in_quotes_of(src.segment(found[0]), text))], match[0])


def _titled(order: Order) -> Iterator[Edit]:
    match = _TITLE.match(order.said.strip(" .!"))
    text = _bare(match["text"] or match["text2"]) if match is not None else None
    if match is None or not text:
        return
    src = order.src
    calls = [node for node in src.nodes if isinstance(node, ast.Call) and target_name(node.func).rpartition(".")[2] in ("title", "setWindowTitle", "set_title", "set_caption") and node.args]  # fmt: skip
    held = calls[0].args[0] if len(calls) == 1 else None
    if isinstance(held, ast.Constant) and isinstance(held.value, str) and held.value != text and not isinstance(calls[0].func.value if isinstance(calls[0].func, ast.Attribute) else None, ast.Constant):  # fmt: skip
        yield order.edit([(*src.span(held), in_quotes_of(src.segment(held), text))], match[0])


_LIST = r"[\w.\"'`-]+(?:(?:\s*,\s*(?:and |or )?|\s+(?:and|or)\s+|/|\s*\|\s*)[\w.\"'`-]+)+"
_CHOICES = re.compile(
    rf"^(?:restrict|limit|confine|narrow)\s+(?:the\s+)?(?:option\s+|flag\s+|values? (?:of|for)\s+)?[`'\"]?(?P<o>--?[\w-]+|\w+)[`'\"]?(?: (?:option|flag|argument|values?))?\s+to\s+(?:just |only |the (?:values?|choices) )?(?P<c>{_LIST})$"
    rf"|^(?:only|just)\s+(?:allow|accept|permit|take)\s+(?P<c2>{_LIST})\s+(?:for|as|in|with)\s+(?:the\s+)?(?:values? (?:of|for)\s+)?[`'\"]?(?P<o2>--?[\w-]+|\w+)[`'\"]?(?: (?:option|flag|argument))?$"
    rf"|^(?:the )?[`'\"]?(?P<o3>--?[\w-]+)[`'\"]?(?: (?:option|flag|argument))?\s+(?:should|must|may|can)\s+(?:only\s+)?(?:be|take|accept|allow)\s+(?:only\s+|either\s+|one of\s+)*(?P<c3>{_LIST})(?: only)?$",
    re.I,
)


def _restricted(order: Order) -> Iterator[Edit]:
    match = _CHOICES.match(order.said.strip(" .!"))
    if match is None:
        return
    option = next(one for one in (match["o"], match["o2"], match["o3"]) if one).lstrip("-")
    listed = next(one for one in (match["c"], match["c2"], match["c3"]) if one)
    src = order.src
    calls = [node for node in src.nodes if isinstance(node, ast.Call) and target_name(node.func).endswith("add_argument") and any(isinstance(one, ast.Constant) and str(one.value).lstrip("-").replace("-", "_") == option.replace("-", "_") for one in node.args)]  # fmt: skip
    if len(calls) != 1 or any(one.arg in ("choices", "action") for one in calls[0].keywords):
        return
    kind = next((src.segment(one.value) for one in calls[0].keywords if one.arg == "type"), "str")
    things = [one.strip("\"'`") for one in re.split(r"\s*,\s*(?:and |or )?|\s+(?:and|or)\s+|/|\s*\|\s*", listed)]
    if kind not in ("str", "int", "float") or (kind != "str" and not all(re.fullmatch(r"-?[\d.]+", one) for one in things)):  # fmt: skip
        return
    quote = quote_of(src)
    shown = ", ".join(one if kind != "str" else f"{quote}{one}{quote}" for one in things)
    span = call_brackets(src, calls[0])
    if span is not None:
        changes = put_in(src, span, arguments(src, calls[0]), [f"choices=[{shown}]"])
        yield order.edit(changes, match[0])


_ASSERTS = re.compile(
    r"^(?:(?:use|switch to|prefer|change to)\s+)?(?P<new>assert[A-Z]\w+)\s+(?:instead of|rather than|not|in place of)\s+(?P<old>assert[A-Z]\w+)(?P<where>\s+(?:in|for|when testing)\s+(?:all\s+)?(?:the\s+)?(?P<what>[\w ]+?)(?:\s+(?:tests?|test cases?|checks?|asserts?|assertions?))?)?$"
    r"|^(?:replace|change|turn|swap|convert)\s+(?:all\s+)?(?:the\s+)?(?P<old2>assert[A-Z]\w+?)(?:s|\(\))?(?: calls?)?(?P<where2>\s+(?:in|for)\s+(?:all\s+)?(?:the\s+)?(?P<what2>[\w ]+?)(?:\s+(?:tests?|checks?))?)?\s+(?:by|with|to|into|for)\s+(?P<new2>assert[A-Z]\w+)$"
)
_PAIRED = {"assertAlmostEqual", "assertEqual", "assertNotEqual", "assertIs", "assertIsNot", "assertIn", "assertNotIn", "assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual", "assertListEqual", "assertDictEqual", "assertCountEqual", "assertSequenceEqual", "assertEquals", "assertNotAlmostEqual", "assertTupleEqual", "assertSetEqual"}  # fmt: skip


def _asserted(order: Order) -> Iterator[Edit]:
    said = order.said.strip(" .!")
    match = _ASSERTS.match(said[0].lower() + said[1:])
    if match is None:
        return
    new, old = match["new"] or match["new2"], match["old"] or match["old2"]
    what = [word for word in words(match["what"] or match["what2"] or "") if word not in FILLERS]
    src = order.src
    if (new in _PAIRED) != (old in _PAIRED):
        return
    changes: list[Change] = []
    for node in src.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != old:
            continue
        function = src.function_of(node)
        near = [part for name in re.findall(r"[^\W\d]\w*", src.segment(node)) for part in (name.lower(), *parts(name))]
        near += [function.name.lower(), *parts(function.name)] if function is not None else []
        if all(word in near for word in what):
            end = src.span(node.func)[1]
            changes.append((end - len(old), end, new))
    if changes:
        yield order.edit(changes, match[0])


_STATUS = re.compile(
    r"^(?:answer|return|respond|reply|give|send|use|show)(?: with)?(?: an?)?(?: http)?(?: status)?(?: code)?\s+(?P<n>[1-5]\d\d)(?: status| code)?(?: instead(?: of [1-5]\d\d)?)?\s*,?\s*(?:when|if|for|where|on)\s+(?P<when>.+)$|^(?:when|if)\s+(?P<when2>.+?),?\s+(?:then )?(?:answer|return|respond|reply|give|send)(?: with)?(?: an?)?(?: status)?(?: code)?\s+(?P<n2>[1-5]\d\d)$|^(?P<when3>[\w ]+?)\s+(?:should|must)\s+(?:be|give|answer|return)(?: an?)?(?: status)?(?: code)?\s+(?P<n3>[1-5]\d\d)(?:,? not [1-5]\d\d)?$",
    re.I,
)


def _answered(order: Order) -> Iterator[Edit]:
    """The status of the answer that is given in a case."""
    src = order.src
    for about in said_of(order):
        match = _STATUS.match(about.rest)
        if match is None:
            continue
        number = match["n"] or match["n2"] or match["n3"]
        when = match["when"] or match["when2"] or match["when3"]
        said = [word for word in words(when) if word not in FILLERS or word == "no"]
        said = [word for word in said if word != "no"] or said
        found: list[ast.Constant] = []
        for node in about.find(ast.Return, ast.Raise, ast.Expr):
            status = _status(node)
            test = src.parents.get(node)
            if status is None or not isinstance(test, ast.If | ast.ExceptHandler):
                continue
            text = src.segment(node) + " " + (src.segment(test.test) if isinstance(test, ast.If) else src.segment(test.type) if test.type else "")  # fmt: skip
            there = [part for name in re.findall(r"[^\W\d]\w*", text) for part in (name.lower(), *parts(name))]
            if said and all(any(alike(word, part) for part in there) for word in said):
                found.append(status)
        if len(found) == 1 and str(found[0].value) != number:
            yield order.edit([(*src.span(found[0]), number)], about.named, match[0])


def _status(node: ast.AST) -> ast.Constant | None:
    held: ast.AST | None = None
    value = getattr(node, "value", None) or getattr(node, "exc", None)
    if isinstance(value, ast.Tuple) and len(value.elts) > 1:
        held = value.elts[1]
    elif isinstance(value, ast.Call):
        if target_name(value.func).rpartition(".")[2] == "abort" and value.args:
            held = value.args[0]
        held = held or next((one.value for one in value.keywords if one.arg in ("status", "status_code")), None)
    known = isinstance(held, ast.Constant) and isinstance(held.value, int) and 100 <= held.value < 600
    return held if known and isinstance(held, ast.Constant) else None


_SAY = re.compile(
    r"^(?:say|print|show|write|tell|output)s?\s+(?P<new>\"[^\"]+\"|'[^']+'|[\w !?.,-]+?)\s+(?:instead of|rather than|in place of|not)\s+(?P<old>\"[^\"]+\"|'[^']+'|[\w !?.-]+)$",
    re.I,
)


def _said(order: Order) -> Iterator[Edit]:
    """One text for another, of which one at least is quoted."""
    src = order.src
    for about in said_of(order):
        match = _SAY.match(about.rest)
        if match is None or not (match["new"][0] in "\"'" or match["old"][0] in "\"'"):
            continue
        new, old = match["new"].strip("\"'"), match["old"].strip("\"'")
        found = []
        for node in about.find(ast.Constant) if about.named else src.nodes:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or isinstance(src.parents.get(node), ast.JoinedStr | ast.Compare):  # fmt: skip
                continue
            if re.search(rf"(?<!\w){re.escape(old)}(?!\w)", node.value, re.I) and not (isinstance(src.parents.get(node), ast.Expr)):  # fmt: skip
                found.append(node)
        segment = src.segment(found[0]) if len(found) == 1 else ""
        if len(segment) > 2 and "\n" not in segment:
            at = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", segment, re.I)
            quote = segment[-1]
            if at is not None and quote not in new:
                start = src.span(found[0])[0]
                text = new[0].upper() + new[1:] if at[0][0].isupper() and at.start() < 3 and match["old"][0] not in "\"'" else new  # fmt: skip
                yield order.edit([(start + at.start(), start + at.end(), text)], about.named, match[0])


_BETWEEN = re.compile(
    r"^(?:separate|join|glue|connect|split)\s+(?:the\s+)?(?P<what>\w+)\s+(?:by|with|using)\s+(?:an?\s+|the\s+)?(?P<by>space|comma|comma and (?:a )?space|tab|newline|line break|semicolon|dash|hyphen|pipe|slash|dot|\"[^\"]*\"|'[^']*')s?$"
    r"|^(?:put|add|insert|have|use)\s+(?:an?\s+|the\s+)?(?P<by2>space|comma|comma and (?:a )?space|tab|newline|line break|semicolon|dash|hyphen|pipe|slash|dot|\"[^\"]*\"|'[^']*')s?\s+between\s+(?:the\s+)?(?P<what2>\w+)$",
    re.I,
)
_BY = {"space": " ", "comma": ",", "tab": "\\t", "newline": "\\n", "line break": "\\n", "semicolon": ";", "dash": "-", "hyphen": "-", "pipe": "|", "slash": "/", "dot": "."}  # fmt: skip


def _joined(order: Order) -> Iterator[Edit]:
    """What stands between the things that a `join` puts together."""
    src = order.src
    for about in said_of(order):
        match = _BETWEEN.match(about.rest)
        if match is None:
            continue
        by = (match["by"] or match["by2"]).lower()
        by = by[1:-1] if by[0] in "\"'" else _BY.get(by, ", ")
        what = (match["what"] or match["what2"]).lower()
        joins = [one for one in about.find(ast.Call) if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "join" and isinstance(one.func.value, ast.Constant) and isinstance(one.func.value.value, str)]  # fmt: skip
        joins = [one for one in joins if _of_things(src, one, what)] if len(joins) > 1 else joins
        if len(joins) > 1:
            joins = [one for one in joins if isinstance(one.func, ast.Attribute) and src.segment(one.func.value)[1:-1] == ""]  # fmt: skip
        if len(joins) == 1 and isinstance(joins[0].func, ast.Attribute):
            held = joins[0].func.value
            old = src.segment(held)
            if old[1:-1] != by and old[0] in "\"'" and old[0] not in by:
                yield order.edit([(*src.span(held), f"{old[0]}{by}{old[0]}")], about.named, match[0])


def _of_things(src: Source, call: ast.Call, what: str) -> bool:
    """Whether a join puts together what is called so; cells stand in a row."""
    inner = [src.segment(one) for one in call.args]
    names = [part for text in inner if ".join" not in text for name in re.findall(r"[^\W\d]\w*", text) for part in parts(name)]  # fmt: skip
    near = {"cells": "row", "letters": "word", "columns": "row", "fields": "row", "rows": "rows", "lines": "lines"}
    return any(alike(what, part) for part in names) or near.get(what, "") in names


RULES = (
    Rule(re.compile(r"\b(?:button|label|checkbox|menu|header|heading)", re.I), _labelled),
    Rule(re.compile(r"\btitle\b|\bwindow\b", re.I), _titled),
    Rule(re.compile(r"\b(?:restrict|limit|confine|narrow|only|just|either|one of)\b", re.I), _restricted),
    Rule(re.compile(r"\bassert[A-Z]"), _asserted),
    Rule(re.compile(r"\b[1-5]\d\d\b"), _answered),
    Rule(re.compile(r"\b(?:instead of|rather than|in place of|not)\b", re.I), _said),
    Rule(re.compile(r"\b(?:separate|join|glue|connect|between)\b", re.I), _joined),
)
