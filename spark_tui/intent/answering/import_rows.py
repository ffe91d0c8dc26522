"""Messages that only ask to join the imports of a module, or to part an import: *merge the datetime imports*.
The network was trained on none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.intent.answering.config_answers import calls_answer
from spark_tui.intent.building.building import call
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.planning.words_unheard import is_idle
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order
from spark_tui.pysource.names.imports import ImportNode
from spark_tui.pysource.source import Source

_WORD = re.compile(r"[^\W\d]\w*(?:\.\w+)*")


def import_rows_answer(order: Order, situation: Situation) -> Answer | None:
    """The answer to an order that says no more than which imports are to be one, or one for each name."""
    path, repo = situation.path, situation.repo
    if situation.earlier is not None or path not in repo.index.modules.paths:
        return None
    words = _WORD.findall(situation.instruction[order.start : max(order.end, 1)])
    told = [word for word in words if not is_idle(word.lower())]
    joins, parts = (_are_said(kind, told[:1]) for kind in ("uniting", "parting"))
    if not (joins or parts) or not _are_said("imports", told):
        return None
    beside = {*phrases.words("imports"), *phrases.words("beside_imports")}
    names = [word for word in told[1:] if word.lower() not in beside]
    if joins:
        modules = set(_modules(repo.index.source(path)))
        if not modules.issuperset(names):
            return None
        return calls_answer(
            [call("merge_imports", path=path, module=one) for one in dict.fromkeys(names) or ("",)], situation
        )
    held = {name: at for at, own in enumerate(_rows(repo.index.source(path))) for name in own}
    if not all(name in held for name in names):
        return None
    first = {held[name]: name for name in reversed(names)}.values()
    return calls_answer([call("split_import", path=path, module=one) for one in first or ("",)], situation)


def _are_said(kind: str, words: list[str]) -> bool:
    return any(word.lower() in phrases.words(kind) for word in words)


def _modules(source: Source) -> Iterator[str]:
    """The modules that a file imports, or imports names from."""
    for node in source.statements:
        if isinstance(node, ImportNode):
            module = getattr(node, "module", None)
            yield from [module] if module else (alias.name for alias in node.names)


def _rows(source: Source) -> Iterator[list[str]]:
    """The names by which each import of several may be called: its module, or the modules."""
    for node in source.statements:
        if isinstance(node, ImportNode) and len(node.names) > 1:
            module = getattr(node, "module", None)
            yield [module] if module else [alias.name for alias in node.names]
