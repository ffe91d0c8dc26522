"""Choose what a model is shown: files, rules and the repository map, each within its budget.

The prompt has the named files first, in the order in which they were named, then the file in view, then the
map; history and instruction follow. What seldom changes comes first, so that it stays in the prefix cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from spark_tui.context.agent_rules import rule_files, rules_text
from spark_tui.context.file_list import FileList, no_such_file
from spark_tui.context.ignore_rules import ReadLines, matches
from spark_tui.context.mentions import Mention, find_mentions, without_files
from spark_tui.context.relevance import FileRelevance
from spark_tui.context.repo_map import LOOK_SECONDS, RepoMap, is_code
from spark_tui.context.shown_context import ContextLimits, ContextRequest, CountTokens, Section, ShownContext
from spark_tui.context.symbols import outline
from spark_tui.context.windows import Window, WindowChoice, choose_windows, tile_windows
from spark_tui.errors import SparkError

MAP_SHARE = 0.08
RULES_SHARE = 0.15
MOST_MAP_TOKENS = 2000
_MOST_OF_A_GLOB = 50
_SURE, _LIKELY, _AHEAD = 6.0, 3.0, 1.5
"""A file that nobody named is shown when this much leads to it; or half of that, if it is far ahead of the
others."""
_MOST_LIKELY = 3
_IN_VIEW = "in view"
_LONGEST_LINE = 8
"""Windows. With a longer line the prompt of a small model has no room for its answer."""


@dataclass
class _Gathering:
    """Chooses files and collects their sections within a budget."""

    ask: ContextRequest
    read_lines: ReadLines
    count_tokens: CountTokens
    limits: ContextLimits
    listed: FileList
    repo_map: RepoMap | None
    left: int
    wanted: list[tuple[Mention, str]] = field(default_factory=list)
    """The files to show, in order, and why."""
    sections: list[Section] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    windows: dict[str, int] = field(default_factory=dict)
    """How many a file has of which some may not be shown."""
    missed: list[tuple[str, str]] = field(default_factory=list)
    likely: tuple[str, ...] = ()

    # -- which files

    def choose(self) -> None:
        """Decide which files to show."""
        ask = self.ask
        for path in ask.files:
            self._want(Mention(path), "named")
        mentions = find_mentions(ask.instruction)
        for mention in mentions:
            if mention.is_glob and mention.path not in self.listed.all:
                self._want_glob(mention)
            elif self._want_symbol(mention):
                continue
            elif mention.may_be_symbol and not is_code(mention.path) and not self._is_there(mention.path):
                # A decorator begins with the sign, too: it is spoken of, and takes no file's place.
                why = "is neither a file nor a symbol of this repository"
                self.left_out.append((f"@{mention.path}", why))
            else:
                self._want(mention, "named")
        # A model that reads a window at a time is asked about each file by itself: where one was named, the
        # one in view would be edited as well.
        only_named = self.limits.small and bool(self.wanted)
        for path in () if only_named else ask.earlier:
            self._want(Mention(path), "of the turn before")
        if ask.in_view and not only_named and all(one.path != ask.in_view for one, _ in self.wanted):
            if withheld := self.listed.withheld(ask.in_view):
                self.miss(ask.in_view, withheld)
            else:
                self._want(Mention(ask.in_view), _IN_VIEW)
        if not self.wanted and not any(mention.is_glob for mention in mentions):
            self._want_likely()

    def _want(self, mention: Mention, why: str) -> None:
        if all((one.path, one.first) != (mention.path, mention.first) for one, _ in self.wanted):
            self.wanted.append((mention, why))

    def _want_likely(self) -> None:
        """The file that the instruction most likely means, where the map tells."""
        if self.repo_map is None:
            return
        self.listed.look(self.repo_map)
        ranked = self.repo_map.rank(self.ask.instruction)
        if self.limits.small:
            ranked = [item for item in ranked if item.why]
        next_score = ranked[1].score if len(ranked) > 1 else 0.0
        if ranked and (ranked[0].score >= _SURE or ranked[0].score >= max(_LIKELY, _AHEAD * next_score)):
            self._want(Mention(ranked[0].path), "defines or is named " + ", ".join(ranked[0].why))
        else:
            self.likely = tuple(item.path for item in ranked[:_MOST_LIKELY])

    def _is_there(self, path: str) -> bool:
        try:
            return self.read_lines(path) is not None
        except SparkError:
            return True

    def _want_glob(self, mention: Mention) -> None:
        everything = [path for path in self.listed.all if matches(mention.path, path)]
        found = [path for path in self.listed.allowed if matches(mention.path, path)]
        hidden, taken = len(everything) - len(found), 0
        while found and taken < _MOST_OF_A_GLOB:
            path = found.pop(0)
            if self.listed.withheld(path):
                hidden += 1
            else:
                self._want(Mention(path), f"matches {mention.path}")
                taken += 1
        if not everything:
            self.miss(mention.path, "matches no files")
        if hidden:
            why = f"{hidden} of them may hold secrets or stand in .sparkignore; name each to show it"
            self.miss(mention.path, why)
        if found:
            self.miss(mention.path, f"{len(found)} more match")

    def _want_symbol(self, mention: Mention) -> bool:
        """`@Cart.add` where there is no such file: the places that define it."""
        if self.repo_map is None or not mention.may_be_symbol or mention.path in self.listed.all:
            return False
        self.listed.look(self.repo_map)
        found = self.repo_map.find(mention.path)
        for path, definition in found[:3]:
            # A small window is chosen around it anyway; a larger one is shown just these lines.
            lines = Mention(path, definition.first, definition.last)
            self._want(Mention(path) if self.limits.small else lines, f"defines {definition.full_name}")
        if len(found) > 3:
            self.miss(f"@{mention.path}", f"is defined in {len(found) - 3} more places")
        return bool(found)

    # -- their sections

    def miss(self, what: str, why: str) -> None:
        """Leave something out that the person looks at or spoke of."""
        self.left_out.append((what, why))
        self.missed.append((what, why))

    def _lines_of(self, path: str) -> Sequence[str] | None:
        if "\n" in path or "\r" in path:
            self.miss(path, "its name has a line break, which no edit format allows")
            return None
        try:
            lines = self.read_lines(path)
        except SparkError as error:
            self.miss(path, error.what)
            return None
        if lines is None:
            in_view = path == self.ask.in_view and path not in self.listed.all
            self.miss(path, "not on the disk yet" if in_view else no_such_file(path, self.listed.allowed))
        return lines

    def _section(self, path: str, lines: Sequence[str], first: int, last: int, why: str) -> Section:
        text = "".join(line + "\n" for line in lines[first - 1 : last])
        return Section(path, text, first, len(lines), self.count_tokens(text), why, tuple(lines))

    def _add(self, section: Section) -> bool:
        """Whether it is shown: it fits, or was added before."""
        key = (section.path, section.first_line, section.text)
        if any((item.path, item.first_line, item.text) == key for item in self.sections):
            return True
        if self.limits.tokens and section.tokens > self.left:
            return False
        self.left -= section.tokens
        self.sections.append(section)
        return True

    def show(self, mention: Mention, why: str) -> None:
        """Add the sections of a file that is wanted."""
        path, ask = mention.path, self.ask
        lines = self._lines_of(path)
        if lines is None:
            return
        if mention.first > len(lines):
            self.miss(path, f"has {len(lines)} lines, not {mention.first}")
            return
        selection, cursor = (ask.selection, ask.cursor) if path == ask.in_view else (None, 0)
        if self.limits.small:
            around = (mention.first, mention.last) if mention.first else selection
            self._show_windows(path, lines, replace(ask, selection=around, cursor=cursor), why)
            return
        first, last = (mention.first, mention.last) if mention.first else (1, len(lines))
        whole = self._section(path, lines, first, last, why)
        if self._add(whole):
            return
        # Too much for what is left: the windows that matter most, as many as fit.
        room = max(self.left, 0)
        found = outline(path, lines)
        cost = _cost(lines, self.count_tokens)
        most_tokens, most_lines = max(200, room // 4), len(lines) or 1
        windows = tile_windows(len(lines), found, cost, most_tokens=most_tokens, most_lines=most_lines)
        file = FileRelevance(lines, found)
        choice = choose_windows(windows, file, ask.instruction, selection=selection, cursor=cursor)
        taken = 0
        for window in choice.windows:
            part = self._section(path, lines, window.first, window.last, f"{why}; {choice.why}")
            taken += self._add(part)
        what = f"{whole.tokens} tokens do not fit in the remaining {room}"
        shown = f"; {taken} of its {len(windows)} parts shown" if taken else ""
        self.miss(path, what + shown)

    def _show_windows(self, path: str, lines: Sequence[str], ask: ContextRequest, why: str) -> None:
        choice, of = pick_windows(path, lines, ask, self.limits, self.count_tokens)
        if lines and not of:
            self.miss(path, "its lines are longer than the model can read")
            if why == _IN_VIEW:
                self._want_likely()
        because = f"{why}; {choice.why}" if of > 1 else why
        for window in choice.windows:
            self._add(self._section(path, lines, window.first, window.last, because))
        if choice.missed:
            self.miss(path, f"{choice.missed} more windows match; ask again for them")
        elif of > len(choice.windows):
            self.windows[path] = of
        if not lines:
            self._add(self._section(path, lines, 1, 0, why))

    def rules(self, room: int) -> tuple[str, int, tuple[str, ...]]:
        """The rules above the files that are wanted, their tokens and their paths."""
        found = list(rule_files([mention.path for mention, _ in self.wanted], self.listed.rules))
        if self.limits.small:
            self.left_out.extend((path, "this model takes no rules") for path, _ in found)
            return "", 0, ()
        while found:
            text = rules_text(found)
            tokens = self.count_tokens(text)
            if not room or tokens <= room:
                self.left -= tokens
                return text, tokens, tuple(path for path, _ in found)
            # The root's rules are the widest and the first to go.
            path, _ = found.pop(0)
            self.miss(path, f"{tokens} tokens of rules do not fit in {room}")
        return "", 0, ()


def build_context(
    ask: ContextRequest,
    limits: ContextLimits,
    *,
    read_lines: ReadLines,
    count_tokens: CountTokens,
    paths: Callable[[], Sequence[str]] = lambda: (),
    real: Callable[[str], str] = str,
    repo_map: RepoMap | None = None,
    look_seconds: float = LOOK_SECONDS,
) -> ShownContext:
    """`paths` lists what git tracks or does not ignore; it is asked only where a glob, a symbol or the map
    needs it. `real` says where the links of a path lead. The map is read for `look_seconds` at most."""
    listed = FileList(paths, read_lines, real, look_seconds)
    budget = limits.tokens
    rules_room = int(budget * RULES_SHARE)
    map_room = min(int(budget * MAP_SHARE), MOST_MAP_TOKENS) if budget else MOST_MAP_TOKENS
    keeping = map_room if repo_map is not None and not limits.small else 0
    left = max(0, budget - keeping) if budget else 0
    g = _Gathering(ask, read_lines, count_tokens, limits, listed, repo_map, left)
    g.choose()
    rules, rules_tokens, rule_paths = g.rules(rules_room)
    for mention, why in g.wanted:
        if secret := listed.leads_to_secret(mention.path):
            g.miss(mention.path, secret)
        else:
            g.show(mention, why)
    for path, of in g.windows.items():
        if without := of - sum(section.path == path for section in g.sections):
            g.left_out.append((path, f"{without} of its {of} windows"))
    text, map_tokens = "", 0
    if repo_map is not None and not limits.small:
        listed.look(repo_map)
        ranked = repo_map.rank(ask.instruction, [section.path for section in g.sections])
        shown = [s.path for s in g.sections if s.text.count("\n") >= s.total_lines]
        room = map_room + (min(g.left, 0) if budget else 0)
        text, map_tokens, without = repo_map.render(ranked, count_tokens, room, shown)
        if without or repo_map.unread:
            why = f"{without + repo_map.unread} files do not fit in its {room} tokens"
            g.left_out.append(("the map", why))
    return ShownContext(
        tuple(g.sections),
        tuple(g.left_out),
        rules,
        rules_tokens,
        rule_paths,
        text,
        map_tokens,
        g.likely,
        missed=tuple(g.missed),
    )


def pick_windows(
    path: str, lines: Sequence[str], ask: ContextRequest, limits: ContextLimits, count_tokens: CountTokens
) -> tuple[WindowChoice, int]:
    """The windows of a file that a small model reads for this, and of how many. `selection` and `cursor` are
    the file's own."""
    evidence, windows = file_windows(path, tuple(lines), limits, count_tokens)
    instruction = without_files(ask.instruction)
    choice = choose_windows(windows, evidence, instruction, selection=ask.selection, cursor=ask.cursor)
    return choice, len(windows)


@lru_cache(maxsize=8)
def file_windows(
    path: str, lines: tuple[str, ...], limits: ContextLimits, count_tokens: CountTokens
) -> tuple[FileRelevance, tuple[Window, ...]]:
    """What speaks for each part of a file, and its windows. The same file is asked about with every key: it
    is looked at once."""
    known, cost = outline(path, lines), _cost(lines, count_tokens)
    most_lines = limits.window_lines or len(lines) or 1
    most_tokens = limits.window_tokens
    windows = tile_windows(len(lines), known, cost, most_tokens=most_tokens, most_lines=most_lines)
    readable = tuple(window for window in windows if window.tokens <= _LONGEST_LINE * most_tokens)
    return FileRelevance(lines, known), readable


def _cost(lines: Sequence[str], count_tokens: CountTokens) -> Callable[[int], int]:
    return lambda number: count_tokens(lines[number - 1]) + 1
