"""Generates functions with forms that are rare in library code: nested ifs, guards, counted loops, names
that are used once, formatted texts, paths.

Most of the edits that people ask for are already done in published code. Conditions, values and statements
are therefore drawn independently, so that no two functions are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from keyword import iskeyword
from random import Random

from spark_tui.train.tables import table

_TABLES = table("tables/drills")

Lines = list[str]

_CONDITIONS: tuple[str, ...] = _TABLES["conditions"]
_VALUES: tuple[str, ...] = _TABLES["values"]
_STATEMENTS: tuple[str, ...] = _TABLES["statements"]
_TEMPORARY: tuple[str, ...] = _TABLES["temporary"]
_TEXT: tuple[str, ...] = _TABLES["text"]
_PATHS: tuple[str, ...] = _TABLES["paths"]
_DONE: tuple[str, ...] = _TABLES["done"]
_OPENED: tuple[str, ...] = _TABLES["opened"]
_WITH_FILE: tuple[str, ...] = _TABLES["with_file"]
_DEFAULTS = ("None", "True", "False", "0", "1", '""', "{d}", "{e}", '"{g}"', "1.5")
_HANDLES = ("f", "handle", "file", "fh", "fp", "out", "stream")


class SyntheticFunction:
    """One function being generated: its names and its parts."""

    def __init__(self, rng: Random, nouns: Sequence[str], verbs: Sequence[str]) -> None:
        self.rng = rng
        self.nouns, self.verbs = nouns, [verb for verb in verbs if not iskeyword(verb)]
        taken = rng.sample(list(nouns), 3)
        joined = f"{taken[1]}_{rng.choice(nouns)}"
        self.v = taken[0] if rng.random() < 0.7 else joined
        self.s = (
            taken[1] + "s"
            if rng.random() < 0.6
            else rng.choice((f"all_{taken[1]}s", f"{taken[1]}_list", "items"))
        )
        self.w = (
            taken[2]
            if rng.random() < 0.6
            else f"{taken[2]}_{rng.choice(('id', 'limit', 'path', 'name', 'count'))}"
        )
        self.t = rng.choice(
            ("result", "value", "text", "name", "data", rng.choice(nouns) + "_" + rng.choice(nouns))
        )
        self.h = rng.choice(_HANDLES)

    def say(self, form: str) -> str:
        """A template with random names and numbers; the variables stay the same."""
        rng = self.rng
        field, other = rng.sample(list(self.nouns), 2)
        if rng.random() < 0.25:
            field = f"{field}_{rng.choice(self.nouns)}"
        said = form.replace("{x}", rng.choice(_VALUES)) if "{x}" in form else form
        return said.format(
            v=self.v,
            s=self.s,
            w=self.w,
            t=self.t,
            h=self.h,
            f=field,
            g=other,
            a=rng.choice(self.verbs),
            d=rng.choice(
                (
                    0,
                    1,
                    2,
                    3,
                    4,
                    5,
                    6,
                    8,
                    10,
                    12,
                    15,
                    16,
                    20,
                    24,
                    25,
                    32,
                    40,
                    50,
                    60,
                    64,
                    75,
                    90,
                    100,
                    128,
                    200,
                    365,
                    500,
                )
            ),
            e=rng.randint(2, 99),
        )

    def condition(self) -> str:
        return self.say(self.rng.choice(_CONDITIONS))

    def value(self) -> str:
        return self.say(self.rng.choice(_VALUES))

    def block(self, indent: int, least: int = 1, most: int = 3) -> Lines:
        count = self.rng.randint(least, most)
        return ["    " * indent + self.say(self.rng.choice(_STATEMENTS)) for _ in range(count)]

    def formatted(self) -> str:
        form = self.rng.choice(_TEXT)
        fields = (
            "{" + self.say(self.rng.choice(("{v}.{f}", "{w}", "{v}", "{v}.{f}_name", "{t}"))) + "}"
            for _ in range(3)
        )
        return 'f"' + form.format(*fields) + '"'

    # Bodies: lines that stand one level deep.

    def nested(self) -> Lines:
        return [f"if {self.condition()}:", f"    if {self.condition()}:", *self.block(2)]

    def both(self) -> Lines:
        return [f"if {self.condition()} and {self.condition()}:", *self.block(1)]

    def guard(self) -> Lines:
        gives = self.rng.random() < 0.5
        left = f"return {self.value()}" if gives else "return"
        end = [f"return {self.value()}"] if gives else []
        return [*self.block(0, 0, 2), f"if {self.condition()}:", f"    {left}", *self.block(0, 1, 4), *end]

    def ends_in_if(self) -> Lines:
        if self.rng.random() < 0.5:
            return [*self.block(0, 0, 2), f"if {self.condition()}:", *self.block(1, 2, 4)]
        end = f"return {self.value()}"
        return [f"if {self.condition()}:", *self.block(1, 1, 3), f"    return {self.value()}", end]

    def either(self) -> Lines:
        return [f"if {self.condition()}:", *self.block(1), "else:", *self.block(1), *self.maybe_return()]

    def same_on_both(self) -> Lines:
        head = (
            "return "
            if self.rng.random() < 0.4
            else self.say(self.rng.choice(("{t} = ", "{w} = ", "{v}.{f} = ")))
        )
        return [f"if {self.condition()}:", f"    {head}{self.value()}", "else:", f"    {head}{self.value()}"]

    def conditional(self) -> Lines:
        head = (
            "return "
            if self.rng.random() < 0.4
            else self.say(self.rng.choice(("{t} = ", "{w} = ", "{v}.{f} = ")))
        )
        return [f"{head}{self.value()} if {self.condition()} else {self.value()}"]

    def else_behind_return(self) -> Lines:
        left = self.rng.choice(
            (f"return {self.value()}", f"return {self.value()}", f"raise ValueError({self.formatted()})")
        )
        other = [*self.block(1, 0, 2), f"    return {self.value()}"]
        return [f"if {self.condition()}:", *self.block(1, 0, 1), f"    {left}", "else:", *other]

    def numbered(self) -> Lines:
        index = self.rng.choice(("i", "i", "index", "idx", "n", "number", "pos"))
        uses = self.rng.choice(
            (
                "print({i}, {v})",
                "{s}_by_id[{i}] = {v}.{f}",
                "{a}_{f}({v}, {i})",
                "{v}.{f} = {i}",
                "pairs.append(({i}, {v}))",
                "print({i} + 1, {v}.{f})",
            )
        )
        used = self.say(uses.replace("{i}", index))
        body = [f"    {used}"]
        if self.rng.random() < 0.4:
            body = [f"    if {self.say('{v}.{f} > {d}')}:", f"        {used}"]
        return [f"for {index}, {self.v} in enumerate({self.s}):", *body, *self.maybe_return()]

    def looped(self) -> Lines:
        body = self.rng.choice(([f"    if {self.condition()}:", *self.block(2, 1, 2)], self.block(1, 1, 3)))
        return [f"for {self.v} in {self.s}:", *body, *self.maybe_return()]

    def texts(self) -> Lines:
        ways: tuple[Callable[[], str], ...] = (
            lambda: f"print({self.formatted()})",
            lambda: f"return {self.formatted()}",
            lambda: f"{self.t} = {self.formatted()}",
            lambda: f"raise ValueError({self.formatted()})",
            lambda: self.say("{a}_{f}(") + f"{self.formatted()})",
        )
        made = self.rng.choice(ways)()
        head = self.block(0, 0, 2)
        if made.startswith(("return", "raise")) and self.rng.random() < 0.4:
            return [*head, f"if {self.condition()}:", f"    {made}", *self.block(0, 1, 2)]
        return [*head, made, *([] if made.startswith(("return", "raise")) else self.block(0, 0, 1))]

    def paths(self) -> Lines:
        call = self.say(self.rng.choice(_PATHS))
        if self.rng.random() < 0.3:
            return [*self.block(0, 0, 1), self.say(self.rng.choice(_DONE)), *self.block(0, 0, 1)]
        if call.startswith(("os.path.exists", "os.path.is")):
            return [f"if {self.rng.choice(('', 'not '))}{call}:", *self.block(1, 1, 2), *self.maybe_return()]
        head = self.rng.choice(("return ", f"{self.t} = ", f"{self.v}.{self.rng.choice(self.nouns)} = "))
        return [*self.block(0, 0, 1), head + call, *([] if head == "return " else self.maybe_return())]

    def opened(self) -> Lines:
        body = ["    " + self.say(self.rng.choice(_WITH_FILE)) for _ in range(self.rng.randint(1, 3))]
        if self.rng.random() < 0.3:
            body = [f"    for line in {self.h}:", f"        {self.s}.append(line.strip())"]
        call = self.say(self.rng.choice(_OPENED))
        return [*self.block(0, 0, 2), f"with open({call}) as {self.h}:", *body, *self.maybe_return()]

    def once(self) -> Lines:
        """A name that is assigned and used on the next line."""
        value = self.say(
            self.rng.choice([form for form in _VALUES if "(" in form or "[" in form or "." in form])
        )
        return [*self.block(0, 0, 2), f"{self.t} = {value}", self.say(self.rng.choice(_TEMPORARY))]

    def collections(self) -> Lines:
        count = self.rng.randint(3, 6)
        names = [f'"{name}"' for name in self.rng.sample(list(self.nouns), count)]
        if self.rng.random() < 0.35:
            names = [
                self.rng.choice((self.rng.choice(self.nouns), f"{self.v}.{name[1:-1]}")) for name in names
            ]
        opening, closing = self.rng.choice(("[]", "[]", "()", "{}"))
        if opening == "{" and self.rng.random() < 0.7:
            names = [f'"{key}": {self.value()}' for key in self.rng.sample(list(self.nouns), min(count, 4))]
        head = f"{self.say(self.rng.choice(('{t}', '{s}', '{v}.{f}')))} = {opening}"
        if self.rng.random() < 0.35:
            return [head, *(f"    {name}," for name in names), closing, *self.maybe_return()]
        return [head + ", ".join(names) + closing, *self.maybe_return()]

    def calls(self) -> Lines:
        forms = (
            "{v}.{a}({w}, {f}={d})",
            "{t} = {a}_{f}({v}, {w})",
            "return {a}_{f}({w}, {v})",
            "{a}_{f}({v}, {f}={x}, {g}={d})",
            "{t} = {v}.{a}({x}, {g}=True)",
        )
        return [*self.block(0, 0, 1), self.say(self.rng.choice(forms)), *self.block(0, 0, 2)]

    def plain(self) -> Lines:
        return [*self.block(0, 1, 4), *self.maybe_return()]

    def maybe_return(self) -> Lines:
        return [f"return {self.value()}"] if self.rng.random() < 0.5 else []

    def parameters(self, body: str) -> str:
        used = [name for name in dict.fromkeys((self.v, self.s, self.w)) if name in body]
        self.rng.shuffle(used)
        out = used or [self.v]
        if self.rng.random() < 0.4:
            fresh = [name for name in self.rng.sample(list(self.nouns), 2) if name not in out]
            out += [
                f"{name}={self.say(self.rng.choice(_DEFAULTS))}" for name in fresh[: self.rng.randint(1, 2)]
            ]
        return ", ".join(out)


_BODIES: tuple[tuple[Callable[[SyntheticFunction], Lines], int], ...] = (
    (SyntheticFunction.nested, 4),
    (SyntheticFunction.both, 3),
    (SyntheticFunction.guard, 4),
    (SyntheticFunction.ends_in_if, 4),
    (SyntheticFunction.either, 4),
    (SyntheticFunction.same_on_both, 3),
    (SyntheticFunction.conditional, 2),
    (SyntheticFunction.else_behind_return, 3),
    (SyntheticFunction.numbered, 5),
    (SyntheticFunction.looped, 3),
    (SyntheticFunction.texts, 5),
    (SyntheticFunction.paths, 3),
    (SyntheticFunction.opened, 3),
    (SyntheticFunction.once, 5),
    (SyntheticFunction.collections, 4),
    (SyntheticFunction.calls, 4),
    (SyntheticFunction.plain, 2),
)
CONSTANTS = 0.25
"""Share of functions with one or two constants, for numbers and flags to change."""


def synthetic_function(rng: Random, nouns: Sequence[str], verbs: Sequence[str]) -> tuple[Lines, Lines, str]:
    """Imports, constants and one function."""
    made = SyntheticFunction(rng, nouns, verbs)
    make = rng.choices([body for body, _ in _BODIES], [weight for _, weight in _BODIES])[0]
    body = make(made)
    if rng.random() < 0.25 and not any(line.startswith(("return", "raise")) for line in body):
        body += rng.choice(_BODIES)[0](made)
    text = "\n".join("    " + line for line in body)
    name = f"{rng.choice(verbs)}_{rng.choice(nouns)}{rng.choice(('', '', 's', '_' + rng.choice(nouns)))}"
    imports = [f"import {module}" for module in ("json", "os") if f"{module}." in text]
    constants = []
    if rng.random() < CONSTANTS:
        for word in rng.sample(list(nouns), rng.randint(1, 3)):
            kind = rng.choice(("MAX_{0}", "{0}S", "{0}_LIMIT", "DEFAULT_{0}", "{0}"))
            constants.append(
                f"{kind.format(word.upper())} = "
                f"{made.say(rng.choice(('{d}', '{e}', '{d}', 'True', 'False')))}"
            )
    return imports, constants, f"def {name}({made.parameters(text)}):\n{text}"
