"""Parts of web services and chat bots: routes, handlers, clients.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

from spark_tui.train.tables import table

_TABLES = table("skeletons/web")

_CLASSES: str = _TABLES["classes"]
_FLASK: str = _TABLES["flask"]
_FASTAPI: str = _TABLES["fastapi"]
_BOT: str = _TABLES["bot"]
_DJANGO: str = _TABLES["django"]
GENRES = {
    "flask": (
        _CLASSES,
        _FLASK,
        'if __name__ == "__main__":\n    app.run({{debug=True||host="0.0.0.0", port=$d||port=$d, debug=False}})',
    ),
    "fastapi": (_CLASSES, _FASTAPI, ""),
    "bot": (_CLASSES, _BOT, 'bot.run({{$KS||os.environ["TOKEN"]||os.getenv("BOT_TOKEN")}})'),
    "django": ("", _DJANGO, ""),
}
GIVEN: dict[str, tuple[str, ...]] = _TABLES["given"]
