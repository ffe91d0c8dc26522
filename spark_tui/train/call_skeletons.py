"""Functions with calls whose options are worth changing, the call nested in another one now and then.

Comes in: chance. Goes out: source of one piece, with its imports. Must not know: instructions, tokens, the
model.
"""

from __future__ import annotations

from random import Random

from spark_tui.train.snippets import NOUNS, VERBS

_CALLS = r"""
import json
def save_{n}s(path, {n}s):
    path.write_text(json.dumps({n}s))
---
import json
def save_{n}({n}, path):
    with open(path, "w") as f:
        json.dump({n}, f)
---
import json
def show_{n}({n}):
    print(json.dumps({n}))
---
import json
def {v}_{n}({n}):
    return json.dumps({n})
---
import requests
def fetch_{n}s(url):
    response = requests.get(url)
    response.raise_for_status()
    return response.json()
---
import requests
HEADERS = {{"User-Agent": "{n}"}}
def fetch_{n}(base, {n}_id):
    {n} = requests.get(f"{{base}}/{n}s/{{{n}_id}}").json()
    return {n}["{m}"]
---
import requests
def send_{n}(url, {n}):
    answer = requests.post(url, json={n})
    if answer.status_code != 200:
        print("failed to send", {n})
    return answer.ok
---
from urllib.request import urlopen
def download_{n}(url):
    with urlopen(url) as page:
        return page.read()
---
def read_{n}s(path):
    {n}s = []
    with open(path) as f:
        for line in f:
            {n}s.append(line.strip())
    return {n}s
---
def write_{n}s(path, {n}s):
    with open(path, "w") as out:
        out.write("\n".join({n}s))
---
import csv
def export_{n}s(path, rows):
    with open(path, "w") as out:
        writer = csv.writer(out)
        writer.writerows(rows)
---
def load_{n}(path):
    return path.read_text().split("\n")
---
import subprocess
def run_{n}(command):
    result = subprocess.run(command)
    return result.returncode
---
def top_{n}s({n}s):
    return sorted({n}s, key=lambda {n}: {n}.{m})[:10]
---
def sort_{n}s({n}s):
    {n}s.sort(key=lambda item: item["{m}"])
    for {n} in {n}s:
        print({n}["{m}"])
---
def list_{n}s({n}s):
    for i, {n} in enumerate({n}s):
        print(f"{{i}}. {{{n}.{m}}}")
---
import sys
def {v}_{n}(path):
    print("reading", path)
    try:
        {n} = open(path).read()
    except OSError as error:
        print("cannot read", path, error)
        return None
    print("done")
    return {n}
---
import os
def prepare_{n}(folder):
    os.makedirs(folder)
    return os.path.join(folder, "{n}.txt")
---
def prepare_{n}(folder):
    folder.mkdir()
    return folder / "{n}.txt"
---
from flask import Flask, request
app = Flask(__name__)
@app.route("/{n}s/<int:{n}_id>/{v}")
def {v}_{n}({n}_id):
    return {{"{n}": {n}_id}}
if __name__ == "__main__":
    app.run()
---
from flask import Flask
app = Flask(__name__)
@app.route("/{n}s")
def list_{n}s():
    return []
@app.route("/{n}s/{v}")
def {v}_{n}():
    return {{"ok": True}}
app.run()
---
def best_{n}({n}s):
    return max({n}.{m} for {n} in {n}s)
---
def highest_{m}(values):
    return max(values)
---
import threading
def start_{n}(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread
---
def delete_{n}(path):
    path.unlink()
    print("deleted", path)
---
import argparse
def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("{n}")
    parser.add_argument("--{m}", default=1)
    return parser.parse_args()
---
from dataclasses import dataclass
@dataclass()
class {C}:
    name: str
    {m}: int = 0
"""
_PIECES = tuple(piece.strip("\n") for piece in _CALLS.split("---\n"))


def piece(rng: Random) -> tuple[list[str], str]:
    """Imports and the rest: a definition, and what goes with it at the module's level."""
    noun, other = rng.sample(NOUNS, 2)
    text = rng.choice(_PIECES).format(n=noun, m=other, v=rng.choice(VERBS), C=noun.capitalize())
    lines = text.split("\n")
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    body = "\n".join(line for line in lines if line not in imports)
    for start in ("def ", "@app", "app.run", "if __name__", "@dataclass"):
        body = body.replace(f"\n{start}", f"\n\n\n{start}")
    return imports, body.replace(")\n\n\n\ndef ", ")\ndef ").replace('")\n\n\ndef ', '")\ndef ').strip("\n")
