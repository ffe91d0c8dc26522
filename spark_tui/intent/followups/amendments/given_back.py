"""Amendments that leave the edit as it was, or give a part of it back."""

from __future__ import annotations

import re
from collections.abc import Mapping

from spark_tui.codemods.plan import Plan
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.context.written_lines import changes_between, changes_of_edit
from spark_tui.intent.planning.executing import plan_of


def is_idle(one: Candidate, situation: Situation) -> bool:
    """Whether a candidate makes the edit once more as it was."""
    texts = _texts_before(one, situation)
    return texts is not None and all(situation.behind.index.text(path) == texts[path] for path in texts)


def _texts_before(one: Candidate, situation: Situation) -> Mapping[str, str | None] | None:
    """What a candidate for the repository before the edit makes of files."""
    repo = situation.before
    plan = plan_of(one.calls, repo) if one.calls and one.from_before and repo is not None else None
    return plan.texts(repo) if isinstance(plan, Plan) and repo is not None else None


def gives_back(one: Candidate, situation: Situation) -> bool:
    """Whether a candidate changes fewer places than the edit: no other value is a reason for that."""
    texts, repo = _texts_before(one, situation), situation.before
    if texts is None or repo is None:
        return False
    made, written = changes_between(repo, texts), changes_of_edit(situation)
    imports = re.compile(r"(?:\s*(?:import|from)\s.*)?\Z")  # these come with a plan only once it is taken
    kept = [one for one in written if not all(map(imports.match, (*one.old, *one.new)))]
    return len(made) < len(kept)
