"""Skeletons of what applications are made of: classes, files, the console, the web, tests.

Comes in: nothing. Goes out: a table of templates (`string.Template`). Must not know: anything.
"""

PARTS = r"""
class $C:
    def __init__(self, $f, $g):
        self.$f = $f
        self.$g = $g
---
class $C:
    def __init__(self, $f: str, $g: int):
        self.$f = $f
        self.$g = $g
---
from dataclasses import dataclass
class $C:
    def __init__(self, $f: str, $g: int = $d):
        self.$f = $f
        self.$g = $g

    def describe(self):
        return self.$f + " " + str(self.$g)
---
class $C:
    def __init__(self, $f: int, $g: float, $m: str):
        self.$f = $f
        self.$g = $g
        self.$m = $m

    def ${v}_$f(self):
        return self.$f * self.$g
---
class $C:
    def __init__(self):
        self.$s = []

    def add(self, $n):
        self.$s.append($n)

    def remove(self, $n):
        self.$s.remove($n)

    def count(self):
        return len(self.$s)
---
class $C:
    def __init__(self, $f, $s=None):
        self.$f = $f
        self.$s = $s or {}

    def get(self, key):
        if key in self.$s:
            return self.$s[key]
        return None

    def set(self, key, value):
        self.$s[key] = value
---
class $C:
    $K = $d

    def __init__(self, $f):
        self.$f = $f
        self.$g = 0

    def ${v}(self, amount):
        if amount > self.$K:
            raise ValueError("$t")
        self.$g = self.$g + amount
        return self.$g
---
import os
def ${n}_path(folder, name):
    return os.path.join(folder, name)
---
import os
def load_$s(path):
    if not os.path.exists(path):
        return []
    f = open(path)
    lines = f.readlines()
    f.close()
    return lines
---
import os
def ${n}_name(path):
    base = os.path.basename(path)
    return base.lower()
---
import os
def save_$n(folder, $n):
    target = os.path.join(folder, "$n.txt")
    f = open(target, "w")
    f.write(str($n))
    f.close()
---
import json
def load_$n(path):
    with open(path) as f:
        $n = json.load(f)
    return $n
---
import json
def save_$s(path, $s):
    with open(path, "w") as f:
        json.dump($s, f)
---
import csv
def read_$s(path):
    $s = []
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            $s.append(row)
    return $s
---
import random
def random_$n($s):
    # pick one of them
    return random.choice($s)
---
import time
def ${v}_$n($n, retries=$d):
    for attempt in range(retries):
        if $n.$f():
            return True
        time.sleep($d)
    return False
---
import datetime
def ${n}_age($n):
    today = datetime.date.today()
    return today.year - $n.year
---
def ask_$n():
    while True:
        answer = input("$n? ")
        if answer == "q":
            break
        print("$t", answer)
---
def ${v}_menu():
    print("1. $v $n")
    print("2. $f")
    choice = input("> ")
    if choice == "1":
        ${v}_$n()
    elif choice == "2":
        print("$t")
    else:
        print("$u")
---
import sqlite3
def ${v}_$s(path):
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT $f, $g FROM $s").fetchall()
    connection.close()
    return rows
---
import sys
def main():
    if len(sys.argv) < 2:
        print("usage: $n FILE")
        sys.exit(1)
    $s = load_$s(sys.argv[1])
    print(len($s))
---
import argparse
def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("$n")
    parser.add_argument("--$f", type=int, default=$d)
    return parser.parse_args()
---
import requests
def fetch_$n(${n}_id):
    response = requests.get("https://example.com/$s/" + str(${n}_id))
    return response.json()
---
@app.route("/$s")
def list_$s():
    $s = $C.query.all()
    return jsonify([$n.to_dict() for $n in $s])
---
@app.get("/$s/{${n}_id}")
def get_$n(${n}_id: int):
    $n = db.get(${n}_id)
    if $n is None:
        raise HTTPException(404)
    return $n
---
def test_${v}_$n():
    $n = $C("$u", $d)
    assert $n.$f == "$u"
---
class ${C}Error(Exception):
    pass
"""
