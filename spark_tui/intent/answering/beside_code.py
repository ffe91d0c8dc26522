"""An edit of a configuration file beside one of the open module: *description "Keep the stock"* may mean the
project or an argument."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.executing import Executed


def is_beside_code(ranked: Sequence[tuple[float, Executed]], situation: Situation) -> bool:
    """Whether the likeliest edit is of no module and of no file that is named, and a next one of the open
    module."""
    modules, here = situation.repo.index.modules.paths, situation.path
    paths = ranked[0][1].plan.paths
    if here not in modules or any(path in modules for path in paths):
        return False
    named = any(PurePosixPath(path).stem in situation.instruction for path in paths)
    return not named and any(here in one.plan.paths for _, one in ranked[1:3])
