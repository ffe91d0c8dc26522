"""Asks for the next edit after changes by hand, as the workbench does."""

from __future__ import annotations

from collections.abc import Mapping

from spark_tui.next_edit.candidates import Situation
from spark_tui.next_edit.history import EditHistory
from spark_tui.next_edit.offer import Offer, best_offer
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def question_after(files: Mapping[str, str], *typed: tuple[str, str, str]) -> Situation | None:
    """What is asked after the first `old` of each (path, old, new) became `new`, one after the other."""
    texts, history, question = dict(files), EditHistory(), None
    for path in {path for path, _, _ in typed}:
        history.opened(path, texts[path])
    for path, old, new in typed:
        assert old in texts[path]
        texts[path] = texts[path].replace(old, new, 1)
        question = history.typed(path, texts[path])
    return question.situation(Repository(DictTree(texts))) if question is not None else None


def offer_after(
    files: Mapping[str, str], *typed: tuple[str, str, str], dismissed: tuple[str, ...] = ()
) -> Offer | None:
    """The offer after these changes."""
    situation = question_after(files, *typed)
    return best_offer(situation, dismissed) if situation is not None else None


def taken(files: Mapping[str, str], *typed: tuple[str, str, str]) -> dict[str, str | None]:
    """The files after the changes and the offer for the rest."""
    texts = dict(files)
    offer = offer_after(files, *typed)
    assert offer is not None
    for path, old, new in typed:
        texts[path] = texts[path].replace(old, new, 1)
    return {**texts, **offer.plan.texts(Repository(DictTree(texts)))}
