# ruff: noqa: E501 - templates read better unbroken
"""How people paste errors: the bare message, a traceback, with a diagnosis or without.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT


def _pasted(diagnoses: tuple[str, ...], held: tuple[str, ...]) -> tuple[str, ...]:
    """Each diagnosis alone and with what was pasted."""
    alone = "[" + "|".join(diagnoses) + "]"
    return (
        *diagnoses, f"{{err}} - {alone}", f"{{err}}. {alone}", f"{{err}} -- {alone}", f"{{err}} in {{f}}: {alone}", f"{{trace}}\n\n{alone}", f"{{trace}}\n{alone}", f"getting {{err}} from {{f}}, {alone}", f"{{f}} raises {{err}}, {alone}", f"i get {{err}} in {{f}}. {alone}", f"{{err}}\n\n{alone}", f"{alone}. {{err}}",
        HELD_OUT, *held, f"{{f}} died with {{err}}; {alone}",
    )  # fmt: skip


NUMBER: tuple[str, ...] = _pasted(
    (
        "{x} needs {t}()",
        "{x} should be {t}",
        "convert {x} to {t}",
        "{x} is still a string, make it {t}",
        "{x} is a str{where}, it should be {t}",
        "the value of {x} has to be converted to {t}",
        "put {t}() around what {x} is set to",
        "{x} must be a number ({t})",
        "{x} comes in as text, convert it to {t}",
        "we forgot {t}() for {x}",
        "wrap the value of {x} in {t}()",
        "cast {x} to {t}",
        "{x} is read as text{where}, {t}() is missing",
    ),
    ("{x} is not of type {t}{where}, see to that",),
)
OPTION: tuple[str, ...] = _pasted(
    (
        "{x} needs type={t}",
        "the arg {x} needs type={t}",
        "the {x} option should be {t}",
        "{x} should be parsed as {t}",
        "{x} comes in as a string, it should be {t}",
        "add type={t} to {x}",
        "argparse gives {x} as str, make it {t}",
        "type={t} is missing for {x}",
        "the argument {x} has to be {t}",
        "when I pass {x} it is a string, it should be {t}",
        "parse {x} as {t}",
        "{x} must be a number ({t})",
        "{x} has no type, it should be {t}",
    ),
    ("{x} is text to argparse, {t} would be right",),
)
TEXT: tuple[str, ...] = (
    "{err}", "{err}", "{trace}", "{trace}", "{err}{where}", "{err} in {f}", "getting {err} from {f}", "{f} raises {err}", "fix this: {err}", "fix: {trace}", "why do I get {err} in {f}? fix it",
    *_pasted(
        ("{x} needs str()", "{x} is no string, convert it", "wrap {x} in str()", "put str() around {x}", "{x} must be a str to be joined", "convert {x} to str", "str() is missing around {x}", "we can't add {x} to a string, use str()", "{x} has to become text first", "str({x}){where}", "{x} is not a str{where}"),
        ("{x} can't be joined to a text as it is{where}", "{err} came from {f}"),
    ),
)  # fmt: skip
UNSET: tuple[str, ...] = _pasted(
    (
        "{x} should start as {v}",
        "set {x} to {v} first",
        "start {x} with {v}",
        "{x} needs a first value, {v}",
        "initialise {x} with {v}",
        "initialize {x} to {v} at the start{where}",
        "{line} is missing before it",
        "{x} is never set before it is used{where}, start with {v}",
        "add {line} before that",
        "{x} has no value at first, it should be {v}",
        "give {x} the value {v} at the beginning",
        "{x} was not initialised, {v} would be right",
        "put {line} in front",
        "{x} has to be {v} at first",
    ),
    ("{x} gets no first value, {v} is it",),
)
