"""Families of forms that do the same, each with the words by which people ask for it.

Comes in: nothing. Goes out: `FAMILIES`. Must not know: messages, how a form is found and put in.

The first form of a member stands where the answer is, the others elsewhere in the same function or class. A member
without words is only read.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    words: str
    forms: tuple[str, ...]
    imports: tuple[str, ...] = ()


def kind(words: str, *forms: str, needs: str = "") -> Kind:
    return Kind(words, forms, tuple(filter(None, needs.split("; "))))


IF = r"\b(?:plain|normal|simple|regular|ordinary|explicit|old|just an?|if) ?(?:if|if ?[/-] ?else|else)\b(?! not)|\bif ?[/-] ?else\b"
_TERNARY = r"\bternary\b|\bconditional expression\b|\binline if\b|\bone[- ]?liner\b"
TRY = r"\btry\b(?!/finally)|\beafp\b|\bcatch\b|\bexcept\b"
LOOP = r"\b(?:plain|normal|simple|regular|ordinary|explicit|for|old)[- ](?:for[- ])?loop\b|^(?:use |with |make it |just )*(?:an? |the )?loop\b"
_COMP = r"\bcomprehension\b|\blist ?comp\b|\bone[- ]?liner\b"
_FOUND = (
    kind(r"\bnext\b", "return next((_i for _i in _s if _t), None)"),
    kind(LOOP, "for _i in _s:\n    if _t:\n        return _i\nreturn None"),
    kind("", "_n = None\nfor _i in _s:\n    if _t:\n        _n = _i\n        break\nreturn _n"),
    kind("", "for _i in _s:\n    if _t:\n        _n = _i\n        break\nelse:\n    _n = None\nreturn _n"),
    kind("", "_n = [_i for _i in _s if _t]\nreturn _n[0] if _n else None"),
    kind("", "_n = [_i for _i in _s if _t]\nif not _n:\n    return None\nreturn _n[0]"),
    kind("", "_n = [_i for _i in _s if _t]\nif _n:\n    return _n[0]\nreturn None"),
)
_FOUND_SET = (
    kind(r"\bnext\b", "_n = next((_i for _i in _s if _t), None)"),
    kind(LOOP, "_n = None\nfor _i in _s:\n    if _t:\n        _n = _i\n        break"),
)
_COUNTER = r"\bcounter\b(?!.*(?:\bupdate\b|generator|comprehension))"

FAMILIES: tuple[tuple[Kind, ...], ...] = (
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
    # A value or another.
    *(
        (
            kind(IF, f"if _k in _d:\n    {put}_d[_k]\nelse:\n    {put}_v"),
            kind("", f"if _k not in _d:\n    {put}_v\nelse:\n    {put}_d[_k]"),
            kind(_TERNARY, f"{put}_d[_k] if _k in _d else _v"),
            kind(TRY, f"try:\n    {put}_d[_k]\nexcept KeyError:\n    {put}_v"),
            kind(r"\bget\b", f"{put}_d.get(_k, _v)"),
        )
        for put in ("_x = ", "return ")
    ),
    (
        kind("", "if _k in _d:\n    return _d[_k]\nreturn _v"),
        kind("", "if _k not in _d:\n    return _v\nreturn _d[_k]"),
        kind(TRY, "try:\n    return _d[_k]\nexcept KeyError:\n    return _v"),
        kind(r"\bget\b", "return _d.get(_k, _v)"),
        kind("", "_x = _d.get(_k)\nreturn _v if _x is None else _x"),
    ),
    (
        kind(IF, "if not _x:\n    _x = _v"),
        kind(r"\bor\b (?!better|rather|so|just|more|less|maybe)|`or`|\bor\b$", "_x = _x or _v"),
        kind(_TERNARY, "_x = _x if _x else _v"),
    ),
    (
        kind(r"\bis none\b|\bnone check\b|\bcheck (?:for|against) none\b", "if _x is None:\n    _x = _v"),
        kind(_TERNARY, "_x = _v if _x is None else _x"),
        kind("", "_x = _x if _x is not None else _v"),
        kind(r"\bor\b (?!better|rather|so|just|more|less|maybe)|`or`|\bor\b$", "_x = _x or _v"),
    ),
    *(
        (
            kind(IF + r"|\bon (?:\w+ )?lines\b|\bspell", f"if _t:\n    {put}_a\nelse:\n    {put}_b"),
            kind(_TERNARY, f"{put}_a if _t else _b"),
        )
        for put in ("_x = ", "return ", "yield ")
    ),
    (
        kind(IF + r"|\bearly return\b|\bguard\b", "if _t:\n    return _a\nreturn _b"),
        kind(_TERNARY, "return _a if _t else _b"),
    ),
    (
        kind("", "if _t:\n    continue\n__b"),
        kind(r"\bno continue\b|\bnested if\b", "if NOT(_t):\n    __b"),
    ),
    # Loops.
    (
        kind(LOOP, "_r = []\nfor _i in _s:\n    if _t:\n        _r.append(_e)"),
        kind(_COMP, "_r = [_e for _i in _s if _t]"),
    ),
    (
        kind(LOOP, "_r = []\nfor _i in _s:\n    _r.append(_e)"),
        kind(_COMP, "_r = [_e for _i in _s]"),
    ),
    (
        kind(LOOP, "result = []\nfor _i in _s:\n    if _t:\n        result.append(_e)\nreturn result"),
        kind("", "_r = []\nfor _i in _s:\n    if _t:\n        _r.append(_e)\nreturn _r"),
        kind(_COMP, "return [_e for _i in _s if _t]"),
        kind(r"\bgenerator\b|\byield\b", "for _i in _s:\n    if _t:\n        yield _e"),
    ),
    (
        kind(LOOP, "result = []\nfor _i in _s:\n    result.append(_e)\nreturn result"),
        kind("", "_r = []\nfor _i in _s:\n    _r.append(_e)\nreturn _r"),
        kind(_COMP, "return [_e for _i in _s]"),
        kind(r"\bgenerator\b|\byield\b", "for _i in _s:\n    yield _e"),
    ),
    (
        kind(LOOP, "result = {}\nfor _i in _s:\n    result[_k] = _v\nreturn result"),
        kind("", "_r = {}\nfor _i in _s:\n    _r[_k] = _v\nreturn _r"),
        kind(_COMP, "return {_k: _v for _i in _s}"),
    ),
    (
        kind(LOOP, "total = 0\nfor _i in _s:\n    if _t:\n        total += _e\nreturn total"),
        kind("", "_n = 0\nfor _i in _s:\n    if _t:\n        _n += _e\nreturn _n"),
        kind("", "_n = 0\nfor _i in _s:\n    if NOT(_t):\n        continue\n    _n += _e\nreturn _n"),
        kind(r"\bsum\b", "return sum(_e for _i in _s if _t)"),
    ),
    (
        kind(LOOP, "total = 0\nfor _i in _s:\n    total += _e\nreturn total"),
        kind("", "_n = 0\nfor _i in _s:\n    _n += _e\nreturn _n"),
        kind(r"\bsum\b", "return sum(_e for _i in _s)"),
    ),
    (
        kind(LOOP, "for _i in _s:\n    if _t:\n        return True\nreturn False"),
        kind("", "_n = False\nfor _i in _s:\n    if _t:\n        _n = True\n        break\nreturn _n"),
        kind("", "_n = False\nfor _i in _s:\n    if _t:\n        _n = True\nreturn _n"),
        kind(r"\bany\b(?! (?:more|other|of|way))", "return any(_t for _i in _s)"),
    ),
    (
        kind(LOOP, "for _i in _s:\n    if NOT(_t):\n        return False\nreturn True"),
        kind(r"\ball\(|\buse all\b|`all`|\ball over\b", "return all(_t for _i in _s)"),
    ),
    _FOUND,
    _FOUND_SET,
    (
        kind(r"\benumerate\b", "for _i, _x in enumerate(_s):\n    __b"),
        kind("", "for _i in range(len(_s)):\n    _x = _s[_i]\n    __b"),
    ),
    (
        kind(r"\bextend\b", "_r.extend(_e for _i in _s)"),
        kind(LOOP, "for _i in _s:\n    _r.append(_e)"),
        kind(r"\+=", "_r += [_e for _i in _s]"),
    ),
    # What is held, and let go.
    (
        kind(r"\bwith\b|\bcontext ?manager\b", "with open(__a) as _f:\n    __b"),
        kind(r"\btry ?/ ?finally\b|\bfinally\b", "_f = open(__a)\ntry:\n    __b\nfinally:\n    _f.close()"),
        kind("", "_f = open(__a)\n__b\n_f.close()"),
    ),
    (
        kind(r"\bsuppress\b", "with contextlib.suppress(_e):\n    __b", needs="import contextlib"),
        kind("", "with suppress(_e):\n    __b"),
        kind(TRY, "try:\n    __b\nexcept _e:\n    pass"),
    ),
    (
        kind(r"\bexist_ok\b|\bmakedirs\b", "os.makedirs(_p, exist_ok=True)"),
        kind("", "if not os.path.exists(_p):\n    os.makedirs(_p)"),
        kind("", "if not os.path.isdir(_p):\n    os.makedirs(_p)"),
        kind("", "if not os.path.exists(_p):\n    os.mkdir(_p)"),
        kind("", "try:\n    os.makedirs(_p)\nexcept FileExistsError:\n    pass"),
        kind(r"\bpathlib\b|\bmkdir\b", "Path(_p).mkdir(parents=True, exist_ok=True)", needs="from pathlib import Path"),
    ),
    (
        kind(r"\bexist_ok\b|\bmkdir\b", "_p.mkdir(parents=True, exist_ok=True)"),
        kind("", "if not _p.exists():\n    _p.mkdir()"),
        kind("", "if not _p.is_dir():\n    _p.mkdir()"),
        kind("", "if not _p.exists():\n    _p.mkdir(parents=True)"),
        kind("", "try:\n    _p.mkdir()\nexcept FileExistsError:\n    pass"),
    ),
    # Numbers.
    (
        kind(r"\bmin\b", "_x = min(_x, _m)"),
        kind(IF, "if _x > _m:\n    _x = _m"),
        kind(_TERNARY, "_x = _m if _x > _m else _x"),
    ),
    (
        kind(r"\bmax\b", "_x = max(_x, _m)"),
        kind(IF, "if _x < _m:\n    _x = _m"),
        kind(_TERNARY, "_x = _m if _x < _m else _x"),
    ),
    *(
        (
            kind(r"\bmax\b", f"{put}max(_m, _x)"),
            kind("", f"if _x < _m:\n    {put}_m\n{rest}"),
            kind(_TERNARY, f"{put}_x if _x > _m else _m"),
        )
        for put, rest in (("return ", "return _x"),)
    ),
    # Orders.
    (
        kind(r"\bsorted\b", "return sorted(_x)"),
        kind(r"\bsort\(\)|\bin place\b|\bin-place\b", "_x.sort()\nreturn _x"),
    ),
    (
        kind(r"\bfromkeys\b|\bdict keys\b|\bkeeps? (?:the )?order\b", "list(dict.fromkeys(_x))"),
        kind(r"(?<!seen )\bset\b", "list(set(_x))"),
        kind(r"\bsorted\b", "sorted(set(_x))"),
    ),
    (
        kind(r"\bfromkeys\b", "return list(dict.fromkeys(_s))"),
        kind(
            r"\bseen\b",
            "seen = set()\nresult = []\nfor item in _s:\n    if item not in seen:\n        seen.add(item)\n        result.append(item)\nreturn result",
        ),
        kind("", "_r = []\nfor _i in _s:\n    if _i not in _r:\n        _r.append(_i)\nreturn _r"),
        kind(r"(?<!seen )\bset\b", "return list(set(_s))"),
    ),
    # Texts.
    (
        kind(r"\bread_text\b", "return Path(_p).read_text()", needs="from pathlib import Path"),
        kind(r"\bopen\b", "with open(_p) as f:\n    return f.read()"),
        kind("", "with open(_p) as _f:\n    return _f.read()"),
    ),
    # What is raised, asserted, exited.
    (
        kind(r"\bassert\b", "assert NOT(_t), _m"),
        kind("", "if _t:\n    raise _e(_m)"),
    ),
)
