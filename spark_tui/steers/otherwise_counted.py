"""Families of forms that count or group: with ifs, with `get`, with dictionaries that fill themselves.

Comes in: nothing. Goes out: `COUNTED`. Must not know: messages, how a form is found and put in.
"""

from __future__ import annotations

from spark_tui.steers.otherwise_families import IF, TRY, Kind, kind

_COUNTER = r"\bcounter\b(?!.*(?:\bupdate\b|generator|comprehension))"
_STEPS = ("_d[{k}] = _d.get({k}, 0) + 1", "_d[{k}] += 1", "if {k} in _d:\n    _d[{k}] += 1\nelse:\n    _d[{k}] = 1")


def _deep(code: str) -> str:
    return code.replace("\n", "\n    ")


COUNTED: tuple[tuple[Kind, ...], ...] = (
    # Counting all at once.
    *(
        (
            kind(
                r"\bcounter\b.*\bupdate\b", "_d.update(_s)", "_d = Counter()", needs="from collections import Counter"
            ),
            *(kind("", f"for _i in _s:\n    {_deep(one.format(k='_i'))}", start) for one in _STEPS),
        )
        for start in ("_d = {}", "_d = defaultdict(int)")
    ),
    *(
        (
            kind(
                r"\bcounter\b.*(?:\bgenerator|\bcomprehension|\bwhole\b|\bone line|\bdirectly\b)",
                f"return Counter({new})",
                needs="from collections import Counter",
            ),
            *(
                kind("", f"_d = {start}\nfor _i in _s:\n    {before}{_deep(one.format(k=key))}\nreturn _d")
                for one in _STEPS
                for start in ("{}", "defaultdict(int)", "Counter()")
            ),
        )
        for new, before, key in (("_s", "", "_i"), ("_e for _i in _s", "_c = _e\n    ", "_c"))
    ),
    # Counting and grouping.
    (
        kind(IF, "if _k in _d:\n    _d[_k] += 1\nelse:\n    _d[_k] = 1", "_d = {}"),
        kind("", "if _k not in _d:\n    _d[_k] = 0\n_d[_k] += 1", "_d = {}"),
        kind("", "if _k not in _d:\n    _d[_k] = 1\nelse:\n    _d[_k] += 1", "_d = {}"),
        kind(TRY, "try:\n    _d[_k] += 1\nexcept KeyError:\n    _d[_k] = 1", "_d = {}"),
        kind(r"\bget\b", "_d[_k] = _d.get(_k, 0) + 1", "_d = {}"),
        kind(r"\bsetdefault\b", "_d.setdefault(_k, 0)\n_d[_k] += 1", "_d = {}"),
        kind(r"\bdefaultdict\b", "_d[_k] += 1", "_d = defaultdict(int)", needs="from collections import defaultdict"),
        kind(_COUNTER, "_d[_k] += 1", "_d = Counter()", needs="from collections import Counter"),
    ),
    (
        kind(IF, "if _k not in _d:\n    _d[_k] = []\n_d[_k].append(_v)", "_d = {}"),
        kind("", "if _k in _d:\n    _d[_k].append(_v)\nelse:\n    _d[_k] = [_v]", "_d = {}"),
        kind(r"\bsetdefault\b", "_d.setdefault(_k, []).append(_v)", "_d = {}"),
        kind(
            r"\bdefaultdict\b",
            "_d[_k].append(_v)",
            "_d = defaultdict(list)",
            needs="from collections import defaultdict",
        ),
    ),
    (
        kind(IF, "if _k not in _d:\n    _d[_k] = set()\n_d[_k].add(_v)", "_d = {}"),
        kind("", "if _k in _d:\n    _d[_k].add(_v)\nelse:\n    _d[_k] = {_v}", "_d = {}"),
        kind(r"\bsetdefault\b", "_d.setdefault(_k, set()).add(_v)", "_d = {}"),
        kind(
            r"\bdefaultdict\b", "_d[_k].add(_v)", "_d = defaultdict(set)", needs="from collections import defaultdict"
        ),
    ),
)
