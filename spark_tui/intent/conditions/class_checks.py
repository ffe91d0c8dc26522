"""Several classes in one condition: `neither a str nor a Pattern` is one `isinstance`."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CHECK = re.compile(r"(not |)isinstance\(([\w.]+), ([\w.]+)\)")


def check_other_classes(code: str, others: Sequence[str]) -> list[str]:
    """The check of a class for other classes, which `not a str or Pattern` denies too."""
    known = _CHECK.fullmatch(code)
    return [f"{known[1]}isinstance({known[2]}, {other})" for other in others] if known is not None else []


def merge_class_checks(codes: Sequence[str], word: str) -> str:
    """Checks of one thing as one, or nothing where they are something else."""
    found = [known for code in codes if (known := _CHECK.fullmatch(code)) is not None]
    wanted = "not " if word == " and " else ""
    if len(found) < len(codes) or {(known[1], known[2]) for known in found} != {(wanted, found[0][2])}:
        return ""
    classes = ", ".join(dict.fromkeys(known[3] for known in found))
    return f"{wanted}isinstance({found[0][2]}, ({classes}))"
