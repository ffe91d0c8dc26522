"""Options of a command line, argparse's and click's: their defaults, helps, types, short forms; new ones.

Comes in: an order. Goes out: edits of the calls that declare options. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.literals import as_number, literal
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import added, call_list, head, removed
from spark_tui.refactor.source import Change, Function, Source

MARK = "Ω"
VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|(?:an? |the )?empty \w+|the current (?:directory|folder|dir)|-?\d[\w.]*|[^\s,;]+"
TEXT = r"(?:\"(?P<q>[^\"]+)\"|'(?P<s>[^']+)'|`(?P<b>[^`]+)`|(?P<bare>[^\"'`]+?))"
KIND = r"(?:(?:command[- ]line |cli |positional |boolean |bool )*(?:option|flag|switch|argument|arg|parameter|param))"
TYPES = {
    "int": "int", "integer": "int", "number": "int", "whole number": "int", "float": "float", "decimal": "float",
    "str": "str", "string": "str", "text": "str", "path": "Path", "bool": "bool",
}  # fmt: skip
TYPE = "|".join(sorted(TYPES, key=len, reverse=True))
WORDS = frozenset(
    words(
        """option options flag switch argument arg parameter param command line cli default defaults defaulting help text helptext describe description short shorthand shortcut form version alias type required mandatory optional
        choices choice only take accept allow allowed be should must is as also work remove drop delete get rid add new another called named with give set change to of for the boolean store_true positional int integer number float string str text path parse convert rename anymore longer no needs need have has by from now too and or needed it that says saying write needs current directory folder dir empty value nothing"""
    )
)


@dataclass(frozen=True, slots=True)
class Option:
    """One call that declares an option."""

    node: ast.Call
    flags: tuple[str, ...]
    click: bool

    @property
    def long(self) -> str:
        return max(self.flags, key=len)

    @property
    def dest(self) -> str:
        given = {word.arg: word.value for word in self.node.keywords}
        if isinstance(said := given.get("dest"), ast.Constant):
            return str(said.value)
        plain = [flag for flag in self.flags if not flag.startswith("-")]
        return (plain[0] if plain else self.long).lstrip("-").replace("-", "_")

    @property
    def positional(self) -> bool:
        return not self.long.startswith("-")


def options(src: Source) -> list[Option]:
    out = []
    for node in src.nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        click = node.func.attr in ("option", "argument") and getattr(node.func.value, "id", "") == "click"
        if not click and node.func.attr != "add_argument":
            continue
        flags = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if flags and len(flags) == len(node.args):
            out.append(Option(node, tuple(flags), click))
    return out


def _meant(order: Order, there: list[Option]) -> tuple[Option, str, str] | None:
    """The option that is said, what said it, and the order with a mark for it."""
    found: list[tuple[Option, str, str]] = []
    for one in there:
        spelled = "|".join(re.escape(flag) for flag in sorted(one.flags, key=len, reverse=True))
        strict = rf"[`'\"]?(?<![\w-])(?:{spelled})(?![\w-])[`'\"]?"
        bare = r"[ _-]".join(map(re.escape, one.dest.split("_")))
        loose = (
            rf"(?<![\w.-]){KIND}\s+[`'\"]?(?:{bare})[`'\"]?(?![\w-])|(?<![\w.-])[`'\"]?(?:{bare})[`'\"]?\s+{KIND}(?!\w)"
        )
        forms = [strict if not one.positional else "(?!)", loose]
        if re.search(
            r"\bhelp\b|\brequired\b|\bcommand[- ]line\b|\bshort (?:option|flag|form|name)\b|\bpositional\b",
            order.said,
            re.I,
        ) or (one.positional and re.search(r"\boptional\b", order.said)):
            forms.append(rf"(?<![\w.-])[`'\"]?(?:{bare})[`'\"]?(?![\w-])")
        for form in forms:
            match = re.search(form, order.said, re.I)
            if match is not None:
                text = f"{order.said[: match.start()]}{MARK}{order.said[match.end() :]}"
                found.append(
                    (one, match[0], re.sub(rf"(?:\b{KIND}\s+)?{MARK}(?:\s+{KIND}\b)?", MARK, text, flags=re.I))
                )
                break
    return found[0] if len(found) == 1 else None


_ACTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (what, re.compile(rf"^(?:{form})\W*$", re.I))
    for what, form in (
        ("default", rf"(?:the )?defaults? (?:value )?(?:of|for) (?:the )?{MARK} (?:is|should be|must be|to|=|->|as)? ?(?:now )?(?P<v>{VALUE})(?: now)?"),
        ("default", rf"(?:let |make |have )?(?:the )?{MARK}[:,]?(?: should| must| to)? (?:have (?:an? )?|ha(?:s) (?:an? )?|use |needs? (?:an? )?|gets? (?:an? )?|wants? (?:an? )?)?(?:the )?defaults?(?: value)?:?(?: (?:to|of|is|be|should be|=))? ?(?P<v>{VALUE})"),
        ("default", rf"(?:set|change|make|raise|lower|put) (?:the )?default(?: value)? (?:of|for) (?:the )?{MARK} (?:to|=) ?(?P<v>{VALUE})"),
        ("default", rf"(?:give|set) (?:the )?{MARK} (?:an? |the )?default(?: value)?(?: (?:of|to|:|=))? ?(?P<v>{VALUE})"),
        ("default", rf"(?:the )?{MARK}(?: should| must)? (?:is|be) (?P<v>{VALUE}) (?:by|per|as) default"),
        ("default", rf"(?:the )?{MARK}'?s? default(?: (?:to|is|should be|:|=|->))? ?(?P<v>{VALUE})"),
        ("default", rf"default (?P<v>{VALUE}) for (?:the )?{MARK}"),
        ("optional", rf"(?:the )?{MARK}(?: should| must| can)? (?:be|is) optional(?:,? (?:and |with (?:a )?)?defaults?(?: (?:to|of))? (?P<v>{VALUE}))?"),
        ("help", rf"(?:add |set |write |the )?(?:an? )?help(?: ?text| message)? (?:for|of|to|on) (?:the )?{MARK}\s*(?:[:=,-]|should (?:be|say|read)|that says|saying|is)?\s*{TEXT}"),
        ("help", rf"(?:give |the )?{MARK} (?:needs?|should have|gets?|has)?\s*(?:an? |the )?help(?: ?text| message)?\s*(?:[:=,-]|of|should (?:be|say|read)|that says|saying)?\s*{TEXT}"),
        ("help", rf"(?:describe|document|explain) (?:the )?{MARK}\s*(?:as|with|by|:)\s*{TEXT}"),
        ("type", rf"(?:the )?{MARK}(?: should| must)? (?:be|is)(?: of type)? (?:an? )?(?P<t>{TYPE})"),
        ("type", rf"(?:the )?type (?:of|for) (?:the )?{MARK} (?:should be|is|to|:|=)? ?(?:an? )?(?P<t>{TYPE})"),
        ("type", rf"(?:parse|read|convert|make|turn|treat) (?:the )?{MARK} (?:as|to|into)? ?(?:an? )?(?P<t>{TYPE})"),
        ("short", rf"(?:add |give (?:the )?{MARK} )?(?:an? |the )?short(?:hand|cut| ?form| ?option| ?flag| ?name| ?version)?:? (?P<f>-\w)(?: (?:for|of|to) (?:the )?{MARK})?"),
        ("short", rf"(?:add |allow |make |take )?(?P<f>-\w) (?:as (?:an? |the )?(?:short(?:hand|cut| ?form| ?option| ?flag| ?name| ?version)?|alias)(?: ?(?:for|of))?|for|should (?:also )?work for) (?:the )?{MARK}"),
        ("short", rf"(?:the )?{MARK} (?:should |must |can )?(?:also )?(?:work|be called|be (?:available|usable)|have|needs|gets)(?: as| with)?(?: (?:an? |the )?short(?:hand|cut| ?form| ?option| ?flag| ?name| ?version)?)? ?(?P<f>-\w)(?: too| as well)?"),
        ("required", rf"(?:make )?(?:the )?{MARK}(?: should| must| to)? ?(?:be|is)? ?(?:required|mandatory)(?: now)?"),
        ("choices", rf"(?:the )?{MARK} (?:should |must |can |may )?(?:only |just )?(?:only |just )?(?:be|takes?|accepts?|allows?)(?: one of)? (?P<c>[\w\"'`-]+(?:(?:, ?(?:or |and )?| or | and )[\w\"'`-]+)+?)(?: only)?"),
        ("choices", rf"(?:the )?choices (?:for|of) (?:the )?{MARK}(?: are| should be|:) (?P<c>[\w\"'`-]+(?:(?:, ?(?:or |and )?| or | and )[\w\"'`-]+)+)"),
        ("remove", rf"(?:remove|drop|delete|get rid of|kill|throw out) (?:the )?{MARK}(?: again| completely| for good)?"),
        ("rename", rf"(?:rename|change) (?:the )?{MARK} (?:to|into) (?P<n>--[\w-]+)"),
        ("rename", rf"(?:call )?(?:the )?{MARK} (?:should be (?:called|named) |-> ?|as )?(?P<n>--[\w-]+)(?: instead)?"),
    )
)  # fmt: skip


def change_option(order: Order) -> Iterator[Edit]:
    there = options(order.src)
    meant = _meant(order, there) if there else None
    if meant is None:
        return
    one, said, text = meant
    for what, form in _ACTS:
        found = form.match(text.strip())
        if found is None:
            continue
        changes = _act(order, one, what, found)
        if changes:
            pieces = [piece for piece in found.groupdict().values() if piece]
            yield order.edit(
                changes, said, *one.flags, one.dest, *pieces, *(word for word in words(order.said) if word in WORDS)
            )
        return


def _act(order: Order, one: Option, what: str, found: re.Match[str]) -> list[Change] | None:
    src = order.src
    given = {word.arg: word.value for word in one.node.keywords}
    if what in ("default", "optional"):
        value = _value(one, found["v"]) if found["v"] else None
        if found["v"] and value is None:
            return None
        if what == "default":
            return _keyword(src, one, default=value)
        if not one.positional:
            return None
        return (
            _keyword(src, one, nargs='"?"', default=value)
            if not one.click
            else _keyword(src, one, required="False", default=value)
        )
    if what == "help":
        text = (found["q"] or found["s"] or found["b"] or found["bare"] or "").strip()
        quote = '"' if '"' not in text else "'"
        old = given.get("help")
        if isinstance(old, ast.Constant) and src.segment(old)[:1] == "'" and "'" not in text:
            quote = "'"
        return _keyword(src, one, help=f"{quote}{text}{quote}") if text and quote not in text else None
    if what == "type":
        kind = TYPES[found["t"].lower()]
        known = kind != "Path" or re.search(r"import.*\bPath\b", src.text)
        return _keyword(src, one, type=kind) if known and "action" not in given and kind != "bool" else None
    if what == "short":
        if one.positional or any(found["f"] in other.flags for other in options(src)) or one.long == found["f"]:
            return None
        first = one.node.args[0]
        start = src.span(first)[0]
        long_first = any(
            flag[:2] == "--" and len(other.flags) > 1 and other.flags[0] == flag
            for other in options(src)
            for flag in other.flags[:1]
        )
        quote = src.text[start]
        if long_first:
            end = src.span(one.node.args[-1])[1]
            return [(end, end, f", {quote}{found['f']}{quote}")]
        return [(start, start, f"{quote}{found['f']}{quote}, ")]
    if what == "required":
        return None if one.positional or "action" in given else _keyword(src, one, required="True")
    if what == "choices":
        items = [item.strip("\"'` ") for item in re.split(r",\s*(?:or |and )?| or | and ", found["c"])]
        typed = isinstance(of_type := given.get("type"), ast.Name) and of_type.id == "int"
        listed = ", ".join(item if typed and item.isdigit() else f'"{item}"' for item in items)
        return (
            _keyword(src, one, choices=f"[{listed}]")
            if not one.click
            else _keyword(src, one, type=f"click.Choice([{listed}])")
        )
    if what == "remove":
        return _removed(order, one)
    return _renamed(order, one, found["n"])


def _value(one: Option, said: str) -> str | None:
    given = {word.arg: word.value for word in one.node.keywords}
    kind = given.get("type")
    text = said.strip()
    if re.fullmatch(r"the current (?:directory|folder|dir)", text, re.I):
        return '"."'
    value = literal(text)
    typed = kind.id if isinstance(kind, ast.Name) else ""
    if typed == "str" and value is not None and as_number(value) is not None:
        return f'"{text}"'
    if value is not None and not (typed == "str" and value in ("True", "False")):
        return value
    if typed in ("int", "float") or not re.fullmatch(r"`?[\w./~-]+`?", text):
        return None
    return text.strip("`") if text.strip("`").isupper() else f'"{text.strip("`")}"'


_RANK = {"type": 1, "action": 1, "nargs": 2, "default": 3, "choices": 4, "required": 5, "help": 9}


def _rank(piece: str) -> int:
    found = re.match(r"(\w+)\s*=(?!=)", piece)
    return _RANK.get(found[1], 0) if found is not None else 0


def _keyword(src: Source, one: Option, **new: str | None) -> list[Change] | None:
    """Keywords of the call, put in or changed; None where nothing changes."""
    pieces = call_list(src, one.node)
    given = {word.arg: word.value for word in one.node.keywords}
    changes: list[Change] = []
    more = []
    for key, written in new.items():
        if written is None:
            continue
        if key in given:
            if src.segment(given[key]) != written:
                changes.append((*src.span(given[key]), written))
        else:
            more.append(f"{key}={written}")
    if more and pieces is not None:
        rank = min(_RANK.get(piece.partition("=")[0], 5) for piece in more)
        later = [at for at, (start, _) in enumerate(pieces.spans) if _rank(src.text[start:]) > rank]
        changes.append(added(src.text, pieces, min(later, default=len(pieces.spans)), ", ".join(more)))
    return changes or None


def _reads(src: Source, one: Option) -> list[ast.Attribute]:
    return [
        node
        for node in src.nodes
        if isinstance(node, ast.Attribute) and node.attr == one.dest and isinstance(node.value, ast.Name)
    ]


def decorated(src: Source, one: Option) -> Function | None:
    parent = src.parents.get(one.node)
    return parent if isinstance(parent, Function) and one.node in parent.decorator_list else None


def _removed(order: Order, one: Option) -> list[Change] | None:
    src = order.src
    if one.click:
        function = decorated(src, one)
        of = head(src, function) if function is not None else None
        if (
            function is None
            or of is None
            or any(
                isinstance(node, ast.Name) and node.id == one.dest for item in function.body for node in ast.walk(item)
            )
        ):
            return None
        row = one.node.lineno - 1 - len(src.headers)
        last = src.last_line(one.node)
        at = of.index(one.dest)
        return [(*src.line_span(row, last), ""), *([removed(src.text, of.listed, at)] if at >= 0 else [])]
    statement = src.statement(one.node)
    if not isinstance(statement, ast.Expr) or _reads(src, one):
        return None
    return [(*src.line_span(src.first_line(statement), src.last_line(statement)), "")]


def _renamed(order: Order, one: Option, new: str) -> list[Change] | None:
    src = order.src
    if one.positional or one.click or any(new in other.flags for other in options(src)):
        return None
    old = next((arg for arg in one.node.args if isinstance(arg, ast.Constant) and arg.value == one.long), None)
    if old is None:
        return None
    start, end = src.span(old)
    changes: list[Change] = [(start + 1, end - 1, new)]
    dest = new.lstrip("-").replace("-", "_")
    if not any(word.arg == "dest" for word in one.node.keywords):
        for node in _reads(src, one):
            stop = src.span(node)[1]
            changes.append((stop - len(one.dest), stop, dest))
    return changes


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"--?\w|option|flag|switch|\barg|param|help|required|optional|choices", re.I), change_option),
)
