"""Parts of programs about their own things: data classes, what stores them, functions that use both, and
tests.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/models")

_MODELS: str = _TABLES["models"]
_MODELS = _MODELS.replace("    {{$v1_one = 2||DONE", "    {{LATE = 2||DONE").replace("    $KZ\n\n", "")
_USES: str = _TABLES["uses"]
_TESTS: str = _TABLES["tests"]
_SHOWS: str = _TABLES["shows"]
COMMON: str = _TABLES["common"]
SHARED: str = _TABLES["shared"]
"""Classes for programs of every sort."""
USES = _USES
GENRES = {
    "models": (_MODELS, _USES, _SHOWS),
    "store": (_MODELS, _USES, _SHOWS),
    "tests": ("", _TESTS, ""),
}
