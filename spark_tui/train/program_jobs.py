"""Parts of workers, schedulers, mailers and games: what runs in a loop.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/jobs")

_WORKERS: str = _TABLES["workers"]
_WORKER_DEFS: str = _TABLES["worker_defs"]
_GAME_CLASSES: str = _TABLES["game_classes"]
_GAME_DEFS: str = _TABLES["game_defs"]
_END: str = _TABLES["end"]
GENRES = {
    "worker": (_WORKERS, _WORKER_DEFS, _END),
    "scheduler": (_WORKERS, _WORKER_DEFS, _END),
    "game": (_GAME_CLASSES, _GAME_DEFS, _END),
}
