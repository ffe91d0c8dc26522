"""The files that have a word, kept for the words that were asked for: the same few are asked for again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from spark_tui.pysource.summary import Summary, Words, bit_of

_MOST_KEPT = 200_000
"""Paths that are kept, of all words together."""


class FilesByWord:
    def __init__(self, summaries: Mapping[str, Summary], words_of: Callable[[Summary], Words]) -> None:
        """`words_of` gives all words of a file, or some of them."""
        self._summaries, self._words_of = summaries, words_of
        self._known: dict[str, frozenset[str]] = {}
        self._kept = 0

    def with_changed(self, summaries: Mapping[str, Summary], changed: Collection[str]) -> FilesByWord:
        """The same where these files have other summaries."""
        made, changed = FilesByWord(summaries, self._words_of), frozenset(changed)
        for word, files in self._known.items():
            now = frozenset(
                path for path in changed & summaries.keys() if word in self._words_of(summaries[path])
            )
            made._known[word] = files if files & changed == now else (files - changed) | now
        made._kept = sum(map(len, made._known.values()))
        return made

    def of(self, words: Iterable[str]) -> set[str]:
        """The files with one of the words, in code or not."""
        return set().union(*map(self._of_one, words))

    def _of_one(self, word: str) -> frozenset[str]:
        found = self._known.get(word)
        if found is None:
            at, bit = bit_of(word)
            files = self._summaries.items()
            found = frozenset(
                path for path, one in files if one.bits[at] & bit and word in self._words_of(one)
            )
            self._kept += len(found)
            if self._kept > _MOST_KEPT:
                self._known, self._kept = {}, len(found)
            self._known[word] = found
        return found
