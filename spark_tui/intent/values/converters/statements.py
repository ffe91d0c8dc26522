"""Statements that are told in words: *reset hits and misses to 0*, *commit*."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from spark_tui.intent.conditions import worded
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.values.converters.library_methods import called_there
from spark_tui.intent.values.converters.of_slots import read_typed
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import names_in, walk

_LONGEST = 200
_FILED = (("make_folder", "os.makedirs({x}, exist_ok=True)"), ("remove_file", "os.remove({x})"))
_EMPTY = (ast.List, ast.Dict, ast.Set, ast.Tuple)


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("spoken_statements.toml").read_text("utf-8"))


@lru_cache(maxsize=32)
def forms(kind: str) -> tuple[re.Pattern[str], ...]:
    """The forms of a kind, compiled."""
    holes = re.compile(r"\{([xvf])\}")
    return tuple(re.compile(holes.sub(r"(?P<\1>.+?)", one) + r"\Z", re.IGNORECASE) for one in table()[kind])


def is_said(kind: str, text: str) -> bool:
    return text.strip(" .,!`'\"").lower() in table()[kind]


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
        for kind, leaving in (("leave_loop", "break"), ("next_round", "continue")):
            if is_said(kind, text) and self._is_in_loop():
                return [leaving]
        for form in forms("under"):
            found = form.match(text)
            lock = self.name(found["x"]) if found is not None else None
            inner = (
                self.statements(found["rest"])
                if found is not None and lock and "lock" in lock.lower()
                else []
            )
            if inner:
                return [f"with {lock}:\n" + "\n".join(f"    {one}" for one in inner)]
        for kind, make in (("set", self._set), ("reset", self._reset), ("increment", self._increment)):
            for form in forms(kind):
                found = form.match(text)
                names = self._names(found["x"]) if found is not None else []
                made = [make(one, found) for one in names] if found is not None else []
                if made and all(made):
                    return made
        if one := (
            self._raised_again(text)
            or self._told(text)
            or self._slept(text)
            or self._filed(text)
            or self._printed(text)
            or self._appended(text)
            or self._called(text)
        ):
            return one.splitlines()
        for form in forms("only_if"):
            found = form.match(text)
            test = self._condition(found["c"]) if found is not None else ""
            inner = self.statements(found["rest"]) if found is not None and test else []
            if inner:
                return [f"if {test}:", *(f"    {one}" for one in inner)]
        for joiner in map(re.compile, table()["joiners"]):
            for found in joiner.finditer(text):
                first = self.statements(text[: found.start()])
                rest = self.statements(text[found.end() :]) if first else []
                if first and rest:
                    return [*first, *rest]
        return []

    def _is_in_loop(self) -> bool:
        around = [] if self.anchor.node is None else [*self.source.ancestors(self.anchor.node)]
        inside = next((one for one in around if isinstance(one, Function | ast.For | ast.While)), None)
        return isinstance(inside, ast.For | ast.While)

    # -- names and values ----------------------------------------------------------------------------

    def name(self, text: str) -> str | None:
        """The variable, parameter or attribute that words name."""
        words = text.strip(" `").split()
        bare = " ".join(words[1:] if words and is_said("quantifiers", words[0]) else words)
        bare = phrases.without_articles(bare)
        if bare in self.given:
            return bare
        if is_said("pronouns", bare):
            return self._last_named() or self.visible.expression("it")
        found = self.visible.name(bare)
        own = dict.fromkeys(self.visible.inner.values())
        short = [one for one in own if bare.isalpha() and is_short_for(one.removeprefix("self."), bare)]
        return found if found in own else short[0] if found is None and len(short) == 1 else None

    def _names(self, text: str) -> list[str]:
        parts = [one for one in re.split("|".join(table()["joiners"]), text) if one.strip()]
        found = [self.name(one) for one in parts]
        return [one for one in found if one] if all(found) else []

    def _last_named(self) -> str | None:
        """What the instruction names last before the words: *last stays 0. Set it …*."""
        own = set(self.visible.inner.values())
        before = self.context.situation.instruction[: max(self.start, 0)]
        words = [one for one in re.findall(r"(?<![\w.])[A-Za-z_][\w.]*\w", before) if one in own]
        return words[-1] if words else None

    def value(self, text: str, target: str) -> str | None:
        if is_said("now", text):
            return self.now()
        if (code := self.name(text)) is not None:
            return code
        old = self._initial(target)
        options = read_typed(
            self.context, Span(-1, -1, text.strip("`")), self.anchor, old, "", target.rpartition(".")[2]
        )
        sure = [one for one in options if not one.doubts]
        return sure[0].text if sure else None

    def now(self) -> str | None:
        """The present time: the local of that name, else the one way in which the file asks for it."""
        if (own := self.visible.inner.get("now")) is not None:
            return own
        calls = [one for one in walk(self.source.tree) if isinstance(one, ast.Call)]
        asked = {ast.unparse(one) for one in calls if not one.args and is_said("clocks", _last(one))}
        return asked.pop() if len(asked) == 1 else None

    def _initial(self, target: str) -> ast.expr | None:
        """What the class of the place sets an attribute to first."""
        node = self.anchor.node or self.anchor.area.node
        owner = (
            node
            if isinstance(node, ast.ClassDef)
            else self.source.class_of(node)
            if node is not None
            else None
        )
        for one in walk(owner):
            if isinstance(one, ast.Assign) and target in map(ast.unparse, one.targets):
                return one.value
            if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == target:
                return one.value
        return None

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
        return f"{name}.clear()" if fresh or f"{name}.append(" in self.source.text else ""

    def _increment(self, name: str, _found: re.Match[str]) -> str:
        return f"{name} += 1"

    def _told(self, text: str) -> str:
        """A text that is printed, an error with a value, or the call of what is left."""
        quote = '"' if self.source.text.count('"') >= self.source.text.count("'") else "'"
        for form in forms("print"):
            if (found := form.match(text)) is not None:
                value = self.visible.expression(found["v"]) if found["v"] else ""
                shown = f"{quote}{found['q'][1:-1]}{quote}"
                return "" if value is None else f"print({shown}, {value})" if value else f"print({shown})"
        for form in forms("raise"):
            found = form.match(text)
            value = self.visible.expression(found["v"]) if found is not None else None
            if found is not None and value and self.visible.knows(found["e"]):
                return f"raise {found['e']}({value})"
        for form in forms("left_over"):
            found = form.match(text)
            name = self.name(found["x"]) if found is not None else None
            if found is not None and name and (made := self._repeated(found["f"], name)):
                return f"if {name}:\n    {made}"
        return ""

    def _repeated(self, called: str, name: str) -> str:
        """The one call of a function with a variable, as it stands there already."""
        root = self.anchor.area.node or self.source.tree
        inside = self.source.function_of(self.anchor.node) if self.anchor.node is not None else None
        calls = [one for one in walk(inside or root or ast.Pass()) if isinstance(one, ast.Call)]
        made = {
            ast.unparse(one)
            for one in calls
            if _last(one) == called and name in map(ast.unparse, (*one.args, *one.keywords))
        }
        return made.pop() if len(made) == 1 else ""

    def _condition(self, text: str) -> str:
        """The condition that words tell, as code of the place."""
        found = worded.parse_condition(text, self.visible.expression)
        return found[0].code if found else ""

    def _raised_again(self, text: str) -> str:
        """A bare `raise`, where an error is caught."""
        node: ast.AST | None = self.anchor.node
        while node is not None and not isinstance(node, ast.ExceptHandler | Function):
            node = self.source.parents.get(node)
        again = any(form.match(text) for form in forms("raise_again"))
        return "raise" if again and isinstance(node, ast.ExceptHandler) else ""

    def _printed(self, text: str) -> str:
        found = next((made for form in forms("print_value") if (made := form.match(text))), None)
        if found is None:
            return ""
        shown = parsed(found["v"])
        text_shown = isinstance(shown, ast.Constant) and isinstance(shown.value, str)
        value = found["v"] if text_shown else self.value(found["v"], "")
        return f"print({value})" if value else ""

    def _slept(self, text: str) -> str:
        """A pause of so many seconds, as the file makes them."""
        found = next((made for form in forms("sleep") if (made := form.match(text))), None)
        seconds = phrases.duration(found["v"]) if found is not None else None
        if found is None or seconds is None:
            return ""
        asleep = {one for one in ("sleep",) if self.visible.knows(one)}
        return f"{asleep.pop() if asleep else 'time.sleep'}({phrases.plain_number(seconds)})"

    def _filed(self, text: str) -> str:
        """A folder that is made, or a file removed, by name."""
        for kind, code in _FILED:
            for form in forms(kind):
                found = form.match(text)
                name = self.visible.name(phrases.without_articles(found["x"].strip())) if found else None
                if name is not None and self._is_path(name, kind):
                    return code.format(x=name)
        return ""

    def _is_path(self, name: str, kind: str) -> bool:
        """Whether a name stands for a path, by its words or by its use."""
        nouns = ("dir", "folder") if kind == "make_folder" else ("file", "path", "archive")
        if any(is_form_of(one, noun) for one in split_name(name) for noun in nouns):
            return True
        return re.search(rf"open\({re.escape(name)}\b", self.source.text) is not None

    def _appended(self, text: str) -> str:
        for form in forms("append"):
            found = form.match(text)
            name = self.name(found["x"]) if found is not None else None
            value = self.value(found["v"], "") if found is not None and name else None
            if not name or not value:
                continue
            first = self._initial(name)
            if isinstance(first, ast.List) or f"{name}.append(" in self.source.text:
                return f"{name}.append({value})"
            if ast.unparse(first) == "set()" if first is not None else f"{name}.add(" in self.source.text:
                return f"{name}.add({value})"
        return ""

    def _called(self, text: str) -> str:
        """A call of what is named: `f.close()` for *close f*."""
        for form in forms("call"):
            found = form.match(text)
            word = found["f"].strip("` ") if found is not None else ""
            if isinstance(parsed(word), ast.Call) and self._all_known(word):
                return word
            plain = word.removesuffix("()")
            if plain.isidentifier() and (made := list(self._like(plain))):
                return made[0] if len(made) == 1 else ""
            if own := called_there(self.source, self.anchor.node or self.anchor.area.node, plain):
                return own
        found = re.match(r"(?P<f>[A-Za-z_][\w.]*) (?P<x>.+)\Z", text)
        name = self.name(found["x"]) if found is not None else None
        if found is not None and name is None and is_said("pronouns", found["x"]):
            made = list(self._like(found["f"]))
            return made[0] if len(made) == 1 else ""
        if found is None or name is None:
            return ""
        verb = found["f"]
        if "." in verb and self.visible.knows(verb.partition(".")[0]):
            return f"{verb}({name})"
        return f"{name}.{verb}()" if f".{verb}()" in self.source.text else ""

    def _like(self, verb: str) -> Iterator[str]:
        """The calls without arguments that do it to what is seen here, or of own methods."""
        seen: dict[str, None] = {}
        for one in walk(self.source.tree):
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and _last(one) == verb:
                shown = ast.unparse(one)
                if not one.args and not one.keywords and self._is_own(one.func.value):
                    seen[shown] = None
            own = isinstance(one, Function) and one.name == verb and len(one.args.args) == 1
            if own and f"self.{verb}" in self.visible.inner.values():
                seen[f"self.{verb}()"] = None
        yield from seen

    def _is_own(self, node: ast.expr) -> bool:
        shown = ast.unparse(node)
        return shown in self.given or shown in self.visible.inner.values()

    def _all_known(self, code: str) -> bool:
        names = names_in(ast.parse(code))
        return all(one in self.given or self.visible.knows(one) for one in names)


def _last(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]
