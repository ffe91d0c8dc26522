"""Asks for the next edit after changes by hand, as the workbench does."""

from __future__ import annotations

from collections.abc import Mapping

from spark_tui.next_edit.history import EditHistory
from spark_tui.next_edit.offer import Offer, best_offer
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree


def offer_after(
    files: Mapping[str, str], *typed: tuple[str, str, str], dismissed: tuple[str, ...] = ()
) -> Offer | None:
    """The offer after the first `old` of each (path, old, new) became `new`, one after the other."""
    texts, history, question = dict(files), EditHistory(), None
    for path in {path for path, _, _ in typed}:
        history.opened(path, texts[path])
    for path, old, new in typed:
        assert old in texts[path]
        texts[path] = texts[path].replace(old, new, 1)
        question = history.typed(path, texts[path])
    if question is None:
        return None
    return best_offer(question.situation(Repository(DictTree(texts))), dismissed)


def taken(files: Mapping[str, str], *typed: tuple[str, str, str]) -> dict[str, str | None]:
    """The files after the changes and the offer for the rest."""
    texts = dict(files)
    offer = offer_after(files, *typed)
    assert offer is not None
    for path, old, new in typed:
        texts[path] = texts[path].replace(old, new, 1)
    return {**texts, **offer.plan.texts(Repository(DictTree(texts)))}
