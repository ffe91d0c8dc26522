"""What the user changed, and when not to ask about it: undo, a paste, a formatter, another branch."""

from __future__ import annotations

import ast
import re
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from spark_tui.next_edit.candidates import Situation
from spark_tui.next_edit.changes import Change, changes
from spark_tui.next_edit.tokens import digest
from spark_tui.pysource.repository import Repository
from spark_tui.shared_ends import same_at_start

_MOST_FILES = 6
"""Files of which the text before is kept; more that change at once were not typed."""
_MOST_CHANGES = 24
"""Changes of a file that count as its recent ones; then the text so far is the one before."""
_MOST_PASTED_LINES = 30
_SEEN_TEXTS = 64
_KEYWORD = re.compile(r"\$(?:Id|Author|Date|Header|HeadURL|LastChanged\w+|Rev(?:ision)?|URL): [^$]*\$")
_MOST_IN_A_SAVE = 12


@dataclass
class _File:
    before: str
    now: str
    seen: deque[str] = field(default_factory=lambda: deque(maxlen=_SEEN_TEXTS))


@dataclass(frozen=True)
class Question:
    """Changes that something may follow from, the newest first, and the texts before them."""

    changes: tuple[Change, ...]
    before: Mapping[str, str]
    taken: frozenset[str] = frozenset()
    """The files in which offers were taken since."""
    taken_words: str = ""
    """What the offer said, if it was for more changes of the newest form."""

    def situation(self, now: Repository) -> Situation:
        """`now` is the repository with the changes."""
        before = now.with_changes(self.before)
        return Situation(self.changes[0], self.changes[1:], now, before, self.taken, self.taken_words)


class EditHistory:
    """The recent changes of the files of one person."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, _File] = OrderedDict()
        self._asked: tuple[Change, ...] = ()
        """The changes of the last question."""
        self._taken: frozenset[str] = frozenset()
        """The files of the offers that were taken since somebody typed."""

    def knows(self, path: str) -> bool:
        """Whether the text before is known."""
        return path in self._files

    def opened(self, path: str, text: str) -> None:
        """A text that nobody typed: what comes next is compared with it."""
        self._files[path] = _File(text, text)
        self._files.move_to_end(path)
        while len(self._files) > _MOST_FILES:
            self._files.popitem(last=False)

    def typed(self, path: str, text: str) -> Question | None:
        """The text after a key. None where nothing can follow from it."""
        file = self._files.get(path)
        if file is None:
            self.opened(path, text)
            return None
        if text == file.now:
            return self._question(path, file.now)
        last, file.now, self._taken = file.now, text, frozenset()
        self._files.move_to_end(path)
        known = digest(text) in file.seen
        file.seen.append(digest(last))
        if known:
            return None  # undone, or done again
        if text.count("\n") - last.count("\n") > _MOST_PASTED_LINES:
            self.opened(path, text)
            return None
        return self._question(path, last)

    def saved(self, texts: Mapping[str, str]) -> Question | None:
        """Texts that were written by another program since the last look: an editor, a formatter, git."""
        known = {path: text for path, text in texts.items() if path in self._files}
        for path in texts.keys() - known.keys():
            self.opened(path, texts[path])
        if len(texts) > _MOST_FILES:
            for path, text in texts.items():
                self.opened(path, text)
            return None
        question = None
        for path, text in known.items():
            made = changes(path, self._files[path].now, text)
            if made is None or len(made) > _MOST_IN_A_SAVE:
                self.opened(path, text)
            else:
                question = self.typed(path, text) or question
        return question

    def took(self, words: str, before: Mapping[str, str], texts: Mapping[str, str]) -> Question | None:
        """An offer was taken: its places are examples like those made by hand. `before` are the texts of its
        files before that."""
        for path in texts:
            file = self._files.pop(path, None) or _File(before[path], before[path])
            self._files[path] = file
            file.now = texts[path]
        while len(self._files) > _MOST_FILES:
            self._files.popitem(last=False)
        kept = [path for path in self._files if path in texts]
        if not kept:
            return None
        asked = self._asked
        question = self._question(kept[0], before[kept[0]])
        if question is None or not asked:
            return question
        shape = asked[0].shape
        # After an import that a change made necessary, more such changes follow, not more imports.
        found = sorted(question.changes, key=lambda item: item.shape != shape)
        count, known = (sum(one.shape == shape for one in item) for item in (found, asked))
        words = words if count > known else ""
        self._asked, self._taken = tuple(found), self._taken.union(texts)
        return replace(question, changes=self._asked, taken=self._taken, taken_words=words)

    def _question(self, path: str, last: str) -> Question | None:
        """The changes since the text before, the one that differs from the last text first."""
        file = self._files[path]
        here = changes(path, file.before, file.now)
        if here is None or len(here) > _MOST_CHANGES:
            file.before = last if here is not None else file.now
            here = changes(path, file.before, file.now)
        here = [change for change in here or () if not _is_of_a_program(change)]
        if not here:
            return None
        at = same_at_start(last, file.now) if last != file.now else here[-1].span_after[1]
        here.sort(key=lambda item: _distance(item, at))
        others: list[Change] = []
        before = {path: file.before}
        for name, one in reversed(self._files.items()):
            if name != path and one.before != one.now:
                others += [
                    change
                    for change in changes(name, one.before, one.now) or ()
                    if not _is_of_a_program(change)
                ]
                before[name] = one.before
        self._asked = (*here, *others)
        return Question(self._asked, before)


def _distance(change: Change, offset: int) -> int:
    start, end = change.span_after
    return max(start - offset, offset - end, 0)


def _is_of_a_program(change: Change) -> bool:
    """Whether a formatter would make a change, or version control, which fills in `$Id: …$`."""
    if _only_layout(change):
        return True
    text, (start, end) = change.before.text, change.span_before
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    line = text[first : last if last >= 0 else len(text)]
    return any(
        match.start() <= start - first and end - first <= match.end() for match in _KEYWORD.finditer(line)
    )


def _only_layout(change: Change) -> bool:
    """Whether a formatter would do it: other quotes, commas and brackets."""
    went, came = (
        [word for word in words if word not in (",", "(", ")", "\n")] for words in (change.went, change.came)
    )
    return len(went) == len(came) and all(
        one == two or plain_quotes(one) == plain_quotes(two) for one, two in zip(went, came, strict=True)
    )


def plain_quotes(word: str) -> str:
    """A string with the quotes that `repr` chooses; anything else as it is."""
    if word[:1] not in "'\"":
        return word  # a prefix is no layout
    try:
        return repr(ast.literal_eval(word))
    except (ValueError, SyntaxError):
        return word
