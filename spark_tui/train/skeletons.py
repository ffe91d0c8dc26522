"""Skeletons of everyday functions: loops, branches, values, checks.

Comes in: nothing. Goes out: a table of templates (`string.Template`). Must not know: anything.
"""

FUNCTIONS = r"""
def ${v}_${n}($s, $f):
    for $n in $s:
        if $n.$f == $f:
            return $n
    return None
---
def ${v}_$s($s):
    total = 0
    for $n in $s:
        total += $n["$f"] * $n["$g"]
    return total
---
def has_$f($s):
    for $n in $s:
        if $n.$f > $d:
            return True
    return False
---
def all_$g($s):
    for $n in $s:
        if not $n.$g:
            return False
    return True
---
def any_$f($s, limit):
    for $n in $s:
        if $n["$f"] >= limit:
            return True
    return False
---
def print_$s($s):
    index = 0
    for $n in $s:
        print(index, $n)
        index += 1
---
def number_$s($s):
    lines = []
    count = $d
    for $n in $s:
        lines.append(str(count) + ": " + $n.$f)
        count += 1
    return lines
---
def show_$s($s):
    for i in range(len($s)):
        print(i, $s[i])
---
def ${v}_${s}_by_$f($s):
    result = []
    for i in range(len($s)):
        $n = $s[i]
        if $n.$f:
            result.append((i, $n))
    return result
---
def ${v}_$n($n):
    if $n is not None:
        $m = $n.strip()
        print($m)
---
def ${v}_$n($n, $f):
    if $n:
        $n.$f = $f
        $n.save()
        print("$t")
---
def ${v}_$s($s):
    if $s:
        $m = $s[0]
        $m.$f = $d
        print($m)
---
def ${v}_$n($n):
    if $n.$f:
        if $n.$g > $d:
            return $n.$m
    return None
---
def ${v}_$n($f, $g):
    if $f > $d:
        if $g:
            print("$t")
---
def ${v}_$s($s, $f):
    for $n in $s:
        if $n.$f == $f:
            if $n.$g:
                print($n)
---
def ${v}_$n($n):
    if $n > $d:
        label = "$t"
    else:
        label = "$u"
    return label
---
def ${v}_$n($n):
    if $n.$f:
        return $n.$f
    else:
        return $d
---
def ${v}_$n($n, $f=False):
    if $f:
        $g = $d
    else:
        $g = 0
    return $n * $g
---
def ${v}_$n($n):
    if not $n:
        print("$t")
        return False
    else:
        $n.$f = True
        return True
---
def is_$f($n):
    if $n.$f == "$u":
        return True
    else:
        return False
---
def ${v}_$n($n):
    $m = $n.$f * $d
    return $m
---
def ${v}_$n($s):
    first = $s[0]
    $m = first.$f
    return $m + $d
---
def ${v}_$n($f, $g):
    $m = $f + $g
    result = $m * $d
    print(result)
    return result
---
def ${v}_$n(${n}_id, $s):
    $n = $s.get(${n}_id)
    message = "$t: " + str(${n}_id)
    if $n is None:
        raise KeyError(message)
    return $n
---
def describe_$n($n):
    return $n.$f + " (" + str($n.$g) + ")"
---
def format_$n($f, $g):
    text = "$f: %s, $g: %d" % ($f, $g)
    return text
---
def greet($f):
    print("hello {}, $t".format($f))
---
def report_$s($s):
    for $n in $s:
        print("$n " + $n["$f"] + " $t")
---
$K = ["$u", "$f", "$g"]
def is_known($n):
    return $n in $K
---
$K = {"$f": $d, "$g": 2, "$u": 0}
def ${v}_$n($n):
    return $K.get($n, $d)
---
$K = ("$f", "$g", "$m", "$u")
def check_$n($n):
    if $n not in $K:
        raise ValueError("$t")
    return $n
---
$K = $d
def ${v}_$n($n, $f=$d):
    if $n > $K:
        return $K
    return $n + $f
---
$K = "$t"
DEBUG = False
def ${v}_$n($n):
    if DEBUG:
        print("$n", $n)
    return $K + $n
---
def ${v}_$s($s):
    result = []
    for $n in $s:
        if $n.$f > $d:
            result.append($n)
    return result
---
def ${f}_of($s):
    result = []
    for $n in $s:
        result.append($n.$f)
    return result
---
def ${v}_$s($s):
    groups = {}
    for $n in $s:
        key = $n["$f"]
        if key not in groups:
            groups[key] = []
        groups[key].append($n)
    return groups
---
def count_$s($s):
    counts = {}
    for $n in $s:
        counts[$n] = counts.get($n, 0) + 1
    return counts
---
def ${v}_$n($f, $g):
    try:
        return $f / $g
    except:
        return $d
---
def parse_$n(text):
    try:
        $n = int(text)
    except ValueError:
        print("$t")
        return None
    return $n
---
def ${v}_$n(${n}_id):
    try:
        return ${s}[${n}_id]
    except KeyError:
        print("$t")
---
def ${v}_$s($s, limit=$d):
    $s = sorted($s, key=lambda $n: $n.$f)
    return $s[:limit]
---
def best_$n($s):
    best = None
    for $n in $s:
        if best is None or $n.$f > best.$f:
            best = $n
    return best
---
def average_$f($s):
    if len($s) == 0:
        return 0
    total = 0
    for $n in $s:
        total = total + $n.$f
    return total / len($s)
---
def ${v}_$n($f, $g, $m=[]):
    $m.append($f)
    if $g:
        $m.append($g)
    return $m
---
def ${v}_$n(self_$n, $f, $g):
    if self_$n["$f"] < $f:
        return "$t"
    self_$n["$f"] -= $f
    self_$n["$g"] += $g
    return self_$n
---
def ${v}_$n(text):
    words = text.split()
    result = ""
    for word in words:
        result += word.capitalize() + " "
    return result
---
def to_$f(celsius):
    # convert the value
    $f = celsius * 9 / 5 + 32
    return round($f, $d)
---
def ${v}_$n(n):
    if n <= 1:
        return 1
    return n * ${v}_$n(n - 1)
---
async def fetch_$s(client, url):
    response = await client.get(url)
    return response.json()
---
def ${v}_$n($n):
    if $n == None:
        return
    if type($n) == str:
        $n = [$n]
    for $m in $n:
        print($m)
"""
