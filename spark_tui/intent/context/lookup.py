"""From words to symbols: exact names, other spellings, and typos."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from weakref import WeakKeyDictionary

from spark_tui.codemods.slots import ANY_SYMBOL, SymbolKind
from spark_tui.codemods.uses.symbols import Target, list_targets, without_overloads
from spark_tui.intent.context.described_names import best_described, comment_at, content_words
from spark_tui.intent.context.matches import INNER, Match, narrowed, weighted
from spark_tui.intent.context.situation import Area
from spark_tui.intent.context.spelling import closest
from spark_tui.intent.context.symbol_kinds import around_members, is_member
from spark_tui.intent.reading.near_roles import near_files
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.phrases import without_articles, without_kind_behind
from spark_tui.intent.words.spoken_names import with_signs
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import identifier_words

_CALL = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)\s*\Z")
_MOST_FILES, _MOST_EVERYWHERE = 5, 40


def plain_name(text: str, *, with_kinds: bool = False) -> str:
    """The name in a text: without brackets of a call, `self.`, articles, punctuation, and, unless it is
    `with_kinds`, words for what it is: *the add method*."""
    text = _CALL.sub("", text.strip().strip("`'\"*,;:!?")).strip()
    text = without_articles(text, with_kinds=with_kinds).strip("`'\"").removeprefix("@")
    text = with_signs(_CALL.sub("", text))
    return text.removeprefix("self.").removeprefix("cls.").rstrip(".")


@lru_cache(maxsize=1 << 15)
def key(name: str) -> str:
    """What `apply discount`, `apply_discount` and `applyDiscount` share, but not `a_1_12` and `a_11_2`."""
    return re.sub(r"(?<!\d)[\s_\-]+|[\s_\-]+(?!\d)", "", name).lower()


@lru_cache(maxsize=4)
def _by_key(names: frozenset[str]) -> dict[str, list[str]]:
    """Names by their key."""
    out: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        out[key(name)].append(name)
    return out


def without_s(word: str) -> str:
    return word.lower().rstrip("s")


def split_name(name: str) -> list[str]:
    """The words of which a name is made."""
    return list(identifier_words(name))


_IN_FILE: WeakKeyDictionary[Scopes, dict[str, list[Target]]] = WeakKeyDictionary()
"""The symbols of the files that are parsed, by key: they follow from the file alone."""


class Names:
    """The symbols of a repository by what people call them. `path` is the open file."""

    def __init__(self, repo: Repository, path: str) -> None:
        self.repo = repo
        self.path = path if path in repo.index.paths else ""

    def in_file(self, path: str) -> dict[str, list[Target]]:
        """The symbols of a file by key."""
        scopes = self.repo.index.scopes(path)
        if scopes not in _IN_FILE:
            out: dict[str, list[Target]] = defaultdict(list)
            for one in list_targets(self.repo, path):
                out[key(one.name)].append(one)
            _IN_FILE[scopes] = dict(out)
        return _IN_FILE[scopes]

    @cached_property
    def _keys(self) -> Mapping[str, Sequence[str]]:
        return _by_key(self.repo.index.symbol_names)

    @cached_property
    def _near(self) -> frozenset[str]:
        """The files near the open one; none if all are."""
        return near_files(self.repo.index, self.path) if self.path else frozenset()

    @cached_property
    def _near_keys(self) -> Mapping[str, Sequence[str]]:
        """The names of which a word may be a typo. In a large repository it is like some name anyway."""
        summaries = self.repo.index.summaries
        here = (one.name for path in self._near & summaries.keys() for one in summaries[path].symbols)
        return _by_key(frozenset(here)) if self._near else self._keys

    def knows(self, text: str, shown: bool = False) -> bool:
        """Whether a name stands in the open file or names a symbol. What does not look like code may, unless
        it is `shown` as code."""
        plain = plain_name(text)
        last = plain.rpartition(".")[2]
        code = shown or re.search(r"_|[a-z]{2}[A-Z][a-z]|\(\)", text)
        if not (self.path and last.isidentifier() and code):
            return not shown
        whole = self.repo.index.text(self.path) or ""
        found = re.search(rf"(?<!\w){re.escape(plain)}(?!\w)", whole) is not None
        return found or ("." not in plain and last in self.repo.index.symbol_names)

    def is_symbol(self, text: str) -> bool:
        """Whether a text is the name of a symbol, in any spelling."""
        last = key(plain_name(text).rpartition(".")[2])
        return last in self._keys or bool(self.path and self.in_file(self.path).get(last))

    def holds(self, outer: str, inner: str) -> bool:
        """Whether a definition of one name has a parameter, a local or a member of the other."""
        owner, last = plain_name(outer).rpartition(".")[2], key(plain_name(inner))
        paths = list(dict.fromkeys(path for path, _ in self.repo.index.symbols(owner)))[:_MOST_FILES]
        found = (one for path in paths for one in self.in_file(path).get(last, ()))
        return any(f".{one.qualname}".endswith(f".{owner}.{one.name}") for one in found)

    def find(
        self,
        text: str,
        kinds: frozenset[SymbolKind] = ANY_SYMBOL,
        area: Area | None = None,
        near: Iterable[str] = (),
        everywhere: bool = False,
    ) -> list[Match]:
        """The symbols that a text may mean, the likeliest first; weights of one text add up to 1 at most.

        `near` are qualified names of the definitions around the cursor, the innermost first. Where parameters
        and locals are meant `everywhere`, those of all files are found, unless the open file has some."""
        name = plain_name(text)
        if not name or len(name) > 200:
            return []
        home = area.path if area is not None and area.said else ""
        near_by = [one for one in (home, self.path) if one]
        whole = plain_name(text, with_kinds=True)
        for other in (whole, without_kind_behind(whole)) if whole != name else ():
            if any(key(other) in self.in_file(path) for path in near_by):
                name = other  # `file name` is file_name, if there is one, and no name of a file
                break
        if is_member(text) and kinds & INNER:
            members = self.find(text, kinds - INNER, around_members(area), near, everywhere)
            if members:
                return members
        found: list[tuple[Target, float, str]] = []
        for path in dict.fromkeys(near_by):
            found = list(self._in(path, name, kinds, area))
            if found:
                break
        last = name.rpartition(".")[2]
        if found and not home and not last.islower() and all(one.name != last for one, *_ in found):
            # Another file has the name just as it is written: `RETRIES` is not `retries`.
            found = [each for each in self._elsewhere(name, kinds, area) if each[0].name == last] or found
        if not found and not home:
            found = list(self._elsewhere(name, kinds, area))
            if everywhere and found and all(one.kind in INNER for one, *_ in found):
                found += self._in_other_files(found, kinds)
        if not found and self._is_of_module(name):
            return []  # `asyncio.run` is no `run` of this file
        if not found:
            found = list(self._nearly(name, kinds, area, home))
        if not found:
            found = list(self._described(name, kinds, area, home))
        return weighted(found, list(near), self.path)

    def _is_of_module(self, name: str) -> bool:
        """Whether the open file imports what stands in front of the dot of a name as a module."""
        imports = self.repo.index.imports(self.path) if self.path in self.repo.index.paths else ()
        return "." in name and name.partition(".")[0] in {one.alias for one in imports if not one.name}

    def _in(
        self, path: str, name: str, kinds: frozenset[SymbolKind], area: Area | None
    ) -> Iterator[tuple[Target, float, str]]:
        if path not in self.repo.index.paths:
            return
        last = name.rpartition(".")[2]
        exact = list(list_targets(self.repo, path, last)) if last.isidentifier() else []
        found = [one for one in exact if one.kind in kinds]
        if not found and (not exact or last.islower()):
            # *the class error* is `Error`, whatever attributes are called `error`.
            found = [one for one in self.in_file(path).get(key(last), []) if one.kind in kinds]
        dotted = [one for one in found if _is_dotted(self.repo, one, name)]
        found = dotted or [one for one in found if _is_member(self.repo, one, name)]
        if any(one.kind is not SymbolKind.IMPORT for one in found):
            found = [one for one in found if one.kind is not SymbolKind.IMPORT]
        elif SymbolKind.IMPORT in kinds and len(kinds) > 1 and self._is_defined(path, last, found):
            return
        yield from narrowed(without_overloads(found), last, area)

    def _is_defined(self, path: str, name: str, found: Sequence[Target]) -> bool:
        """Whether an imported name is one of the repository, and may be only unseen in a file that does not
        parse."""
        if self.repo.index.symbols(name):
            return True
        index, names = self.repo.index, {one.name for one in found}
        modules = (
            index.imported_module(path, one)
            for one in index.imports(path)
            if one.name in names and one.alias == one.name
        )
        homes = (index.modules.find(one, path) for one in modules)
        return any(home is not None and not index.parses(home) for home in homes)

    def _elsewhere(
        self, name: str, kinds: frozenset[SymbolKind], area: Area | None
    ) -> Iterator[tuple[Target, float, str]]:
        """Symbols of other files: definitions by the index, parameters and locals where the word stands."""
        index = self.repo.index
        last = name.rpartition(".")[2]
        names = [last] if index.symbols(last) else self._keys.get(key(last), [])
        paths = list(dict.fromkeys(path for one in names for path, _ in index.symbols(one)))
        if not paths and last.isidentifier():
            paths = list(index.files_with(last))
        if "." in name:
            owners = {path for path, _ in index.symbols(name.split(".")[-2])}
            paths.sort(key=lambda path: path not in owners)
        # A stub says again what its module has.
        paths = [one for one in paths if one.removesuffix("i") == one or one[:-1] not in paths]
        for path in paths[:_MOST_FILES]:
            yield from self._in(path, name, kinds, area)

    def _in_other_files(
        self, found: Sequence[tuple[Target, float, str]], kinds: frozenset[SymbolKind]
    ) -> Iterator[tuple[Target, float, str]]:
        """The parameters and locals of one name in the files beside those that some were found in."""
        name, known = found[0][0].name, {one.path for one, *_ in found}
        for path in islice(
            (one for one in self.repo.index.files_with(name) if one not in known), _MOST_EVERYWHERE
        ):
            for one in list_targets(self.repo, path, name):
                if one.kind in INNER & kinds:
                    yield one, found[0][1], ""

    def _nearly(
        self, name: str, kinds: frozenset[SymbolKind], area: Area | None, home: str
    ) -> Iterator[tuple[Target, float, str]]:
        """Typos, singular and plural."""
        last = key(name.rpartition(".")[2])
        if len(last) < 3:
            return
        path = home or self.path
        local = self.in_file(path) if path else {}
        for known in (local, {} if home else self._near_keys):
            near = closest(last, known)
            for one, score in near:
                spelled = local.get(one, [])
                if not spelled:
                    for real in self._near_keys.get(one, ())[:2]:
                        paths = (path for path, _ in self.repo.index.symbols(real))
                        for where in islice((path for path in paths if self._is_near(path)), 2):
                            spelled = [*spelled, *self.in_file(where).get(one, [])]
                fitting = [each for each in spelled if each.kind in kinds - {SymbolKind.IMPORT}]
                for each, weight, _ in narrowed(fitting, next((one.name for one in fitting), ""), area):
                    yield each, weight * score, Doubt(f"{name} was read as {each.name}", DoubtKind.READ_AS)
            if near:
                return

    def _is_near(self, path: str) -> bool:
        return not self._near or path in self._near

    def _described(
        self, name: str, kinds: frozenset[SymbolKind], area: Area | None, home: str
    ) -> Iterator[tuple[Target, float, str]]:
        """Those of a file that words describe best; one word is enough only where the kind is known."""
        path, words = home or self.path, content_words(name)
        if not words or path not in self.repo.index.paths or (len(words) == 1 and kinds == ANY_SYMBOL):
            return
        known = [each for own in self.in_file(path).values() for each in own]
        known = [one for one in known if one.kind in kinds and one.kind is not SymbolKind.IMPORT]
        lines = self.repo.index.source(path).lines
        beside = {one.name: comment_at(lines, one.line) for one in known if one.kind is SymbolKind.VARIABLE}
        found, sure = best_described(words, {one.name for one in known}, beside)
        for each in found if len(found) == 1 or kinds != ANY_SYMBOL else ():
            for one, weight, _ in narrowed([one for one in known if one.name == each], each, area):
                yield one, weight * sure, Doubt(f"{name} was read as {one.name}", DoubtKind.READ_AS)


def _is_dotted(repo: Repository, target: Target, name: str) -> bool:
    """Whether the dotted parts in front of a name fit the symbol, in any spelling."""
    parts = [key(one) for one in name.split(".") if one]
    module = repo.index.modules.name(target.path)
    own = [key(one) for one in f"{module}.{target.qualname}".split(".")]
    return own[-len(parts) :] == parts


def _is_member(repo: Repository, target: Target, name: str) -> bool:
    """Whether `cart.add` may name a method by a variable that holds its object."""
    owner, *more = name.split(".")
    modules = (one.alias for one in repo.index.imports(target.path) if not one.name)
    held = target.owner is not None and not repo.index.symbols(owner)
    return len(more) == 1 and held and owner not in modules  # `asyncio.run` is no `Worker.run`


@lru_cache(maxsize=3)
def names_of(repo: Repository, path: str) -> Names:
    """The names of a repository, kept for the instructions that follow."""
    return Names(repo, path)
