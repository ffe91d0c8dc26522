"""Plans that were shown and may be written, by id."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass

from spark_tui.edits.hunk import Hunk
from spark_tui.errors import UsageError
from spark_tui.workspace.files import Tree

SCHEME = "spark://plans/"
MOST_KEPT = 50


@dataclass
class KeptPlan:
    """Hunks with the reading of the files that they were made for. `breaks` is what they surely break."""

    title: str
    patch: str
    hunks: tuple[Hunk, ...]
    tree: Tree
    id: str = ""
    breaks: tuple[str, ...] = ()

    @property
    def uri(self) -> str:
        return SCHEME + self.id


class KeptPlans:
    """The newest plans. Safe to use from several threads."""

    def __init__(self) -> None:
        self._plans: dict[str, KeptPlan] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def keep(self, plan: KeptPlan) -> KeptPlan:
        """Give the plan an id. The oldest one goes when there are too many."""
        with self._lock:
            plan.id = str(next(self._numbers))
            self._plans[plan.id] = plan
            if len(self._plans) > MOST_KEPT:
                del self._plans[next(iter(self._plans))]
        return plan

    def all(self) -> list[KeptPlan]:
        with self._lock:
            return list(self._plans.values())

    def find(self, name: str) -> KeptPlan:
        """The plan of an id or address. Raises UsageError for one that is not kept."""
        with self._lock:
            found = self._plans.get(name.removeprefix(SCHEME))
        if found is None:
            raise UsageError(f"there is no plan {name!r}", hint="Make it again: old plans are forgotten.")
        return found
