"""What words mean inside of a function: parameters, locals, attributes of `self`, names of the module."""

from __future__ import annotations

import ast
import builtins
import re
from functools import lru_cache

from spark_tui.intent.context.described_names import in_other_words
from spark_tui.intent.context.lookup import key, split_name, without_s
from spark_tui.intent.words.phrases import mentions, number, table, without_articles, words
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, parameters
from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.shared_ends import same_at_start

_BUILTINS = {key(text): text for text in dir(builtins) if not text.startswith("_")}
_MOST_WORDS = 8
_PLAIN = {kind.__name__: kind for kind in (str, int, float, bool, bytes)}
_PLURALS = (("s", ""), ("es", ""), ("ies", "y"))


def _is_plain_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


class Visible:
    """The names that code in a definition, or at the top of a file, can use."""

    def __init__(self, repo: Repository, path: str, node: ast.AST | None, english: bool = False) -> None:
        self.repo, self.path, self.node, self._english = repo, path, node, english
        self.inner: dict[str, str] = {}
        """By key: parameters first, then locals, attributes of the object, and names of the module."""
        self.module: dict[str, str] = {}
        self.methods: dict[str, Function] = {}
        """The plain methods of the class: they have no parts that are meant."""
        self.parameters: list[str] = []
        self.bound: frozenset[str] = frozenset()
        """The names of the module as they are spelled."""
        if path in repo.index.paths:
            self._fill()

    def _fill(self) -> None:
        source = self.repo.index.source(self.path)
        scopes = self.repo.index.scopes(self.path)
        function = self.node if isinstance(self.node, Function) else None
        if function is None and self.node is not None and not isinstance(self.node, Definition):
            function = source.function_of(self.node)
        chain = [function] if function is not None else []
        chain += (
            [ancestor for ancestor in source.ancestors(function) if isinstance(ancestor, Function)]
            if function
            else []
        )
        for item in chain:
            given = [parameter.arg for parameter in parameters(item)]
            self.parameters += given
            for name in given:
                self.inner.setdefault(key(name), name)
            scope = scopes.scope_of.get(item)
            for name in sorted(scope.bound) if scope is not None else ():
                self.inner.setdefault(key(name), name)
        owner = self.node if isinstance(self.node, ast.ClassDef) else None
        owner = source.class_of(function) if owner is None and function else owner
        if owner is not None:
            self._members(owner)
        self.bound = frozenset(scopes.module.bound)
        for name in scopes.module.bound:
            self.module.setdefault(key(name), name)
        for known in (self.inner, self.module):
            known.pop("", None)  # `_` is what nobody means

    def _members(self, owner: ast.ClassDef) -> None:
        from spark_tui.pysource.inference.values import ClassValue

        value = ClassValue(self.path, owner)
        for item in (value, *self.repo.classes.ancestors(value)):
            for name, nodes in self.repo.classes.own_members(item).items():
                if not name.startswith("__"):
                    self.inner.setdefault(key(name), f"self.{name}")
                    plain = [one for one in nodes if isinstance(one, Function) and not one.decorator_list]
                    if plain and len(plain) == len(nodes):
                        self.methods.setdefault(f"self.{name}", plain[-1])

    def name(self, text: str) -> str | None:
        """The name or attribute that a word is, in any spelling."""
        wanted = key(text)
        if text in self.bound and key(text) not in self.inner:
            return text
        found = self.inner.get(wanted) or self.module.get(wanted)
        if found is None and (text in dir(builtins) or wanted in _BUILTINS):
            return text if text in dir(builtins) else _BUILTINS[wanted]
        return found

    def knows(self, name: str) -> bool:
        """Whether a name can stand in code here as it is."""
        return (
            self.inner.get(key(name)) == name
            or name in self.bound
            or name in self.inner.values()
            or name in self.module.values()
            or hasattr(builtins, name)
            or name in ("self", "cls")
        )

    def expression(self, text: str) -> str | None:
        """The expression that a text names, as code; None where nothing of it is known."""
        plain = text.strip().strip("`").strip(" ,.;:!?").strip()
        if not plain or len(plain) > 300:
            return None
        bare = without_articles(plain)
        code = self._stand_in(bare or plain) or self._as_code(plain)
        if code is not None:
            return code
        found = self.name(bare) or self._as_code(bare)
        if found is not None and (key(bare) not in _BUILTINS or bare.isidentifier()):
            return found
        found = self._form(plain) or self._form(bare)
        found = found or self._part_read(bare) or self._by_words(bare)
        return found or self.shortened(bare) or self._of_plural(bare) or self._in_other_words(bare)

    def _part_read(self, word: str) -> str | None:
        """What the function reads under that name of one of its variables: *the stock* is `part.stock`."""
        own = [item for item in self.inner.values() if item.isidentifier() and item != "self"]
        read = {
            ast.unparse(node)
            for node in (walk(self.node) if isinstance(self.node, Function) and word.isidentifier() else ())
            if isinstance(node, ast.Attribute) and node.attr == word and ast.unparse(node.value) in own
        }
        called = {ast.unparse(node.func) for node in (find_nodes(self.node, ast.Call) if read else ())}
        return next(iter(read)) if len(read) == 1 and read.isdisjoint(called) else None

    def _of_plural(self, word: str) -> str | None:
        """The parameter of which a word is the plural: *titles longer than 40* are what `title` may be."""
        forms = [word.removesuffix(end) + new for end, new in _PLURALS if word.endswith(end)]
        return next((form for form in forms if form in self.parameters), None)

    def _in_other_words(self, text: str) -> str | None:
        """The one parameter, or else local, that a text names in another language: *der Betrag*."""
        others = [name for name in self.inner.values() if name not in self.methods]
        for names in () if self._english else (self.parameters, others):
            if found := in_other_words(text, dict.fromkeys(names)):
                return found[0] if len(found) == 1 else None
        return None

    def shortened(self, word: str) -> str | None:
        """The only parameter, or else local, whose name shortens a word that is no name: `qty`."""
        if not word.isalpha() or self.name(word) is not None:
            return None
        found = [parameter for parameter in dict.fromkeys(self.parameters) if is_short_for(parameter, word)]
        found = found or [
            item for item in self.inner.values() if is_short_for(item.removeprefix("self."), word)
        ]
        return found[0] if len(found) == 1 else None

    def _stand_in(self, text: str) -> str | None:
        """The only parameter, where a text says no more than `the list` or `it`."""
        unknown = key(text) not in self.inner and key(text) not in self.module and not self.shortened(text)
        own = [parameter for parameter in dict.fromkeys(self.parameters) if parameter not in ("self", "cls")]
        if not unknown or text.lower() not in words("stand_ins") or self._part_read(text):
            return None
        return own[0] if len(own) == 1 else None

    def _as_code(self, text: str) -> str | None:
        tree = parse_value(text)
        if tree is None:
            return None
        if isinstance(tree, ast.Constant):
            return text
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        bound = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        return text if names and all(self.knows(name) for name in names - bound) else None

    def _form(self, text: str) -> str | None:
        return self._sum(text) or self._subject(text)

    def _sum(self, text: str) -> str | None:
        """Two values that are reckoned with: `tries to the power of two`."""
        for code, phrases in table()["sums"].items():
            for phrase in phrases:
                found = _reckoned(phrase).fullmatch(text)
                if found is None:
                    continue
                sides = [number(found[item]) or self.expression(found[item]) for item in "xy"]
                if all(side is not None and re.fullmatch(r"[\w.]+(?:\([^()]*\))?", side) for side in sides):
                    return str(code).format(x=sides[0], y=sides[1])
        return None

    def _subject(self, text: str) -> str | None:
        for code, phrases in table()["subjects"].items():
            for phrase in phrases:
                found = compile_phrase(phrase).fullmatch(text)
                if found is None:
                    continue
                if "{y}" in code:
                    first = self.expression(found["x"])
                    last = found["y"].strip()
                    if first is not None and last in words("stand_ins"):
                        return first  # a list of rows
                    if first is not None and (each := self._of_each(first, found["x"], last)):
                        return each
                    of_value = first not in _BUILTINS.values() and first not in self.methods
                    of_value = of_value and not self._is_plain(first, last)
                    if first is not None and last.isidentifier() and of_value:
                        return f"{first}.{last}"
                    continue
                named = self.expression(found["x"])
                inner = self._called(named)
                if named is not None and inner is None:
                    return None
                if inner is not None and not (code == "len({x})" and self._is_number(inner)):
                    return str(code).format(x=inner)
        return None

    def _called(self, code: str | None) -> str | None:
        """What is looked at, of a method what it returns; None where its arguments are not known."""
        method = self.methods.get(code or "")
        if method is None:
            return code
        given = method.args
        needed = [item.arg for item in (*given.posonlyargs, *given.args)][1:]
        needed = needed[: len(needed) - len(given.defaults)]
        fits = set(needed) <= set(self.parameters) and not given.kwonlyargs
        return f"{code}({', '.join(needed)})" if fits else None

    def _is_plain(self, name: str | None, attribute: str) -> bool:
        """Whether a parameter is of a plain type that has no such attribute: `job` of `name: str`."""
        given = parameters(self.node) if isinstance(self.node, Function) else ()
        hint = next((one.annotation for one in given if one.arg == name), None)
        kind = _PLAIN.get(hint.id) if isinstance(hint, ast.Name) else None
        return kind is not None and not hasattr(kind, attribute)

    def _is_number(self, code: str) -> bool:
        """Whether the function compares a name with what it sets to a number, or reckons with it."""
        inside = self.node
        if inside is not None and not isinstance(inside, Function) and self.path in self.repo.index.paths:
            inside = self.repo.index.source(self.path).function_of(inside)
        nodes = list(walk(inside)) if isinstance(inside, Function) and code.isidentifier() else []
        sets = [node for node in nodes if isinstance(node, ast.Assign)]
        numbers = {ast.unparse(one.targets[0]) for one in sets if _is_plain_number(one.value)}
        for node in nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                ordered = isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            elif isinstance(node, ast.BinOp):
                sides, ordered = [node.left, node.right], isinstance(node.op, ast.Sub | ast.Div)
            else:
                continue
            known = any(_is_plain_number(side) or ast.unparse(side) in numbers for side in sides)
            if ordered and known and any(ast.unparse(side) == code for side in sides):
                return True
        return False

    def _of_each(self, code: str, text: str, part: str) -> str:
        """An attribute of each of several things: *the names of all items*."""
        one, attribute = without_s(code.rpartition(".")[2]), without_s(part)
        several = one != code.rpartition(".")[2] and one.isidentifier() and attribute != part
        told = several and re.match(r"(?:all|every|each)\s", text, re.IGNORECASE)
        if not told or next(self.repo.index.files_with_member(attribute), None) is None:
            return ""
        return f"[{one}.{attribute} for {one} in {code}{'()' if code in self.methods else ''}]"

    def _by_words(self, text: str) -> str | None:
        """The one name all of whose words stand in a short text, or that the text is a part of."""
        phrases = set(split_name(text))
        if not 0 < len(phrases) <= _MOST_WORDS:
            return None
        inside = [
            code for code in self.inner.values() if phrases >= set(split_name(code.removeprefix("self.")))
        ]
        if len(inside) == 1:  # a method is no number of what it returns
            return None if inside[0] in self.methods and mentions("counted_rounds", text) else inside[0]
        parts = [
            code
            for code in dict.fromkeys([*self.parameters, *self.inner.values()])
            if phrases
            and phrases <= set(split_name(code.removeprefix("self.")))
            and all(len(word) > 2 for word in phrases)
        ]
        return parts[0] if len(parts) == 1 else None


def is_short_for(name: str, word: str) -> bool:
    """Whether a name is the beginning of a word, perhaps with consonants of the rest: `desc`, `qty`, of one
    thing or several."""
    name, word = name.lower(), re.sub(r"ies\Z", "y", word.lower())
    if not 1 < len(name) < len(word) - 1:
        return False
    begun = same_at_start(name, word)
    if not begun or re.search(r"[^b-df-hj-np-tv-z]", name[begun:]):
        return False
    rest = iter(word[begun:])
    # Two letters are a word too often: `at`, `is`.
    return all(item in rest for item in name[begun:]) and (len(name) > 2 or not re.search("[aeiou]", name))


@lru_cache(maxsize=256)
def compile_phrase(phrase: str) -> re.Pattern[str]:
    """What fits a phrase with {x} and {y}."""
    pattern = re.escape(phrase).replace(r"\{x\}", "(?P<x>.+)").replace(r"\{y\}", r"(?P<y>\w+)")
    pattern = pattern.replace("'", "['’]").replace(r"\ ", r"\s+")
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=64)
def _reckoned(phrase: str) -> re.Pattern[str]:
    pattern = re.escape(phrase).replace(r"\{x\}", "(?P<x>.+?)").replace(r"\{y\}", "(?P<y>.+)")
    return re.compile(pattern.replace(r"\ ", r"\s+"), re.IGNORECASE)
