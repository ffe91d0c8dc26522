"""Operations in words: usage, fields and an example, for the command line and for docs/refactor.md."""

from __future__ import annotations

import shlex
from enum import Enum
from pathlib import Path
from typing import Any

from spark_tui.codemods import slots
from spark_tui.codemods.registry import Slot, operation_name, operations, slots_of
from spark_tui.tables import table_beside

BEGIN, END = "<!-- operations: begin -->", "<!-- operations: end -->"


def usage(operation: type[Any]) -> str:
    """`rename TARGET NEW`; what may be left out stands in brackets."""
    words = [operation_name(operation)]
    for item in slots_of(operation):
        words.append(item.name.upper() if item.required else f"[{item.name}=…]")
    return " ".join(words)


def example(operation: type[Any]) -> str:
    """A call with every required field."""
    name = operation_name(operation)
    known = {**_examples()["fields"], **_examples()["operations"].get(name, {})}
    fields = [item for item in slots_of(operation) if item.required]
    return " ".join([name, *(shlex.quote(known.get(field.name) or _example_of(field)) for field in fields)])


_examples = table_beside(__file__, "examples.toml")


def _example_of(slot: Slot) -> str:
    if issubclass(slot.type, Enum):
        return str(next(iter(slot.type)).value)
    if issubclass(slot.type, slots.Symbol):
        known = {slots.SymbolKind(kind): text for kind, text in _examples()["kinds"].items()}
        return next((text for kind, text in known.items() if kind in slot.kinds), "checkout.qty")
    text = _examples()["types"].get(slot.type.__name__, "name")
    return f"{text},price" if slot.many else text


def summary(operation: type[Any]) -> str:
    return " ".join((operation.__doc__ or "").split("\n\n")[0].split())


def help_text(operation: type[Any]) -> str:
    """What `spark refactor OP --help` prints."""
    width = max((len(item.name) for item in slots_of(operation)), default=0)
    fields = "\n".join(f"  {item.name:<{width}}  {_field(item)}" for item in slots_of(operation))
    return (
        f"usage: spark refactor {usage(operation)}\n\n{summary(operation)}\n\nfields:\n{fields}\n\n"
        f"example:\n  spark refactor {example(operation)}\n"
    )


def _field(slot: Slot) -> str:
    choices = (
        f" ({' or '.join(str(item.value) for item in slot.type)})" if issubclass(slot.type, Enum) else ""
    )
    many = ", separated by commas" if slot.many else ""
    return f"{slot.help}{many}{choices}"


def listing() -> str:
    """What `spark refactor --list` prints."""
    known = operations()
    width = max(map(len, known))
    return "\n".join(f"{name:<{width}}  {summary(one)}" for name, one in known.items()) + "\n"


def markdown() -> str:
    """The table of operations in docs/refactor.md; `help_text` has the fields of each."""
    rows = (
        "| `{}` | {} |".format(usage(one), summary(one).replace("|", "\\|")) for one in operations().values()
    )
    return "\n".join(["| operation and its fields | what it does |", "|---|---|", *rows])


def with_operations(page: str) -> str:
    """The page with the list between its marks brought up to date."""
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{markdown()}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(prog="python -m spark_tui.codemods.describe", description=__doc__)
    parser.add_argument("file", type=Path, help="page whose list is brought up to date: docs/refactor.md")
    file = parser.parse_args().file
    file.write_text(with_operations(file.read_text("utf-8")), "utf-8")
