"""Statements that are told in words: *reset hits and misses to 0*, *commit*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.families.statements.logs import LOGGERS, own_logger
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.values.converters.exceptions import class_of_words
from spark_tui.intent.values.converters.of_slots import literal, read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk
from spark_tui.tables import table_beside

_LONGEST = 200
_ERROR = re.compile(r"(?P<error>(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Exit|Interrupt)(?:\(.*\))?)\Z")
_ATTRIBUTE = re.compile(r"[\s`]*self\.[A-Za-z_]\w*[\s`]*\Z")
_EMPTY = (ast.List, ast.Dict, ast.Set, ast.Tuple)


_KINDS = {
    **dict.fromkeys(("list", "deque"), "list"),
    **dict.fromkeys(("dict", "defaultdict", "OrderedDict", "Counter"), "dict"),
    "set": "set",
}


table = table_beside(__file__, "spoken_statements.toml")


@lru_cache(maxsize=32)
def forms(kind: str) -> tuple[re.Pattern[str], ...]:
    """The forms of a kind, compiled."""
    holes = re.compile(r"\{([xvf])\}")
    return tuple(re.compile(holes.sub(r"(?P<\1>.+?)", one) + r"\Z", re.IGNORECASE) for one in table()[kind])


def is_said(kind: str, text: str) -> bool:
    return text.strip(" .,!`'\"").lower() in table()[kind]


def _is_plural(name: str) -> bool:
    """Whether a parameter is called like several things: `items`, but not `status`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is", "as"))


def collection_kind(value: ast.expr | None) -> str:
    """`list`, `dict` or `set` where a value is such a collection, perhaps only if nothing else is given."""
    match value:
        case ast.IfExp(_, body, other):
            return collection_kind(body) or collection_kind(other)
        case ast.BoolOp(ast.Or(), values):
            return collection_kind(values[-1])
        case ast.Call():
            return _KINDS.get(called_name(value), "")
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Set() | ast.SetComp():
            return "set"
    return ""


class Spoken:
    """What words mean at a place for statements. `given`: further names there."""

    def __init__(self, context: Context, anchor: Anchor, given: Sequence[str] = (), start: int = -1) -> None:
        self.context, self.anchor, self.given, self.start = context, anchor, given, start
        self.visible = context.visible(anchor.path, anchor.node or anchor.area.node)
        self.source = context.source(anchor.path)

    def statements(self, text: str) -> list[str]:
        """The statements that a text tells; empty where a part of it is not understood."""
        text = text.strip(" .!`")
        if not text or len(text) > _LONGEST:
            return []
        changes = {
            "set": self._set,
            "reset": self._reset,
            "remove_entry": self._removed,
            "add_entry": self._added,
        }
        for kind, make in changes.items():
            for form in forms(kind):
                found = form.match(text)
                names = self._names(found["x"]) if found is not None else []
                made = [make(one, found) for one in names] if found is not None else []
                if made and all(made):
                    return made
        told = (self._left, self._called, self._logged, self._printed, self._raised)
        if one := next(filter(None, (make(text) for make in told)), ""):
            return [one]
        for joiner in map(re.compile, table()["joiners"]):
            for found in joiner.finditer(text):
                first = self.statements(text[: found.start()])
                rest = self.statements(text[found.end() :]) if first else []
                if first and rest:
                    return [*first, *rest]
        return []

    # -- names and values ----------------------------------------------------------------------------

    def name(self, text: str) -> str | None:
        """The variable, parameter or attribute that words name."""
        words = text.strip(" `").split()
        bare = " ".join(words[1:] if words and is_said("quantifiers", words[0]) else words)
        bare = phrases.without_articles(bare)
        if bare in self.given or bare in self.visible.inner.values():
            return bare
        if is_said("pronouns", bare):
            return self._last_named() or self.visible.expression("it")
        found = self.visible.name(bare)
        own = dict.fromkeys(self.visible.inner.values())
        short = [one for one in own if bare.isalpha() and is_short_for(one.removeprefix("self."), bare)]
        return found if found in own else short[0] if found is None and len(short) == 1 else None

    def _names(self, text: str) -> list[str]:
        """What is set: an attribute that is shown may be a new one."""
        parts = [one for one in re.split("|".join(table()["joiners"]), text) if one.strip()]
        found = [self.name(one) or (one.strip(" `") if _ATTRIBUTE.match(one) else None) for one in parts]
        return [one for one in found if one] if all(found) else []

    def _last_named(self) -> str | None:
        """What the instruction names last before the words: *last stays 0. Set it …*."""
        own = set(self.visible.inner.values())
        before = self.context.situation.instruction[: max(self.start, 0)]
        words = [one for one in re.findall(r"(?<![\w.])[A-Za-z_][\w.]*\w", before) if one in own]
        return words[-1] if words else None

    def value(self, text: str, target: str) -> str | None:
        if (code := self.name(text)) is not None:
            return code
        if isinstance(parsed(text.strip("`")), ast.Constant):
            return text.strip("`")
        old = self._initial(target)
        options = read_typed(
            self.context, Span(-1, -1, text.strip("`")), self.anchor, old, "", target.rpartition(".")[2]
        )
        sure = [one for one in options if not one.doubts]
        return sure[0].text if sure else None

    def _initial(self, target: str) -> ast.expr | None:
        """What the class of the place sets an attribute to first."""
        node = self.anchor.node or self.anchor.area.node
        owner = node if node is None or isinstance(node, ast.ClassDef) else self.source.class_of(node)
        for one in walk(owner):
            if isinstance(one, ast.Assign) and target in map(ast.unparse, one.targets):
                return one.value
            if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == target:
                return one.value
        own = target.removeprefix("self.") if isinstance(owner, ast.ClassDef) else ""
        for stmt in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(stmt, ast.Assign | ast.AnnAssign) and own in map(ast.unparse, targets(stmt)):
                return stmt.value
        return None

    def _collection(self, target: str) -> str:
        """The kind of collection that an attribute begins as: `list`, `dict` or `set`; else nothing."""
        return collection_kind(self._initial(target))

    def _entry(self, text: str) -> str:
        """The parameter that words for an entry of a collection name."""
        bare = phrases.without_articles(text.strip(" `"))
        if bare in self.given:
            return bare
        return self.given[0] if len(self.given) == 1 and is_said("entries", bare) else ""

    # -- statements ----------------------------------------------------------------------------------

    def _set(self, name: str, found: re.Match[str]) -> str:
        value = self.value(found["v"], name)
        return f"{name} = {value}" if value is not None and value != name else ""

    def _reset(self, name: str, _found: re.Match[str]) -> str:
        first = self._initial(name)
        if isinstance(first, ast.Constant) or (
            isinstance(first, _EMPTY) and not ast.unparse(first).strip("[](){}")
        ):
            return f"{name} = {self.source.segment(first)}"
        fresh = isinstance(first, ast.Call) and not first.args and not first.keywords
        held = fresh or self._collection(name) or f"{name}.append(" in self.source.text
        return f"{name}.clear()" if held else ""

    def _removed(self, name: str, found: re.Match[str]) -> str:
        entry = self._entry(found["v"])
        if _is_plural(entry):
            return ""
        forms = {
            "dict": f"del {name}[{entry}]",
            "list": f"{name}.remove({entry})",
            "set": f"{name}.discard({entry})",
        }
        return forms.get(self._collection(name), "") if entry else ""

    def _added(self, name: str, found: re.Match[str]) -> str:
        entry = self._entry(found["v"])
        of_list, of_set = ("extend", "update") if _is_plural(entry) else ("append", "add")
        forms = {"list": f"{name}.{of_list}({entry})", "set": f"{name}.{of_set}({entry})"}
        return forms.get(self._collection(name), "") if entry else ""

    def _left(self, text: str) -> str:
        """What leaves the function: *returns None*, *raises KeyError*."""
        for kind in ("return", "raise"):
            for found in filter(None, (form.match(text) for form in forms(kind))):
                plain = found["v"].strip("`")
                value = class_of_words(plain) if kind == "raise" else self.value(plain, "")
                if value:
                    return f"{kind} {value}"
        return ""

    def _printed(self, text: str) -> str:
        """A text in quotes, or a value, behind a verb such as *print*."""
        verb, _, value = text.partition(" ")
        if verb.lower() in phrases.table()["leaving"]["shown"] and not is_said("pronouns", value):
            tree = parsed(value) if re.search(r"[.(\[]", value) else None
            known = value if isinstance(tree, ast.Call | ast.Attribute | ast.Subscript) else self.name(value)
            if known:
                return f"print({known})"
        found = re.fullmatch(r"(?P<verb>[^\W\d]+(?: out)?) (?:(?P<mark>['\"])(?P<text>.+)(?P=mark))", text)
        shown = found is not None and found["verb"].lower() in phrases.table()["leaving"]["shown"]
        return f"print({literal(found['text'], self.source)})" if found is not None and shown else ""

    def _logged(self, text: str) -> str:
        """A text in quotes behind *log*, by the logger there is."""
        found = re.match(r"(?P<verb>\w+) (?P<mark>['\"])(?P<text>.+)(?P=mark)(?P<rest>[^'\"]*)\Z", text)
        if found is None or found["verb"].lower() not in phrases.table()["leaving"]["logged"]:
            return ""
        words = found["rest"].split()
        level = next(filter(None, map(phrases.level, words)), None) or ("info" if not words else "")
        function = self.anchor.node or self.anchor.area.node
        if function is not None and not isinstance(function, Function):
            function = self.source.function_of(function)
        scopes = self.context.repo.index.scopes(self.anchor.path)
        known = (one for one in LOGGERS if one in scopes.module.bound)
        logger = own_logger(self.source, function) or next(known, "")
        return f"{logger}.{level}({literal(found['text'], self.source)})" if level and logger else ""

    def _raised(self, text: str) -> str:
        """The error that is shown, perhaps with its text: *raising KeyError(name)*, *a ValueError*."""
        shown = _ERROR.search(text)
        before = text[: shown.start()].strip(" `").lower() if shown is not None else "-"
        alone = not before or phrases.is_said("raised", before) or before in phrases.words("articles")
        return f"raise {shown['error']}" if shown is not None and alone else ""

    def _called(self, text: str) -> str:
        """The one call without arguments of what is named: `f.close()` for *close f* or *close it*."""
        for form in forms("call"):
            found = form.match(text)
            plain = found["f"].strip("` ").removesuffix("()") if found is not None else ""
            if plain.isidentifier() and (made := list(self._like(plain))):
                return made[0] if len(made) == 1 else ""
        found = re.match(r"(?P<f>[A-Za-z_]\w*) (?P<x>.+)\Z", text)
        name = self.name(found["x"]) if found is not None else None
        if found is not None and name is None and is_said("pronouns", found["x"]):
            made = list(self._like(found["f"]))
            return made[0] if len(made) == 1 else ""
        called = f".{found['f']}()" if found is not None and name else ""
        return f"{name}{called}" if called and called in self.source.text else ""

    def _like(self, verb: str) -> Iterator[str]:
        """The calls without arguments that do it to what is seen here, or of own methods."""
        seen: dict[str, None] = {}
        for one in walk(self.source.tree):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and called_name(one) == verb:
                shown = ast.unparse(one)
                if not one.args and not one.keywords and self._is_own(one.func.value):
                    seen[shown] = None
            own = isinstance(one, Function) and one.name == verb and len(one.args.args) == 1
            if own and f"self.{verb}" in self.visible.inner.values():
                seen[f"self.{verb}()"] = None
        yield from seen or self._beside(verb)

    def _beside(self, verb: str) -> list[str]:
        """The call of a method that objects have beside those called here: `conn.commit()` where there is a
        `conn.execute(…)`."""
        others = {name for names in table()["beside"] if verb in names for name in names}
        node = self.anchor.node or self.anchor.area.node
        called = (item.func for item in walk(node) if isinstance(item, ast.Call))
        owners = (item.value for item in called if isinstance(item, ast.Attribute) and item.attr in others)
        return list(dict.fromkeys(f"{ast.unparse(one)}.{verb}()" for one in owners if self._is_own(one)))

    def _is_own(self, node: ast.expr) -> bool:
        shown = ast.unparse(node)
        return shown in self.given or shown in self.visible.inner.values()
