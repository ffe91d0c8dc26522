"""Parts of command line programs, reports, configuration, sensors and caches.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/tools")

_CLASSES: str = _TABLES["classes"]
_CLASSES = _CLASSES.replace(
    "~|    def ratio(self):\n~|        return", "~r|    def ratio(self):\n~r|        return"
)
_ARGS: str = _TABLES["args"]
_ENDS_ARGS: str = _TABLES["ends_args"]
_CLICK: str = _TABLES["click"]
_SENSOR: str = _TABLES["sensor"]
_SENSOR = _SENSOR.replace("average(self{{, n=$i||}})", "average(self)").replace("{{[-n:]||}}", "")
_SENSOR_DEFS: str = _TABLES["sensor_defs"]
GENRES = {
    "args": (_CLASSES, _ARGS, _ENDS_ARGS),
    "report": (_CLASSES, _ARGS, _ENDS_ARGS),
    "click": (_CLASSES, _CLICK + "---\n" + _ARGS, 'if __name__ == "__main__":\n    cli()'),
    "sensor": (_SENSOR + "---\n" + _CLASSES, _SENSOR_DEFS, _ENDS_ARGS),
}
GIVEN: dict[str, tuple[str, ...]] = _TABLES["given"]
