"""Texts for the slots of a sentence, drawn from the facts of real code so that what is said fits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random

from spark_tui.train.generated.snippet_generator import NOUNS, VERBS
from spark_tui.train.sentences.code_facts import LONGEST_CODE, FunctionFacts, Scene
from spark_tui.train.sentences.filling_tables import words
from spark_tui.train.templates.tables import table

Text = tuple[str, str]
"""What is said and its kind: `name`, `callable`, `class`, `file`, `value`, `code`, `condition` or `text`."""
_COMPOSED, _PLAIN = 0.12, 0.35
"""How many literals are more than one token (`64 * 1024`), and new names a word of the code around."""
LISTED: Mapping[str, Sequence[str]] = table("sentences/filling")["listed"]
"""Sources that are a list of `filling.toml`, and the kind of what is in it."""


class Filler:
    """Draws texts around one function of a scene, each at most once."""

    def __init__(
        self,
        scene: Scene,
        function: FunctionFacts,
        rng: Random,
        language: str = "en",
        conditions: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.scene, self.function, self.rng, self.language = scene, function, rng, language
        self.conditions = conditions or {}
        self.taken: set[str] = set()
        self.invented = 0

    def draw(self, source: str) -> Text:
        """A text from a source that was not drawn before, if there is another one."""
        method: Callable[[], Text] = getattr(self, f"_{source}", partial(self._listed, source))
        for _ in range(6):
            found = method()
            if found[0] not in self.taken:
                break
        self.taken.add(found[0])
        return found

    def _listed(self, source: str) -> Text:
        key, kind = LISTED[source]
        return self.rng.choice(words(key)), kind

    def _one(self, found: Sequence[str], fallback: Callable[[], str] | Sequence[str]) -> str:
        """One of what stands in the code, or of the fallback, which counts as invented."""
        usable = [text for text in found if text and text not in self.taken]
        if usable:
            return self.rng.choice(usable)
        self.invented += 1
        return fallback() if callable(fallback) else self.rng.choice(fallback)

    # -- names of the code

    def _function(self) -> Text:
        own = self.function
        return (f"{own.owner}.{own.name}" if own.owner else own.name), "callable"

    def _other_function(self) -> Text:
        return self.rng.choice(self.scene.functions).name, "callable"

    def _class_name(self) -> Text:
        own = [self.function.owner] if self.function.owner else [cls.name for cls in self.scene.classes]
        return self._one(own, self._new_class_name), "class"

    def _symbol(self) -> Text:
        kinds = (self._function, self._class_name, self._parameter, self._local, self._attribute)
        return self.rng.choice((*kinds, self._constant))()

    def _definition(self) -> Text:
        return self.rng.choice((self._function, self._function, self._class_name, self._constant))()

    def _definition_or_member(self) -> Text:
        return self.rng.choice((self._function, self._attribute, self._constant, self._class_name))()

    def _parameter(self) -> Text:
        return self._one(self.function.parameters, words("locals")), "name"

    def _parameter_with_default(self) -> Text:
        return self._one(list(self.function.defaults), self.function.parameters or words("locals")), "name"

    def _local(self) -> Text:
        return self._one(self.function.locals, self.function.parameters or words("locals")), "name"

    def _loop_variable(self) -> Text:
        return self._one(self.function.loop_variables + self.function.locals, words("locals")), "name"

    def _attribute(self) -> Text:
        name = self._one(self.function.attributes, words("locals"))
        return (f"self.{name}" if self.rng.random() < 0.25 else name), "name"

    def _constant(self) -> Text:
        return self._one(
            [name for name in self.scene.constants if name.isupper()], self._constant_name
        ), "name"

    def _variable(self) -> Text:
        own = self.function
        pool = own.parameters * 2 + own.locals * 2 + own.attributes
        pool += list(self.scene.constants)[:3]
        return self._one(pool, words("locals")), "name"

    def _constant_or_variable(self) -> Text:
        own = [
            name for name, value in self.function.assigned.items() if value[:1].isdigit() or len(value) < 8
        ]
        pool = [*self.scene.constants, *own, *self.function.defaults]
        return self._one(pool, self._constant_name), "name"

    def _flag(self) -> Text:
        flags = {**self.function.defaults, **self.function.assigned, **self.scene.constants}
        found = [name for name, value in flags.items() if value in ("True", "False")]
        found += [name for name, value in self.function.keywords if value in ("True", "False")]
        return self._one(found, [*words("locals"), "debug", "verbose", "strict", "DEBUG", "dry_run"]), "name"

    def _call(self) -> Text:
        return self._one(self.function.calls, lambda: self._made(VERBS, NOUNS)), "callable"

    def _other_call(self) -> Text:
        calls = [call for function in self.scene.functions[:12] for call in function.calls]
        return self._one(calls, lambda: self._made(VERBS, NOUNS)), "callable"

    def _keyword(self) -> Text:
        return self._one([name for name, _ in self.function.keywords], words("locals")), "name"

    def _keyword_or_value(self) -> Text:
        return self._keyword() if self.rng.random() < 0.6 else self._present_argument()

    def _present_argument(self) -> Text:
        return self._one(self.function.arguments, self.function.parameters or words("locals")), "code"

    def _argument_value(self) -> Text:
        values = [value for _, value in self.function.keywords] + self.function.arguments
        if self.rng.random() < 0.4:
            return self._literal()
        return self._one(values + self.function.parameters, words("locals")), "value"

    def _decorator(self) -> Text:
        if self.function.decorators and self.rng.random() < 0.5:
            return self.rng.choice(self.function.decorators), "decorator"
        return self.rng.choice(words("decorators")), "decorator"

    def _base(self) -> Text:
        bases = [base for cls in self.scene.classes for base in cls.bases]
        bases += [cls.name for cls in self.scene.classes]
        return self._one(bases if self.rng.random() < 0.6 else [], words("bases")), "class"

    def _imported_name(self) -> Text:
        return self._one([name for name, _ in self.scene.imported_names], words("decorators")), "name"

    def _module(self) -> Text:
        own = self.scene.imports + [module for _, module in self.scene.imported_names]
        return self._one(own if self.rng.random() < 0.6 else [], words("modules")), "name"

    # -- new names

    def _made(self, *parts: Sequence[str]) -> str:
        return "_".join(self.rng.choice(part).lower() for part in parts)

    def _plain_word(self) -> str:
        """Any word: most new names are one, and none of them says what is to be done with it."""
        return self._one(self.scene.words, NOUNS)

    def _new_name(self) -> Text:
        if self.rng.random() < _PLAIN:
            word = self._plain_word()
            return (word, "name") if self.rng.random() < 0.85 else (word.capitalize(), "class")
        draw = self.rng.random()
        if draw < 0.08:
            return self._new_class_name(), "class"
        if draw < 0.16:
            return self._constant_name(), "name"
        if draw < 0.3:
            return self._made(VERBS, NOUNS), "callable"
        return (self._made(NOUNS) if draw < 0.65 else self._made(NOUNS, NOUNS)), "name"

    def _new_function(self) -> Text:
        if self.rng.random() < _PLAIN:
            return self._plain_word(), "callable"
        return (self._made(VERBS) if self.rng.random() < 0.3 else self._made(VERBS, NOUNS)), "callable"

    def _new_constant(self) -> Text:
        return self._constant_name(), "name"

    def _constant_name(self) -> str:
        return self._made(("max", "min", "default", *NOUNS[:40]), NOUNS).upper()

    def _new_class_name(self) -> str:
        return "".join(self.rng.choice(NOUNS).capitalize() for _ in range(self.rng.choice((1, 2))))

    # -- files

    def _file(self) -> Text:
        return self.scene.path, "file"

    def _new_file(self) -> Text:
        return self.new_path(), "file"

    def new_path(self) -> str:
        name = self._made(NOUNS) if self.rng.random() < 0.7 else self._made(NOUNS, NOUNS)
        folder = self.rng.choice(("", self.rng.choice(words("folders")) + "/"))
        return f"{folder}{name}.py"

    def _any_file(self) -> Text:
        return self.draw(self.rng.choice(("file", "text_file", "config_file")))

    # -- values, code and texts

    def _literal(self) -> Text:
        draw = self.rng.random()
        if draw < _COMPOSED:
            return self.rng.choice(words("composed_values")), "value"
        if draw < 0.45:
            return str(
                self.rng.choice((0, 1, 2, 3, 5, 10, 12, 20, 30, 42, 60, 100, 250, 1000, 0.5, 1.5, -1))
            ), "value"
        if draw < 0.65:
            return self.rng.choice(("None", "True", "False", "[]", "{}", '""', "()", "0.0")), "value"
        return '"' + self.rng.choice((*self.function.strings[:3], *NOUNS[:80])).replace(
            '"', ""
        ) + '"', "value"

    def _literal_or_text(self) -> Text:
        return self._literal() if self.rng.random() < 0.75 else (self.rng.choice(NOUNS), "value")

    def _value(self) -> Text:
        return self._literal() if self.rng.random() < 0.65 else self._variable()

    def _present_literal(self) -> Text:
        own = self.function.numbers + [f'"{text}"' for text in self.function.strings if len(text) < 30]
        return self._one(own, lambda: self._literal()[0]), "value"

    def _number(self) -> Text:
        return self._one(self.function.numbers, ("0", "1", "10", "18", "100", "3", "255")), "value"

    def _count(self) -> Text:
        numbers = table("sentences/filling")["numbers"].get(self.language, ())
        if numbers and self.rng.random() < 0.35:
            return self.rng.choice(numbers), "number_word"
        return str(self.rng.choice((2, 3, 4, 5, 8, 10, 20, 50, 100, 128, 1000))), "number_word"

    def _factor(self) -> Text:
        return (
            self._count() if self.rng.random() < 0.3 else (self.rng.choice(words("factors")), "number_word")
        )

    def _line(self) -> Text:
        return str(self.rng.randint(1, 240)), "number_word"

    def _key(self) -> Text:
        text = self._one(self.function.keys, NOUNS)
        return (f'"{text}"' if self.rng.random() < 0.5 else text), "value"

    def _type_name(self) -> Text:
        draw, own = self.rng.random(), [cls.name for cls in self.scene.classes]
        if own and draw < 0.25:
            name = self.rng.choice(own)
            return (f'"{name}"' if draw < 0.06 else name), "code"
        return self.rng.choice(words("said_types" if draw < 0.45 else "types")), "code"

    def _result(self) -> Text:
        if self.rng.random() < 0.5:
            return self._one(self.function.returned, lambda: self._literal()[0]), "code"
        return self._literal() if self.rng.random() < 0.7 else self._variable()

    def _expression(self) -> Text:
        own = [text for text in self.function.expressions if len(text) < 45]
        return self._one(own, lambda: f"{self._variable()[0]} + 1"), "code"

    def _statement(self) -> Text:
        if self.rng.random() < 0.6:
            statements = [text for function in self.scene.functions[:20] for text in function.statements]
            return self._one(statements, lambda: f"{self._variable()[0]} += 1"), "code"
        variable = self._variable()[0]
        return self.rng.choice(words("statements")).replace("{}", variable), "code"

    def _present_statement(self) -> Text:
        return self._one(self.function.statements, lambda: f"{self._variable()[0]} = 0"), "code"

    def _anchor(self) -> Text:
        if self.rng.random() < 0.6:
            return self._present_statement()
        return self._call() if self.rng.random() < 0.7 else self._expression()

    def _condition(self) -> Text:
        variable = self._one(self.function.parameters + self.function.locals[:2], words("locals"))
        if self.conditions and self.rng.random() < 0.5:
            forms = self.conditions[self.rng.choice(sorted(self.conditions))]
            value = self._literal()[0]
            condition = self.rng.choice(list(forms)).replace("{x}", variable).replace("{n}", value)
            return condition, "condition"
        if self.rng.random() < 0.4:
            return self._present_condition()
        return self.rng.choice(words("conditions")).replace("{}", variable), "code"

    def _present_condition(self) -> Text:
        return self._one(self.function.conditions, lambda: f"{self._variable()[0]} > 0"), "code"

    def _exception(self) -> Text:
        if self.rng.random() < 0.75:
            return self.rng.choice(words("exceptions")), "exception"
        errors = [cls.name for cls in self.scene.classes if cls.name.endswith(("Error", "Exception"))]
        return self.rng.choice([*errors, *words("own_exceptions")]), "exception"

    def _builtin_exception(self) -> Text:
        return self.rng.choice(words("exceptions")[:14]), "exception"

    def _caught(self) -> Text:
        return self._one(self.function.caught, words("exceptions")), "exception"

    def _raised(self) -> Text:
        return self._one(self.function.raised, words("exceptions")), "exception"

    def _special_method(self) -> Text:
        name = self.rng.choice(words("special_methods"))
        return (name if self.rng.random() < 0.75 else name.strip("_")), "value"

    def _message(self) -> Text:
        messages = table("sentences/filling")["messages"]
        language = self.language if self.language in messages and self.rng.random() < 0.7 else "en"
        if self.function.strings and self.rng.random() < 0.3:
            return self.rng.choice(self.function.strings).strip() or "done", "text"
        return self.rng.choice(messages[language]), "text"

    def _documentation(self) -> Text:
        texts = [
            function.documented
            for function in self.scene.functions
            if 8 <= len(function.documented) <= LONGEST_CODE
        ]
        return (self.rng.choice(texts), "text") if texts and self.rng.random() < 0.6 else self._message()

    def _string(self) -> Text:
        return self._one([text.strip() for text in self.function.strings], lambda: self._message()[0]), "text"

    def _piece_of_string(self) -> Text:
        pieces = [word for text in self.function.strings for word in text.split() if word.isalpha()]
        return self._one(pieces + self.function.strings, NOUNS), "text"

    def _short_text(self) -> Text:
        return (self.rng.choice(NOUNS) if self.rng.random() < 0.6 else self._message()[0]), "text"
