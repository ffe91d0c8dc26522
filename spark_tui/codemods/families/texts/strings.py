"""Strings: a text in them, their quotes, and errors shown in messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.families.statements.errors import handler_at, name_exception
from spark_tui.codemods.families.texts.meant_texts import meant_texts
from spark_tui.codemods.imports.doubts import import_doubts
from spark_tui.codemods.places.named import Region, find_region
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import parses_to, plan_edits, string_spans
from spark_tui.codemods.slots import Choice, Expression, Place, Text
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, Span, docstring
from spark_tui.pysource.syntax.fstrings import string_literals
from spark_tui.pysource.syntax.walking import walk_each

_SHOWS = (*LOG_LEVELS, "print", "fail", "echo", "secho", "write")


@codemod
class ReplaceInStrings:
    """Replace a text in strings, including f-strings and docstrings; code and comments stay."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")
    old: Text = slot("the current text")
    new: Text = slot("what it becomes; without one it goes", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        if not self.old:
            raise Refusal("the current text is empty")
        if any(item in self.new for item in "\n\r\\{}"):
            raise Refusal("the new text has line endings, backslashes or braces in it")
        edits: list[Edit] = []
        bodies = _bodies(within)
        exact = any(self.old in within.source.text[low:high] for low, high, _ in bodies)
        flags = 0 if exact else re.IGNORECASE
        pattern = re.compile(_without_new(self.old, self.new), flags)
        if self.old.isalnum() and (len(self.old) <= _FEW or self.old in self.new):
            # One or two letters are a word, such as a unit, where one is: no part of another word. Nor is
            # what becomes longer (`determin`), which is right in other words (`determining`).
            alone = re.compile(rf"(?<![^\W\d_]){pattern.pattern}(?!\w)", flags)
            if any(alone.search(within.source.text[low:high]) for low, high, _ in bodies):
                pattern = alone
        for low, high, quote in bodies:
            if quote in self.new:
                raise Refusal(f"the new text has the quote {quote} in it")
            for found in pattern.finditer(within.source.text[low:high]):
                new = _cased(found[0], self.old, self.new)
                edits.append(Edit(within.path, low + found.start(), low + found.end(), new))
        for low, high, _ in () if edits else bodies:
            edits += _across_lines(within.path, within.source.text, low, high, self.old, self.new)
        if not edits:
            raise Refusal(f"no string there has {self.old!r} in it")
        quoted = [edit for edit in edits if not _in_docstring(within.source, edit)]
        doubts = [*import_doubts(repo, quoted), *meant_texts(repo, within.path, quoted)]
        doubts += _tested(repo, within.source, quoted)
        return plan_edits(repo, edits, doubts)


_FEW = 2


def _tested(repo: Repository, source: Source, edits: list[Edit]) -> Iterator[Unfollowed]:
    """The tests that look for a text which changes, or for the part of it that does."""
    changed: list[tuple[str, Edit]] = []
    for one in source.strings:
        low, high = source.span(one)
        changed += [(str(one.value), edit) for edit in edits if low <= edit.start < high]
    for path in sorted(repo.index.importers(source.path)) if changed else ():
        if not path.rpartition("/")[2].startswith(("test", "conftest")):
            continue
        for string in repo.index.source(path).strings:
            asked = str(string.value)
            for text, edit in changed:
                if source.text[edit.start : edit.end] in asked and asked in text and len(asked) > _FEW:
                    yield Unfollowed(path, string.lineno, f"a test looks for {asked!r}")
                    break


def _across_lines(path: str, text: str, low: int, high: int, old: str, new: str) -> Iterator[Edit]:
    """The edits of a text that goes on in the next line, of no more than its words that change."""
    was, now = old.split(), new.split()
    while was and now and was[0] == now[0]:
        was, now = was[1:], now[1:]
    front = len(old.split()) - len(was)
    while was and now and was[-1] == now[-1]:
        was, now = was[:-1], now[:-1]
    if not was or not now or len(old.split()) < 2:
        return  # which blanks go or come is not known; and one word stands in one line
    words = [re.escape(word) for word in old.split()]
    parts = (words[:front], words[front : front + len(was)], words[front + len(was) :])
    first, changed, last = (r"\s+".join(part) for part in parts)
    before, behind = rf"{first}\s+" if first else "", rf"(?=\s+{last})" if last else ""
    for found in re.finditer(f"{before}({changed}){behind}", text[low:high]):
        yield Edit(path, low + found.start(1), low + found.end(1), " ".join(now))


def _without_new(old: str, new: str) -> str:
    """A pattern of a text where it does not stand in the new one already: `http` and no `https`."""
    front, found, behind = new.partition(old)
    if not found or old == new:
        return re.escape(old)
    return (
        f"(?<!{re.escape(front)})" * bool(front) + re.escape(old) + f"(?!{re.escape(behind)})" * bool(behind)
    )


def _in_docstring(source: Source, edit: Edit) -> bool:
    """Whether an edit is inside of a string that is a statement."""
    line = source.line_number(edit.start)
    alone = (statement for statement in source.statements if isinstance(statement, ast.Expr))
    texts = (statement for statement in alone if isinstance(statement.value, ast.Constant))
    return any(text.lineno <= line <= source.last_line(text) for text in texts)


def _cased(found: str, old: str, new: str) -> str:
    """The new text in the case of the one that was found where that differs from what was asked for."""
    if found == old:
        return new
    if found.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if found[:1].isupper() else new


def _bodies(within: Region) -> list[tuple[int, int, str]]:
    """What stands between the quotes of the strings of a region, without the code in f-strings."""
    source = within.source
    out: dict[tuple[int, int], str] = {}
    outer = [node for node in within.nodes(ast.expr) if isinstance(node, ast.JoinedStr)]
    inner = {part for node in outer for part in ast.walk(node) if part is not node}
    for item in within.nodes(ast.expr):
        plain = isinstance(item, ast.Constant) and isinstance(item.value, str)
        if item in inner or not (plain or isinstance(item, ast.JoinedStr)):
            continue
        fields = (node for node in ast.walk(item) if isinstance(node, ast.FormattedValue))
        holes = sorted(map(source.span, fields))
        for found in string_literals(source.text, *source.span(item)):
            at = found.start
            inside = [hole for hole in holes if found.start <= hole[0] < found.end]
            for start, end in (*inside, (found.end, found.end)):
                if at < start:
                    out[at, start] = source.text[found.end : found.end + 1]
                at = max(at, end)
    return [(low, high, quote) for (low, high), quote in out.items()]


@codemod
class ShowError:
    """Show the caught exception in the message that its handler prints, logs or raises."""

    place: Place = slot("where: `in fetch` or app.py:12")
    old: Expression = slot("what is caught, if there are several handlers", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, handler = handler_at(repo, self.place, self.old)
        edits: list[Edit] = []
        name = handler.name or ""
        if not name:
            name, edit = name_exception(repo, source, handler)
            edits.append(edit)
        call = next(filter(_is_message, walk_each(handler.body)), None)
        if handler.name and name in names_within(*(handler.body if call is None else (call,))):
            raise Refusal(f"the handler uses {name} already", why="nothing")
        if not isinstance(call, ast.Call):
            raise Refusal("the handler shows no message")
        return plan_edits(repo, [*edits, _shown(source, call, name)])


def _is_message(node: ast.AST) -> bool:
    """Whether a call prints, logs, or makes an error of a text."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    name = ast.unparse(node.func).rpartition(".")[2]
    shows = name in _SHOWS or name.endswith(("Error", "Exception"))
    first = node.args[0]
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add | ast.Mod):
        first = first.left  # `"no " + name`, `"no %s" % name`
    plain = isinstance(first, ast.Constant) and isinstance(first.value, str)
    return shows and (plain or isinstance(first, ast.JoinedStr))


def _computed(source: Source, message: ast.BinOp, name: str) -> Edit:
    """The exception after a text that is joined with `+` or made with `%`."""
    low, high = source.span(message)
    if isinstance(message.op, ast.Add):
        return Edit(source.path, high, high, f' + f": {{{name}}}"')
    texts = list(string_literals(source.text, *source.span(message.left)))
    values = message.right.elts if isinstance(message.right, ast.Tuple) else [message.right]
    places = source.segment(message.left).replace("%%", "").count("%")
    if len(texts) != 1 or "%(" in source.segment(message.left) or places != len(values):
        raise Refusal(f"line {message.lineno}: the message is not a plain string")
    end = source.span(message.left)[1]
    body = source.text[low : texts[0].end].rstrip(" .:!") + ": %s" + source.text[texts[0].end : end]
    shown = ", ".join([*map(source.segment, values), name])
    return Edit(source.path, low, high, f"{body} % ({shown})")


def _shown(source: Source, call: ast.Call, name: str) -> Edit:
    """The message with the exception after it: in an f-string, or as an argument of a log call."""
    message = call.args[0]
    if isinstance(message, ast.BinOp):
        return _computed(source, message, name)
    low, high = source.span(message)
    found = list(string_literals(source.text, low, high)) if low >= 0 else []
    if len(found) != 1:
        raise Refusal(f"line {call.lineno}: the message is not a plain string")
    text = source.text[low:high]
    body = found[0]
    end = source.text[body.start : body.end].rstrip(" .:!")
    log = isinstance(call.func, ast.Attribute) and call.func.attr in LOG_LEVELS
    quote = source.text[body.end : high]
    front = text[: body.start - low]
    if log and not isinstance(message, ast.JoinedStr):
        if call.keywords and not call.args[1:]:
            raise Refusal(f"line {call.lineno}: the log call has keywords")
        last = source.span(call.args[-1])[1]
        if len(call.args) > 1:
            return Edit(source.path, low, last, f"{front}{end}: %s{quote}{source.text[high:last]}, {name}")
        return Edit(source.path, low, high, f"{front}{end.replace('%', '%%')}: %s{quote}, {name}")
    if isinstance(message, ast.JoinedStr):
        return Edit(source.path, low, high, f"{front}{end}: {{{name}}}{quote}")
    plain = end.replace("{", "{{").replace("}", "}}")
    return Edit(source.path, low, high, f"f{front}{plain}: {{{name}}}{quote}")


class Quote(Choice):
    """The sign around a string."""

    SINGLE = "single"
    DOUBLE = "double"
    TRIPLE = "triple"


_SIGNS = {Quote.SINGLE: "'", Quote.DOUBLE: '"', Quote.TRIPLE: '"""'}


@codemod
class SetQuotes:
    """Write strings with other quotes. Strings with three quotes stay as they are, and only docstrings get
    three double ones."""

    place: Place = slot("where: `in fetch`, `in app.py`, or app.py:12")
    quote: Quote = slot("single, double, or triple for docstrings")
    text: Text = slot("the text between the quotes; empty for every string there", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        new = _SIGNS[self.quote]
        low, high = source.line_span(within.first, within.last)
        texts = string_spans(source) if self.quote is not Quote.TRIPLE else _docstrings(source)
        inside = (span for span in texts if low <= span[0] and span[1] <= high)
        wanted = [span for span in inside if not self.text or _body(source, span) == self.text]
        if not wanted:
            raise Refusal("there is no such string there")
        edits = [edit for span in wanted if (edit := _requoted(source, span, new)) is not None]
        if not edits:
            raise Refusal(f"the strings there already have {self.quote.value} quotes", why="nothing")
        if not parses_to(source, edits, {}):
            raise Refusal("a string would say something else")
        return plan_edits(repo, edits)


def _docstrings(source: Source) -> Iterator[Span]:
    """The places of docstrings that are one string."""
    found = (docstring(node) for node in (source.tree, *source.definitions) if node is not None)
    whole = {source.span(one.value) for one in found if one is not None}
    yield from (span for span in string_spans(source) if span in whole)


def _parts(text: str) -> tuple[str, str]:
    """The prefix of a literal, and the rest with its quotes."""
    at = next(at for at, sign in enumerate(text) if sign in "'\"")
    return text[:at], text[at:]


def _body(source: Source, span: tuple[int, int]) -> str:
    _, rest = _parts(source.text[slice(*span)])
    return rest[3:-3] if rest[:3] in ("'''", '"""') else rest[1:-1]


def _requoted(source: Source, span: tuple[int, int], new: str) -> Edit | None:
    """The edit for one string; None where it has these or holds them, or has three and is to get one."""
    prefix, rest = _parts(source.text[slice(*span)])
    three = rest[:3] == rest[0] * 3
    body = rest[3:-3] if three else rest[1:-1]
    if (three and len(new) == 1) or rest.startswith(new) or new in body:
        return None
    kept = body[-1:] != new[0] if len(new) > 1 else rest[0] not in body and "\\" not in body
    return Edit(source.path, *span, f"{prefix}{new}{body}{new}") if kept else None
