"""Texts for slots that have to fit the code of one window: what is there, and what it is set to."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.train.generated.snippet_generator import NOUNS, VERBS
from spark_tui.train.sentences.fillers import Filler, Text
from spark_tui.train.sentences.filling_tables import words
from spark_tui.train.sentences.rendering import in_words


class WindowFiller(Filler):
    """Draws texts around one function of a window, closer to it than sentences alone need."""

    chosen = ""
    """The variable that was drawn last; an old value is what it is set to."""
    earlier: Sequence[str] = ()
    """What the slots of an instruction before this one said."""

    @property
    def values(self) -> dict[str, str]:
        """What names are set to in the function, its signature and the module."""
        return {**self.scene.constants, **self.function.defaults, **self.function.assigned}

    def _with_value(self, kinds: type | tuple[type, ...]) -> Text:
        """A name that is set to a literal of some kind."""
        fitting = [name for name, value in self.values.items() if isinstance(literal(value), kinds)]
        self.chosen = self._one(fitting, words("locals"))
        return self.chosen, "name"

    def _spoken(self, name: str) -> Text:
        """A name as it stands in the code, or more often as it is said."""
        spoken = in_words(name) if self.rng.random() < 0.6 else ""
        return (spoken, "words") if spoken else (name, "name")

    # -- what was said before

    def _earlier(self) -> Text:
        return (self.rng.choice(self.earlier) if self.earlier else NOUNS[0]), "code"

    def _same_style(self) -> Text:
        """A new name in the case of one that was said before."""
        styles = {self._style_of(text) for text in self.earlier if text.isidentifier()}
        if "class" in styles:
            return self._new_class_name(), "class"
        return (self._constant_name() if "constant" in styles else self._plain_name()[0]), "name"

    @staticmethod
    def _style_of(name: str) -> str:
        return "constant" if name.isupper() else "class" if name[:1].isupper() else "name"

    def _like_earlier(self) -> Text:
        if any(item[:1].isdigit() for item in self.earlier):
            return self._number_like()
        quoted = any(item[:1] in ("'", '"') for item in self.earlier)
        return self._quoted_text() if quoted else self._literal()

    # -- names

    def _plain_name(self) -> Text:
        return (self._made(NOUNS) if self.rng.random() < 0.5 else self._made(NOUNS, NOUNS)), "name"

    def _new_class(self) -> Text:
        return self._new_class_name(), "class"

    def _bare_attribute(self) -> Text:
        return self._one(self.function.attributes, words("locals")), "name"

    def _method_without_self(self) -> Text:
        own = [
            f"{function.owner}.{function.name}"
            for function in self.scene.functions
            if function.owner and not function.attributes
        ]
        return self._one(own, lambda: self._made(VERBS)), "callable"

    def _plain_import(self) -> Text:
        self.chosen = self._one(
            [imported for imported in self.scene.imports if "." not in imported], words("modules")
        )
        return self.chosen, "name"

    def _name_of_module(self) -> Text:
        """A name that the function uses of the module that was drawn."""
        used = [call.partition(".") for call in self.function.calls]
        return self._one([name for module, _, name in used if module == self.chosen], NOUNS), "name"

    def _present_module(self) -> Text:
        own = self.scene.imports + [module for _, module in self.scene.imported_names]
        return self._one(own, words("modules")), "name"

    def _present_base(self) -> Text:
        return self._one([base for cls in self.scene.classes for base in cls.bases], words("bases")), "class"

    def _present_decorator(self) -> Text:
        return self._one(self.function.decorators, words("decorators")), "decorator"

    def _function_decorator(self) -> Text:
        own = ("cache", "functools.cache", "retry", "login_required", "contextmanager", "override", "timed")
        members = ("property", "staticmethod", "classmethod", "abstractmethod", "cached_property")
        return self.rng.choice(members if self.function.owner else own), "decorator"

    def _number_in_words(self) -> Text:
        return self._spoken(self._with_value((int, float))[0])

    def _text_in_words(self) -> Text:
        return self._spoken(self._with_value(str)[0])

    def _flag_in_words(self) -> Text:
        return self._spoken(self._with_value(bool)[0])

    def _collection(self) -> Text:
        return self._with_value((list, tuple, set))

    def _mapping(self) -> Text:
        return self._with_value(dict)

    # -- values

    def _present_number(self) -> Text:
        known = self.values.get(self.chosen, "")
        return (known, "value") if known[:1].isdigit() else self._number()

    def _assigned_text(self) -> Text:
        known = self.values.get(self.chosen, "")
        return (known if known[:1] in "'\"" and known else self._string()[0]), "value"

    def _number_like(self) -> Text:
        known = literal(self.values.get(self.chosen, ""))
        if isinstance(known, float):
            return str(round(known * self.rng.choice((0.5, 2, 4, 10)) + 0.25, 2)), "value"
        if isinstance(known, int) and known:
            return str(self.rng.choice((known + 1, known * 2, known * 3, known * 10, known // 2))), "value"
        return str(self.rng.choice((0, 1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 50, 60, 100, 500))), "value"

    def _plain_message(self) -> Text:
        return f"the {self.rng.choice(NOUNS)} that is meant", "text"

    def _quoted_text(self) -> Text:
        return f'"{self._short_text()[0]}"'.replace("'", ""), "value"

    def _quoted_key(self) -> Text:
        return f'"{self._one(self.function.keys, NOUNS)}"', "value"

    def _collected(self) -> Text:
        known = literal(self.values.get(self.chosen, ""))
        items = sorted(map(repr, known)) if isinstance(known, list | tuple | set) else []
        return self._one(items, lambda: self._literal()[0]), "value"

    def _mapping_key(self) -> Text:
        known = literal(self.values.get(self.chosen, ""))
        return self._one([repr(key) for key in known] if isinstance(known, dict) else [], NOUNS), "value"

    def _new_key(self) -> Text:
        return f'"{self._made(NOUNS)}"', "value"

    def _on_off(self) -> Text:
        on = self.values.get(self.chosen) == "False" or self.rng.random() < 0.5
        return ("on" if on else "off"), "word"

    def _small_count(self) -> Text:
        return str(self.rng.randint(0, 4)), "value"

    def _present_level(self) -> Text:
        called = [call.rpartition(".")[2] for call in self.function.calls]
        return self._one([item for item in called if item in words("levels")], words("levels")), "word"

    def _own_line(self) -> Text:
        return str(self.rng.randint(self.function.first, self.function.last)), "number_word"


def literal(text: str) -> object:
    """The value of a literal, or None."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
