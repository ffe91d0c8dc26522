"""Refuses secrets in a settings file that a repository shares."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from spark_tui.errors import Refused

_SECRET_NAME = re.compile(r"(^|[._-])(api[._-]?key|key|token|secret|password)s?$", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"^(sk-|ghp_|gho_|github_pat_|xox[abp]-|AKIA|hf_|csk-|nvapi-)[A-Za-z0-9_-]{8,}")


def refuse_secret(key: str, value: Any, path: Path) -> None:
    """Raise `Refused` if the key names a secret or the value looks like one."""
    named = _SECRET_NAME.search(key) and key != "keys"
    held = (
        value.values()
        if isinstance(value, Mapping)
        else value
        if isinstance(value, (list, tuple))
        else [value]
    )
    if named or any(isinstance(one, str) and _SECRET_VALUE.match(one) for one in held):
        raise Refused(
            f"`{key}` looks like a secret, and this file is shared with everyone who has the repository",
            where=str(path),
            hint="Remove it from this file and set it in the environment. If it was committed, revoke it.",
        )
