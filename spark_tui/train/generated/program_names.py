"""Fills the templates of a generated program with names, numbers and texts that are the same in all of its
parts.

Keys are written `$key`. These belong to the program: `$E`, `$e`, `$es` (a class of things, one of them,
several), `$O`, `$o`, `$os` (another class), `$f1` to `$f6` (fields of the first: text, whole number, amount,
state, time, list), `$g1` to `$g3` (fields of the second), `$Q` (what stores them), `$P` (the package). All
other keys belong to one part, and their letters say what is drawn. `{{a||b}}` is one of several alternatives.
A line that begins with `~|` is left out at random; lines that begin with `~x|` are left out together.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random

from spark_tui.train.generated.identifier_randomizer import new_number
from spark_tui.train.generated.snippet_generator import NOUNS, VERBS, _plural
from spark_tui.train.templates.tables import table

_TABLES = table("tables/program_cast")
_IMPORTS = table("tables/program_imports")

STANDARD = frozenset(_IMPORTS["standard"])
"""Modules that are there without installing."""
MODULES: dict[str, str] = {name: f"import {name}" for name in STANDARD} | _IMPORTS["modules"]
"""Import lines by the name that a program uses."""
FROM: dict[str, tuple[str, ...]] = _IMPORTS["from"]
"""Modules that a name can be imported from."""

_NEVER = frozenset([*dir(builtins), *keyword.kwlist, *keyword.softkwlist, *MODULES, *FROM, *_TABLES["taken"]])
_TEXT_FIELDS: tuple[str, ...] = _TABLES["text_fields"]
_COUNT_FIELDS: tuple[str, ...] = _TABLES["count_fields"]
_AMOUNTS: tuple[str, ...] = _TABLES["amounts"]
_STATES: tuple[str, ...] = _TABLES["states"]
_STATE_VALUES: tuple[str, ...] = _TABLES["state_values"]
_TIMES: tuple[str, ...] = _TABLES["times"]
_LISTS: tuple[str, ...] = _TABLES["lists"]
_LOCALS: tuple[str, ...] = _TABLES["locals"]
_ROUND = (2, 3, 5, 8, 10, 12, 20, 30, 50, 60, 100, 200)
_SMALL = ("of", "for", "from", "to", "and", "with", "in", "by")
_LINE = re.compile(r"^~(\w?)\|(.*)$")
_CHOICE = re.compile(r"\{\{((?:(?!\{\{).)*?)\}\}(?!\})", re.DOTALL)
_KEY = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def split(text: str) -> list[str]:
    return [part.strip("\n") for part in text.split("---\n") if part.strip()]


def snake(rng: Random, words: Sequence[str]) -> str:
    """One or two words, mostly of everyday things."""
    pool = words if words and rng.random() < 0.4 else NOUNS
    first = rng.choice(pool)
    return first if rng.random() < 0.6 else f"{first}_{rng.choice(NOUNS)}"


class ProgramNames:
    """The names of one program, and the constants at its top."""

    def __init__(self, rng: Random, words: Sequence[str] = ()) -> None:
        self.rng = rng
        self.words = [word for word in words if word.isalpha()]
        self.constants: dict[str, str] = {}
        self.taken = set(_NEVER)
        self.package = rng.choice(("app", "core", "src", "shop", "lib", "bot", self.word(), self.word()))
        self.models_names = ("models", "entities", "schemas", "types", "domain", self.word())
        self.service_names = ("services", "utils", "helpers", "db", "storage", "mailer", "tools", self.word())
        self.known: dict[str, str] = {}
        for big, one, many in (("E", "e", "es"), ("O", "o", "os")):
            noun = self.fresh(self.word)
            self.known[one], self.known[many] = noun, _plural(noun)
            self.taken |= {noun, _plural(noun)}
            self.known[big] = noun.capitalize() + rng.choice(("", "", "", rng.choice(NOUNS).capitalize()))
            self.taken.add(self.known[big])
        fields = (
            ("f1", _TEXT_FIELDS),
            ("f2", _COUNT_FIELDS),
            ("f3", _AMOUNTS),
            ("f4", _STATES),
            ("f5", _TIMES),
            ("f6", _LISTS),
            ("g1", _TEXT_FIELDS),
            ("g2", _COUNT_FIELDS),
            ("g3", _AMOUNTS),
        )
        chosen: set[str] = set()
        for key, names in fields:
            for _ in range(20):
                name = rng.choice(names) if rng.random() < 0.6 else snake(rng, self.words)
                if name not in chosen and name not in _NEVER:
                    break
            chosen.add(name)
            self.known[key] = name
        self.known["Q"] = self.known["E"] + rng.choice(
            ("Store", "Manager", "Service", "Repo", "Book", "Cache", "Index", "List")
        )
        self.known["P"] = self.package

    def word(self) -> str:
        return self.rng.choice(self.words if self.words and self.rng.random() < 0.35 else NOUNS)

    def fresh(self, draw: Callable[[], str]) -> str:
        """A name that the program does not use."""
        name = ""
        for _ in range(60):
            name = draw()
            if name.isidentifier() and name not in self.taken:
                break
        return name

    def one(self, key: str, options: Sequence[str]) -> str:
        """One of the options, the same at each call."""
        return self.known.setdefault(key, self.rng.choice(options))

    def text(self) -> str:
        """A few words, as messages have."""
        return self._said("messages")

    def sentence(self) -> str:
        """What a docstring says."""
        return self._said("sentences")

    def _said(self, table: str) -> str:
        """One of the templates of a table, with things and deeds of this program."""
        rng, noun, other, verb = self.rng, self.word(), self.word(), self.rng.choice(VERBS)
        return str(rng.choice(_TABLES[table])).format(
            noun=noun,
            nouns=_plural(noun),
            Noun=noun.capitalize(),
            Nouns=_plural(noun).capitalize(),
            other=other,
            others=_plural(other),
            third=self.word(),
            verb=verb,
            Verb=verb.capitalize(),
            verb2=rng.choice(VERBS),
            small=rng.choice(_SMALL),
            state=rng.choice(_STATE_VALUES),
        )

    def draw(self, key: str, part: dict[str, str], words: frozenset[str]) -> str:
        """The value of a key: the program's, the part's, or a new one that does not occur in the part."""
        if key in self.known:
            return self.known[key]
        if key not in part:
            part[key] = self._new(key.rstrip("0123456789"), {*part.values(), *words})
        return part[key]

    def _new(self, kind: str, inside: set[str]) -> str:
        rng = self.rng
        if len(kind) == 2 and kind[0] == "K":
            return self._constant(kind)
        if len(kind) == 2 and kind[0] == "l":
            return self._beside(self._local, inside)
        if kind in self._values:
            return self._values[kind]()
        match kind:
            case "v":
                return self._beside(lambda: rng.choice(VERBS), inside)
            case "n":
                return self._beside(self.word, inside)
            case "F":
                made = self.fresh(lambda: f"{rng.choice(VERBS)}_{self._tail()}")
            case "C":
                made = self.fresh(
                    lambda: "".join(self.word().capitalize() for _ in range(rng.choice((1, 2, 2))))
                )
            case _:
                raise KeyError(kind)
        self.taken.add(made)
        return made

    @cached_property
    def _values(self) -> dict[str, Callable[[], str]]:
        """Kinds of texts and numbers, which may stand in a program more than once."""
        rng = self.rng
        return {
            "d": lambda: new_number("7", rng) if rng.random() < 0.6 else str(rng.choice(_ROUND)),
            "i": lambda: str(rng.randint(1, 9)),
            "r": lambda: rng.choice((new_number("0.5", rng), "0.1", "0.5", "1.5", "2.0", "0.25")),
            "t": self.text,
            "T": lambda: self.text().capitalize(),
            "S": self.sentence,
            "w": self.word,
            "s": lambda: rng.choice(_STATE_VALUES),
            "W": lambda: self.word().capitalize(),
            "m": lambda: self.fresh(lambda: _plural(self.word())),
        }

    def _beside(self, draw: Callable[[], str], inside: set[str]) -> str:
        """A name that the part does not have."""
        return next(name for name in iter(lambda: self.fresh(draw), None) if name not in inside)

    def _tail(self) -> str:
        known, rng = self.known, self.rng
        roll = rng.random()
        if roll < 0.4:
            return rng.choice((known["e"], known["es"], known["o"], known["os"]))
        return snake(rng, self.words) if roll < 0.8 else _plural(self.word())

    def _local(self) -> str:
        rng = self.rng
        roll = rng.random()
        if roll < 0.2:
            return rng.choice(_LOCALS)
        return snake(rng, self.words) if roll < 0.85 else _plural(self.word())

    def _constant(self, kind: str) -> str:
        """The name of a constant of this type; often one that already exists."""
        rng = self.rng
        same = [name for name in self.constants if self.known.get(f"type {name}") == kind]
        if same and rng.random() < 0.5:
            return rng.choice(same)
        heads = {
            "KI": ("MAX", "MIN", "LIMIT", "DEFAULT"),
            "KF": ("RATE", "DELAY", "FACTOR"),
            "KS": ("DEFAULT", "NAME"),
            "KP": ("DATA", "LOG", "CONFIG"),
        }.get(kind, ("ALL",))
        plain = rng.random() < 0.5
        name = self.fresh(
            lambda: (
                f"{self.word()}_{self.word()}".upper()
                if plain
                else rng.choice(
                    (f"{rng.choice(heads)}_{self.word()}", f"{self.word()}_{rng.choice(heads)}", self.word())
                ).upper()
            )
        )
        word = self.word
        values = [f'"{word()}"' for _ in range(rng.randint(2, 5))]
        match kind:
            case "KI":
                value = new_number("7", rng)
            case "KF":
                value = new_number("0.5", rng)
            case "KS":
                value = rng.choice(
                    (
                        f'"{word()}"',
                        f'"{self.text()}"',
                        f'os.environ.get("{name}", "{word()}")',
                        f'"https://api.{word()}.example/v{rng.randint(1, 3)}"',
                    )
                )
            case "KP":
                value = rng.choice(
                    (
                        f'"{word()}.{rng.choice(("json", "csv", "txt", "db", "log"))}"',
                        f'"data/{word()}.json"',
                        f'Path("{word()}") / "{word()}.csv"',
                        f'Path(__file__).parent / "{word()}"',
                    )
                )
            case "KL":
                brackets = rng.choice(("()", "[]", "{}"))
                inner = ",\n    ".join(values)
                value = (
                    f"{brackets[0]}\n    {inner},\n{brackets[1]}"
                    if rng.random() < 0.25
                    else f"{brackets[0]}{', '.join(values)}{brackets[1]}"
                )
            case "KD":
                like = rng.choice(("7", "", "0.5"))
                pairs = [
                    f"{key}: {new_number(like, rng)}" if like else f'{key}: "{word()}"'
                    for key in dict.fromkeys(values)
                ]
                inner = ",\n    ".join(pairs)
                value = f"{{\n    {inner},\n}}" if rng.random() < 0.65 else f"{{{', '.join(pairs)}}}"
            case _:
                raise KeyError(kind)
        self.taken.add(name)
        self.known[f"type {name}"] = kind
        self.constants[name] = f"{name} = {value}"
        return name


def fill(template: str, cast: ProgramNames) -> str:
    """Makes the choices of a template and fills its keys."""
    rng = cast.rng
    kept: dict[str, bool] = {}
    lines: list[str] = []
    opened, last = -1, True
    for line in template.split("\n"):
        found = _LINE.match(line)
        if found is None:
            lines.append(line)
            opened = -1
            continue
        rest = found[2]
        depth = len(rest) - len(rest.lstrip())
        if found[1]:
            stands = kept.setdefault(found[1], rng.random() < 0.55)
        elif 0 <= opened < depth:
            stands = last  # the body of a line that stands by chance
        else:
            stands, opened = rng.random() < 0.55, depth
        last = stands
        if stands:
            lines.append(rest)
    text = "\n".join(lines)
    while _CHOICE.search(text):
        text = _CHOICE.sub(lambda match: rng.choice(match[1].split("||")), text)
    part: dict[str, str] = {}
    words = frozenset(re.findall(r"(?<![$\w])\w+", text))
    return _KEY.sub(lambda match: cast.draw(match[1] or match[2], part, words), text)
