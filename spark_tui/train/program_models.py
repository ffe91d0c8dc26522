"""Parts of programs about their own things: data classes, what stores them, functions that use both, and
tests.

Comes in: nothing. Goes out: tables of templates as `program_cast` fills them. Must not know: anything.
"""

from __future__ import annotations

_MODELS = r'''
@dataclass{{||(frozen=True)||(order=True)}}
class $O:
    $g1: str
    $g2: int{{ = $i||}}
    $g3: float = {{0.0||$r}}

~a|    def cost(self):
~a|        return self.$g2 * self.$g3


@dataclass
class $E:
    {{id: int
    ||}}$f1: str
    $f2: int{{ = 0||}}
    $f4: str = "$s"
~|    $f3: float = 0.0
    $f5: {{Optional[datetime.datetime] = None||datetime.datetime | None = None||str = ""}}
    $f6: {{list = field(default_factory=list)||list[$O] = field(default_factory=list)||List[$O] = field(default_factory=list)}}
{{
    @property
    def is_$s(self):
        return self.$f4 == "$s"{{ and self.$f2 > $i||}}
||
    def add(self, $o):
        self.$f6.append($o)
        self.$f2 += $o.$g2
||}}
---
class $E:
    def __init__(self, $f1, $f2=$i, $f4="$s"):
        self.$f1 = $f1
        self.$f2 = $f2
        self.$f4 = $f4
        self.$f6 = []
~|        self.$f5 = {{None||datetime.datetime.now()||time.time()}}
{{
    def __repr__(self):
        return {{f"$E({self.$f1}, {self.$f2})"||"<$E %s>" % self.$f1}}
||
    def add(self, $o):
        if $o.$g2 {{<= 0||> $KI}}:
            raise ValueError({{"$t"||f"$t: {$o.$g2}"}})
        self.$f6.append($o)
||}}
    def total(self):
        return sum($n.$g2 * $n.$g3 for $n in self.$f6)


class $Q:
    def __init__(self, $la=None):
        self.$es = {{{}||[]}}
        self.$la = $la

    def {{find||get}}(self, $f1):
        {{for $e in self.$es:
            if $e.$f1 == $f1:
                return $e
        return None||return next(($n for $n in self.$es if $n.$f1 == $f1), None)}}
{{
    def $v(self, $e, {{force=False||$lb=None}}):
        {{if self.{{find||get}}($e.$f1) is not None:
            raise {{ValueError||KeyError}}("$t")
        ||}}$e.$f4 = "$s1"
        self.$es.append($e)
        return $e
||
    def count(self, $f4="$s"):
        return len([$n for $n in self.$es if $n.$f4 == $f4])
||}}
---
class $C(Enum):
    {{NEW = "new"||LOW = 1}}
    {{$v1_one = 2||DONE = "done"}}
    FAILED = {{"failed"||9}}
---
class $C:
    """$S"""

    $KZ

    def __init__(self, db, $la=$KI):
        self.db = db
        self.$la = $la

    def all(self, $f4=None, limit=$d):
        rows = self.db.execute("SELECT * FROM $es{{ WHERE $f4 = ?||}} LIMIT ?", ($f4, limit)){{.fetchall()||}}
        return [{{$E(*row)||dict(row)||row}} for row in rows]

    def $v(self, $e):
        self.db.execute(
            "UPDATE $es SET $f2 = ?, $f4 = ? WHERE $f1 = ?",
            ($e.$f2, $e.$f4, $e.$f1),
        )
~|        self.db.commit()
'''
_MODELS = _MODELS.replace("    {{$v1_one = 2||DONE", "    {{LATE = 2||DONE").replace("    $KZ\n\n", "")
_USES = r'''
def $F(path=$KP):
    $es = []
    with open(path{{, encoding="utf-8"||}}) as f:
        for line in f:
            {{if not line.strip():
                continue
            ||}}$la, $lb = line.{{strip().split(",")||rstrip().split(";", 1)||split("\t")}}
            $es.append($E($la, {{$f2=int($lb)||int($lb)||$f2=int($lb), $f4="$s"}}))
    return {{$es||sorted($es, key=lambda $e: $e.$f1)}}
---
def $F({{$la="$w"||$la}}):
    $e = $E({{$la||$f1=$la}}, {{$f2=$d||$f2=$d, $f4="$s1"}})
    $o = $O("$w1", {{$g2=$i||$g2=$i, $g3=$r}})
    print({{f"{$e.$f1}: {$o.$g1}"||$e.$f1, $o.$g2||"$t", $e.$f1.upper().replace(" ", "-")}})
    return {{$e||$e, $o||[$e, $o]}}
---
def $F($lb, $f4="$s"):
    $la = $Q()
    for $e in $lb:
        if $e.$f4 {{== $f4||!= $f4}}{{ and $e.$f2 > 0||}}:
            $la.add($E($e.$f1, $f2=$e.$f2 {{+||-||*}} $i, $f4=$f4))
    return $la
---
def $F($es, $f4="$s"):
    """$S"""
    {{return [$e for $e in $es if $e.$f4 == $f4{{ and $e.$f2 > $KI||}}]||$la = []
    for $e in $es:
        if $e.$f4 == $f4:
            $la.append($e)
    return $la}}
---
def $F($e, $o{{, $la=$KI||}}):
    if $e.$f4 {{== "$s"||!= "$s"||in ("$s", "$s1")}}:
        raise ValueError({{"$t"||f"$t: {$e.$f1}"||"$t " + $e.$f1}})
    if $o.$g2 > $e.$f2:
        return {{False||None||0}}
    $e.$f2 -= $o.$g2
    $e.$f6.append($o)
~|    $e.$f5 = datetime.datetime.now()
    return {{True||$e||$e.$f2}}
---
def $F($e):
    total = {{0||0.0}}
    for $o in $e.$f6:
        {{if $o.$g2 {{> $i||== 0}}:
            continue
        ||}}total += $o.$g2 * $o.$g3
    {{if total > $KI:
        total {{= total * $KF||-= $d||*= 0.9}}
    ||}}return {{total||round(total, 2)}}
---
def $F($es):
    $la = {}
    for $e in $es:
        $la{{.setdefault($e.$f4, [])||[$e.$f4] = $la.get($e.$f4, [])}}{{.append($e)||}}
    for $lb in {{$la||sorted($la)||$la.keys()}}:
        print($lb, len($la[$lb]))
    return $la
---
def $F($es, reverse={{False||True}}, key=None):
    $la = sorted($es, key={{key or (lambda $n: $n.$f2)||lambda $n: ($n.$f4, $n.$f1)||lambda $n: $n.$f3}}, reverse=reverse)
    return {{$la[:$i]||[$n.$f1 for $n in $la]||$la[0] if $la else None}}
---
def $F($e, path={{$KP||None}}, **kwargs):
    data = {
        "$f1": $e.$f1,
        "$f2": $e.$f2,
        "$f4": $e.$f4{{.upper()||.lower()||}},
~|        "$f6": [$o.$g1 for $o in $e.$f6],
    }
    data.update(kwargs)
    {{return data||return json.dumps(data{{, indent=2||, sort_keys=True||, ensure_ascii=False, indent=$i}})||with open(path, "w") as f:
        json.dump(data, f)}}
---
def $F(data):
    $e = $E(
        $f1=data["$f1"]{{.strip()||}},
        $f2={{int(data["$f2"])||data.get("$f2", $i)||int(data.get("$f2") or 0)}},
        $f4=data.get("$f4", "$s"),
    )
    for $la in data{{["$f6"]||.get("$f6", [])}}:
        $e.$f6.append($O($la["$g1"], {{$la["$g2"]||$la["$g2"], $la.get("$g3", 0)}}))
    return $e
---
def $F($e, $lb):
    if $lb == "$s":
        $e.$f4 = "$s1"
        {{$e.$f5 = None||print("$t", $e.$f1)}}
    elif $lb == "$s2":
        $e.$f2 {{+= $i||= 0||-= 1}}
    elif $lb {{== "$w"||in $KL}}:
        $e.$f4 = $lb
    else:
        {{raise ValueError("$t")||return None||print(f"$t: {$lb}")}}
    return $e
'''
_TESTS = r"""
@pytest.fixture{{||(scope="module")}}
def $e():
    $la = $E("$w", {{$i||$f2=$d}}{{||, $f4="$s"}})
~|    $la.$f6.append($O("$w1", $i1{{, $r||}}))
    return $la
---
def test_${v}_{{$w||$s||returns_$w||of_empty_$w}}({{$e||}}):
    $la = $E("$w", $f2=$d, $f4="$s")
    $la.$f6 = [$O("$w1", $i{{, $g3=$r||}}), $O("$w2", {{0||$d1}})]
    assert $v($la) {{== $d||> 0||is not None||== "$w"}}
    assert $la.$f4 == "$s"
---
def test_${F}_fails({{monkeypatch||tmp_path||$e}}):
    with pytest.raises({{ValueError||KeyError, match="$w"||TypeError}}):
        $v({{None||-1||"$w", $f2=$d||[]}})
---
@pytest.mark.parametrize("{{value, expected", [("$w", $d), ("$w1", $d1), ("", 0)])
def test_$F(value, expected):||text", ["", "$w", "$W $w1"])
def test_$F(text, expected=$i):}}
    assert $v({{"$w"||$d||expected}}) == expected
---
def test_$F(tmp_path):
    path = tmp_path / "$w.{{json||csv||txt}}"
    path.write_text({{'{"$w1": $d}'||"$w,$d\n"||""}}{{, encoding="utf-8"||}})
    $la = load_$w(path)
    assert len($la) == $i
    assert $la[{{0||-1}}]{{.$f1||["$f1"]}} == "$w1"
---
def test_$F(client):
    response = client.{{post("/$w", json={"$f1": "$w1", "$f2": $d})||get("/$w"{{, headers={"X-Token": $KS}||, params={"$w": $i}||}})}}
    assert response.status_code == {{200||201||404||422}}
    assert response.json(){{["$f1"] == "$w1"||["$f4"] == "$s"||== {"ok": True}}}
---
def make_$e(**kwargs):
    values = {"$f1": "$w", "$f2": $d, "$f4": "$s"}
    values.update(kwargs)
    return $E(**values)
---
def test_$F(monkeypatch):
    $la = []
    monkeypatch.setattr("$P.$w.send", lambda *args, **kwargs: $la.append(args))
    $e = make_$w($f4="$s"{{, $f2=$i||}})
    $v($e{{, notify=True||}})
    assert len($la) == {{1||0||$i}}
"""
_SHOWS = r"""
def show($es, title="$T", width=$d):
    print(title.center(width, "{{=||-||*}}"))
    for number, $e in enumerate($es{{, 1||, start=1||}}):
        print(f"{number:>3}. {$e.$f1:<{width}} {$e.$f2}")
---
def main():
    $la = {{$Q()||[]||load($KP)}}
    while True:
        print("1. $W")
        print("2. $W1 $w")
        print("3. {{quit||exit}}")
        choice = input("{{> ||$w: }}")
        if choice == "1":
            {{show($la)||for $e in $la:
                print($e.$f1, $e.$f4)}}
        elif choice == "2":
            $lb = $E(input("$f1: "), {{int(input("$f2: "))||$f4="$s"}})
            {{$la.append($lb)||$la.add($lb)}}
        elif choice == "3":
            break
~|        else:
~|            print("$T")


if __name__ == "__main__":
    main()
---
if __name__ == "__main__":
    $e = $E("$w", {{$d||$f2=$i}})
    {{$e.$f6.append($O("$w1", $i))
    ||}}print({{$e||$e.$f1, $e.$f2||f"{$e.$f1}: {$e.$f4}"}})
"""
COMMON = r'''
def $F($la, $lb={{None||$KI||$i}}):
    """$S"""
    {{if not $la:
        return {{None||[]||""}}
    ||}}return {{$la[:$lb]||sorted($la)[-1]||[$n.strip() for $n in $la if $n]||{$n: len($n) for $n in $la}}}
---
def $F(func):
    @wraps(func)
    def wrapper(*args, **kwargs):
        start = time.{{time()||perf_counter()}}
        result = func(*args, **kwargs)
        print({{f"{func.__name__} $t {time.time() - start:.2f}"||func.__name__, time.time() - start}})
        return result

    return wrapper
---
def $F($la, $lb, $lc=$r):
    return {{$la * (1 + $lc) - $lb||round($la / $lb * 100, $i)||max($la - $lb, 0) * $lc||$la + $lb if $la > $d else $lb}}
---
@contextmanager
def $F(path, mode="{{w||a||r}}"):
    f = open(path, mode)
    try:
        yield f
    finally:
        f.close()
---
def $F($la):
    value = $KD.get($la{{, "$w"||, $i||}})
    if value is None:
        {{raise KeyError($la)||log.warning("$t %s", $la)||print("$t", $la)}}
    return value
---
def $F($la, $lb):
    {{$lc = open($la).read()||with open($la{{, encoding="utf-8"||}}) as f:
        $lc = f.read()}}
    return $lc.replace("$w", $lb).strip().{{lower()||split("\n")||splitlines()||title()}}
---
def $F(text{{, $la=$KI||}}):
    return "{{-||_|| }}".join(part{{.strip()||.capitalize()||.lower()}} for part in text.lower().split("{{,|| ||;}}") if part)
---
def $F(a, b=$r):
    try:
        return {{a / b||int(a) + b||a[b]}}
    except {{ZeroDivisionError||(TypeError, ValueError)||Exception}}:
        return {{0||None||$KI}}
---
@lru_cache({{maxsize=$d||maxsize=None}})
def $F(n):
    if n < {{2||1}}:
        return {{n||1}}
    return {{n * 2||sum(range(n))||n ** 2 - $i}}
'''
SHARED = r"""
@dataclass{{||(frozen=True)||}}
class $E:
    $f1: str
    $f2: int
    $f4: str = "$s"
~|    $f3: float = {{0.0||$r}}
~|    $f5: {{Optional[datetime.datetime] = None||str = ""||datetime.date | None = None}}
~|    $f6: {{list = field(default_factory=list)||list[str] = field(default_factory=list)||List[str] = field(default_factory=list)}}
---
@dataclass
class $O:
    $g1: str
    $g2: int = $i
~|    $g3: float = {{0.0||$r}}
{{
    def $v(self, $la):
        self.$g2 {{+=||-=}} $la
        {{if self.$g2 < 0:
            raise ValueError("$t")
        ||}}return self.$g2
||
    @classmethod
    def from_dict(cls, data):
        return cls($g1=data["$g1"], $g2=int(data.get("$g2", 0)))
||}}
---
class $E:
    def __init__(self, $f1, $f2=$i):
        self.$f1 = $f1
        self.$f2 = $f2
        self.$f4 = {{"$s"||None}}

    def is_$s(self):
        return self.$f4 {{== "$s"||is None}}
"""
"""Classes for programs of every sort."""
USES = _USES
GENRES = {
    "models": (_MODELS, _USES, _SHOWS),
    "store": (_MODELS, _USES, _SHOWS),
    "tests": ("", _TESTS, ""),
}
