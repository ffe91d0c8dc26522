"""More families of forms that do the same: by hand, or with what the standard library has for it.

Comes in: nothing. Goes out: `LIBRARY`. Must not know: messages, how a form is found and put in.
"""

from __future__ import annotations

from spark_tui.steers.otherwise_families import IF, LOOP, TRY, Kind, kind

LIBRARY: tuple[tuple[Kind, ...], ...] = (
    # Queues, heaps, ordered dicts.
    (
        kind(r"\bheap(?:q|push)?\b", "heapq.heappush(_q, _x)", needs="import heapq"),
        kind(r"\binsort\b|\bbisect\b", "bisect.insort(_q, _x)", needs="import bisect"),
        kind("", "_q.append(_x)\n_q.sort()"),
        kind("", "_q.append(_x)"),
    ),
    *(
        (
            kind(
                r"\bpopleft\b|\bdeque\b(?!.*maxlen)",
                "_q.popleft()",
                f"_q = deque({start})",
                needs="from collections import deque",
            ),
            kind("", "_q.pop(0)", f"_q = {start or '[]'}"),
        )
        for start in ("", "[_s]", "[_s, _t]", "list(_s)")
    ),
    (
        kind(
            r"\bpopitem\b|\bordered ?dict\b",
            "_d.popitem(last=False)",
            "_d = OrderedDict()",
            needs="from collections import OrderedDict",
        ),
        kind("", "_k = next(iter(_d))\ndel _d[_k]", "_d = {}"),
        kind("", "_k = list(_d)[0]\ndel _d[_k]", "_d = {}"),
        kind("", "_d.pop(next(iter(_d)))", "_d = {}"),
        kind("", "del _d[next(iter(_d))]", "_d = {}"),
    ),
    (
        kind(r"\bpop\b", "_d.pop(_k, None)"),
        kind(IF, "if _k in _d:\n    del _d[_k]"),
        kind(TRY, "try:\n    del _d[_k]\nexcept KeyError:\n    pass"),
        kind("", "if _k in _d:\n    _d.pop(_k)"),
    ),
    (
        kind(r"\bdiscard\b", "_s.discard(_x)"),
        kind(IF, "if _x in _s:\n    _s.remove(_x)"),
        kind(TRY, "try:\n    _s.remove(_x)\nexcept KeyError:\n    pass"),
    ),
    (
        kind(r"\bupdate\b", "_d.update(_e)"),
        kind(r"\|=", "_d |= _e"),
        kind(LOOP, "for _k, _v in _e.items():\n    _d[_k] = _v"),
    ),
    (
        kind(r"\bpipe\b|\|(?!\|)|\bunion operator\b", "_a | _b"),
        kind(r"\*\*|\bunpack\w*", "{**_a, **_b}"),
        kind(r"\bdict\(", "dict(_a, **_b)"),
    ),
    # Texts.
    (
        kind(r"\bpartition\b", "key, _, value = _s.partition(_c)", "key", "value"),
        kind("", "_p = _s.split(_c)", "_p[0]", "_p[1]"),
        kind("", "_p = _s.split(_c, 1)", "_p[0]", "_p[1]"),
        kind("", "_p = _s.split(_c)", "_p[0]", "_c.join(_p[1:])"),
    ),
    (
        kind(r"\bcasefold\b", "_s.casefold()"),
        kind(r"\blower\b", "_s.lower()"),
        kind(r"\bupper\b", "_s.upper()"),
    ),
    (
        kind(r"\bisdecimal\b", "_s.isdecimal()"),
        kind(r"\bisdigit\b", "_s.isdigit()"),
        kind(r"\bisnumeric\b", "_s.isnumeric()"),
        kind(r"\bisalnum\b", "_s.isalnum()"),
        kind(r"\bisalpha\b", "_s.isalpha()"),
    ),
    (
        kind(r"\brstrip\b|\bonly (?:the )?(?:right|end|trailing)", "_s.rstrip()"),
        kind(r"\blstrip\b|\bonly (?:the )?(?:left|start|leading)", "_s.lstrip()"),
        kind(r"(?<![lr])strip\b|\bboth (?:ends|sides)\b", "_s.strip()"),
    ),
    (
        kind(r"\bsplitlines\b", "_s.splitlines()"),
        kind(r"\bsplit\b", '_s.split("\\n")'),
    ),
    (
        kind(r"\bstartswith\b", "_s.startswith(_p)"),
        kind(r"\bendswith\b", "_s.endswith(_p)"),
    ),
    (
        kind(r"\bstartswith\b", "_s.startswith(_p)"),
        kind("", "_s[:_n] == _p"),
        kind("", "_s[0] == _p"),
        kind("", "re.match(_p, _s)"),
    ),
    (
        kind(r"\bzfill\b", "str(_x).zfill(_n)"),
        kind(r"\brjust\b", 'str(_x).rjust(_n, "0")'),
        kind(r"\bf[- ]?string\b|\bformat spec\b", 'f"{_x:0{_n}}"'),
    ),
    (
        kind(r"\brepr\b", "repr(_x)"),
        kind(r"\bstr\b", "str(_x)"),
    ),
    # The greatest and the least.
    *(
        (
            kind(rf"\b{way}\b", f"{way}(_s, key=_f)"),
            kind(r"\bsort", f"sorted(_s, key=_f)[{end}]"),
            kind("", f"sorted(_s, key=_f, reverse=True)[{other}]"),
        )
        for way, end, other in (("max", "-1", "0"), ("min", "0", "-1"))
    ),
    *(
        (
            kind(rf"\b{way}\b", f"{way}(_s)"),
            kind(r"\bsort", f"sorted(_s)[{end}]"),
        )
        for way, end in (("max", "-1"), ("min", "0"))
    ),
    *(
        (
            kind(rf"\b{way}\b", f"return {way}(_s, key=lambda _i: _i._a, default=None)"),
            kind(
                LOOP,
                f"b = None\nfor _i in _s:\n    if b is None or _i._a {sign} b._a:\n        b = _i\nreturn b",
            ),
            kind("", f"_b = None\nfor _i in _s:\n    if _b is None or _i._a {sign} _b._a:\n        _b = _i\nreturn _b"),
        )
        for way, sign in (("max", ">"), ("min", "<"))
    ),
    (
        kind(r"\battrgetter\b", 'attrgetter("_a")', needs="from operator import attrgetter"),
        kind(r"\blambda\b", "lambda _i: _i._a"),
    ),
    (
        kind(r"\bitemgetter\b", "itemgetter(_k)", needs="from operator import itemgetter"),
        kind(r"\blambda\b", "lambda _i: _i[_k]"),
    ),
    # Numbers and times.
    (
        kind(r"\bperf_counter\b", "time.perf_counter()"),
        kind(r"\bmonotonic\b", "time.monotonic()"),
        kind(r"\btime\.time\b", "time.time()"),
        kind(r"\bprocess_time\b", "time.process_time()"),
    ),
    (
        kind(
            r"\btimezone\.utc\b|\baware\b|\butc\b", "datetime.now(timezone.utc)", needs="from datetime import timezone"
        ),
        kind("", "datetime.utcnow()"),
        kind("", "datetime.now()"),
    ),
    (
        kind(r"\bmonotonic\b", "time.monotonic()"),
        kind("", "datetime.now()"),
    ),
    (
        kind(r"\bisclose\b", "math.isclose(_a, _b)", needs="import math"),
        kind("", "abs(_a - _b) < _e"),
        kind("", "_a == _b"),
        kind("", "round(_a, _n) == round(_b, _n)"),
    ),
    (
        kind(r"//|\binteger division\b|\bfloor division\b", "_a // _b"),
        kind(r"\bint\(", "int(_a / _b)"),
        kind(r"\bround\b", "round(_a / _b)"),
        kind(r"\bfloor\b", "math.floor(_a / _b)", needs="import math"),
        kind(r"\bceil\b", "math.ceil(_a / _b)", needs="import math"),
    ),
    (
        kind(r"\bfsum\b", "math.fsum(_x)", needs="import math"),
        kind(r"\bsum\b", "sum(_x)"),
    ),
    (
        kind(r"\bmath\.prod\b|\bprod\b", "return math.prod(_s)", needs="import math"),
        kind("", "_n = 1\nfor _i in _s:\n    _n *= _i\nreturn _n"),
        kind("", "return functools.reduce(operator.mul, _s)"),
    ),
    (
        kind(r"\bdefault ?=", "return max(_x, default=_v)"),
        kind("", "return max(_x) if _x else _v"),
        kind("", "if not _x:\n    return _v\nreturn max(_x)"),
    ),
    (
        kind(r"\bdefault ?=", "return min(_x, default=_v)"),
        kind("", "return min(_x) if _x else _v"),
        kind("", "if not _x:\n    return _v\nreturn min(_x)"),
    ),
    (
        kind(r"\bsecrets\b", "secrets.choice(_x)", needs="import secrets"),
        kind(r"\brandom\b", "random.choice(_x)", needs="import random"),
    ),
    (
        kind(r"\bfrozen ?set\b", "_n = frozenset(_x)"),
        kind(r"\bset\b", "_n = set(_x)"),
        kind(r"\btuple\b", "_n = tuple(_x)"),
        kind(r"\blist\b", "_n = list(_x)"),
    ),
    # Loops.
    (
        kind(r"\bpairwise\b", "for _a, _b in pairwise(_s):\n    __c", needs="from itertools import pairwise"),
        kind(r"\bzip\b", "for _a, _b in zip(_s, _s[1:]):\n    __c"),
    ),
    (
        kind(r"\bpairwise\b", "pairwise(_s)", needs="from itertools import pairwise"),
        kind(r"\bzip\b", "zip(_s, _s[1:])"),
    ),
    (
        kind(r"\bchain\b|\bfrom_iterable\b", "list(chain.from_iterable(_s))", needs="from itertools import chain"),
        kind(r"\bcomprehension\b", "[item for part in _s for item in part]"),
        kind("", "[_i for _j in _s for _i in _j]"),
        kind(r"\bsum\b", "sum(_s, [])"),
    ),
    (
        kind(r"\bislice\b", "islice(_s, _n)", needs="from itertools import islice"),
        kind(r"\bslic(?:e|ing)\b", "_s[:_n]"),
        kind("", "list(_s)[:_n]"),
    ),
    (
        kind(r"\bkeys\b", "for _k in _d:\n    __b"),
        kind("", "for _k in _d.keys():\n    __b"),
    ),
    (
        kind(r"\bvalues\b", "for _v in _d.values():\n    __b"),
        kind(r"\bitems\b", "for _k, _v in _d.items():\n    __b"),
    ),
    (
        kind(
            r"\bfor[ /-]*else\b|\belse (?:on|of|for) the (?:for|loop)\b",
            "for _i in _s:\n    if _t:\n        __b\n        break\nelse:\n    __c",
        ),
        kind(
            "",
            "_f = False\nfor _i in _s:\n    if _t:\n        __b\n        _f = True\n        break\nif not _f:\n    __c",
        ),
    ),
    (
        kind(r"\bfor\b.*\brange\b|\bfor loop\b", "for _i in range(_n):\n    __b"),
        kind("", "_i = 0\nwhile _i < _n:\n    __b\n    _i += 1"),
    ),
    (
        kind(r"\bnested if\b|\bnest(?:ed)? (?:it|them)\b", "if _a:\n    if _b:\n        __c"),
        kind(
            r"\bone (?:if|condition)\b|\band\b(?= (?:them|in one))|\bin one if\b|\bsame if\b|\bcombine\b|\bmerge\b",
            "if _a and _b:\n    __c",
        ),
    ),
    # Files, processes, databases.
    (
        kind(r"\bwith con\w*\b|\bwith\b", "with _c:\n    for _i in _s:\n        __b"),
        kind("", "for _i in _s:\n    __b\n_c.commit()"),
    ),
    (
        kind(r"\bwith\b", "with _c:\n    _x"),
        kind("", "_x\n_c.commit()"),
    ),
    (
        kind(r"\bexecutemany\b", "_c.executemany(_q, _s)"),
        kind(LOOP, "for _i in _s:\n    _c.execute(_q, _i)"),
        kind("", "for _i in _s:\n    _c.execute(_q, (__a))"),
    ),
    (
        kind(r"\bos\.replace\b|\breplace\(\)", "os.replace(_a, _b)", needs="import os"),
        kind(r"\bos\.rename\b", "os.rename(_a, _b)", needs="import os"),
        kind(r"\bshutil\.move\b|\bshutil\b", "shutil.move(_a, _b)", needs="import shutil"),
    ),
    (
        kind(r"\bcopy2\b", "shutil.copy2(_a, _b)", needs="import shutil"),
        kind(r"\bcopyfile\b", "shutil.copyfile(_a, _b)", needs="import shutil"),
        kind(r"\bshutil\.copy\b", "shutil.copy(_a, _b)", needs="import shutil"),
    ),
    (
        kind(r"\brglob\b|\brecursive", "_p.rglob(_g)"),
        kind(r"(?<!r)\bglob\b", "_p.glob(_g)"),
        kind(r"\biterdir\b", "_p.iterdir()"),
    ),
    (
        kind(r"\bsubprocess(?:\.run)?\b", "subprocess.run(_c, shell=True, check=True)", needs="import subprocess"),
        kind(r"\bos\.system\b", "os.system(_c)", needs="import os"),
    ),
    (
        kind(r"\bcheck=True\b|\bcheck_call\b", "subprocess.run(_c, check=True)"),
        kind("", "subprocess.call(_c)"),
        kind("", "subprocess.run(_c)"),
    ),
    (
        kind(r"\bgetenv\b", "os.getenv(_k, _v)"),
        kind(r"\benviron\.get\b|\bos\.environ\.get\b", "os.environ.get(_k, _v)"),
    ),
    (
        kind(r"\bwriterows\b", "_w.writerows(_s)"),
        kind(LOOP, "for _i in _s:\n    _w.writerow(_i)"),
    ),
    (
        kind(r"\bwritelines\b", "_w.writelines(_s)"),
        kind(LOOP, "for _i in _s:\n    _w.write(_i)"),
    ),
    (
        kind(r"\bgetenv\b", "os.getenv(_k)"),
        kind(r"\benviron\.get\b|\bos\.environ\.get\b", "os.environ.get(_k)"),
    ),
    (
        kind(r"\benviron\[", "os.environ[_k]"),
        kind(r"\bget\b", "os.environ.get(_k)"),
    ),
    (
        kind(r"\bgetboolean\b", "_s.getboolean(_k)"),
        kind("", "_s[_k].lower() in _t"),
        kind("", "_s[_k] in _t"),
        kind("", '_s[_k] == "true"'),
    ),
    (
        kind(r"\bgetint\b", "_s.getint(_k)"),
        kind("", "int(_s[_k])"),
    ),
    # Classes and errors.
    (
        kind(r"\bisinstance\b", "isinstance(_x, _t)"),
        kind(r"\btype\(", "type(_x) is _t"),
        kind("", "type(_x) == _t"),
        kind(r"\bhasattr\b", "hasattr(_x, _a)"),
    ),
    (
        kind(r"\bparser\.error\b|\bap\.error\b", "parser.error(_m)"),
        kind("", "sys.exit(_m)"),
        kind("", "raise SystemExit(_m)"),
        kind("", "raise ValueError(_m)"),
    ),
    (
        kind(r"\bexception\b.*\blog|\blog\w*\.exception\b|\btraceback\b|\bstack ?trace\b", "_l.exception(__a)"),
        kind("", "_l.error(__a)"),
        kind("", "_l.warning(__a)"),
    ),
    (
        kind(r"\bassertRaisesRegex\b", "with self.assertRaisesRegex(_e, SAID):\n    __b"),
        kind("", "try:\n    __b\nexcept _e:\n    pass\nelse:\n    self.fail(_m)"),
        kind("", "try:\n    __b\nexcept _e:\n    pass"),
        kind("", "with self.assertRaises(_e):\n    __b"),
    ),
    (
        kind(r"\bassertRaises\b(?!Regex)", "with self.assertRaises(_e):\n    __b"),
        kind("", "try:\n    __b\nexcept _e:\n    pass\nelse:\n    self.fail(_m)"),
        kind("", "try:\n    __b\nexcept _e:\n    pass"),
    ),
    (
        kind(r"\bpytest\.raises\b", "with pytest.raises(_e):\n    __b", needs="import pytest"),
        kind("", "try:\n    __b\nexcept _e:\n    pass\nelse:\n    self.fail(_m)"),
        kind("", "with self.assertRaises(_e):\n    __b"),
        kind("", "try:\n    __b\n    assert False\nexcept _e:\n    pass"),
        kind("", "try:\n    __b\nexcept _e:\n    pass\nelse:\n    assert False"),
        kind("", "try:\n    __b\nexcept _e:\n    pass"),
    ),
    (
        kind(
            r"\bdefault_factory\b|\bfield\(",
            "_f: _t = field(default_factory=list)",
            needs="from dataclasses import field",
        ),
        kind("", "_f: _t = None"),
        kind("", "_f: _t = []"),
    ),
    (
        kind(r"\bthreads?\b|\bthread ?pool\b|\bto_thread\b", "await asyncio.to_thread(_f, __a)"),
        kind("", "await asyncio.get_running_loop().run_in_executor(None, _f, __a)"),
        kind("", "_f(__a)"),
    ),
    (
        kind(r"\basyncio\.timeout\b", "async with asyncio.timeout(_n):\n    _x = await _c"),
        kind(r"\bwait_for\b", "_x = await asyncio.wait_for(_c, _n)"),
        kind("", "_x = await asyncio.wait_for(_c, timeout=_n)"),
    ),
    (
        kind(r"\bcreate_task\b", "asyncio.create_task(_c)"),
        kind(r"\bawait\b", "await _c"),
    ),
)
