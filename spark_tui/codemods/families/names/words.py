"""Rename a word in languages that are not parsed: JavaScript, Go, Rust, C, Java and shell."""

from __future__ import annotations

from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.slots import FilePath, NewName
from spark_tui.codemods.words import find_word, language_of
from spark_tui.pysource.repository import Repository


@codemod
class RenameWord:
    """Rename an identifier in files of other languages, by whole words outside of strings and comments."""

    path: FilePath = slot("a file, or a folder for all files of these languages in it (. for all)")
    old: NewName = slot("the current name")
    new: NewName = slot("the new name")

    def plan(self, repo: Repository) -> Plan:
        edits: list[Edit] = []
        doubts: list[Unfollowed] = []
        for path in self._paths(repo):
            text, language = repo.index.text(path), language_of(path)
            if text is None or language is None or self.old not in text:
                continue
            if language.word.fullmatch(self.new) is None or self.new in language.keywords:
                raise Refusal(f"{self.new!r} is not a valid name in {path}")
            found = find_word(language, text, self.old)
            if found.places and find_word(language, text, self.new).places:
                raise Refusal(f"{self.new} exists already in {path}")
            edits += [Edit(path, low, high, self.new) for low, high in found.places]
            lines = [text.count("\n", 0, at) + 1 for at in found.mentions]
            doubts += [Unfollowed(path, one, "a comment or string mentions the name") for one in lines]
            if found.places:
                line = text.count("\n", 0, found.places[0][0]) + 1
                reason = f"renamed as a word in {len(found.places)} places: what it means there is not known"
                doubts.append(Unfollowed(path, line, reason))
        if not edits:
            raise Refusal(f"{self.old} is not in the code of {self.path}")
        return Plan(tuple(sorted(edits)), tuple(sorted(set(doubts))))

    def _paths(self, repo: Repository) -> list[str]:
        if self.old == self.new:
            raise Refusal("nothing would change")
        if self.path in repo.index.all_paths:
            if self.path.endswith((".py", ".pyi")):
                raise Refusal("Python is renamed by what names mean: use rename")
            if language_of(self.path) is None:
                raise Refusal(f"{self.path} is in no language of the table")
            return [self.path]
        folder = "" if self.path in (".", "") else self.path.rstrip("/") + "/"
        found = [one for one in repo.index.all_paths if one.startswith(folder) and language_of(one)]
        if not found:
            raise Refusal(f"no files of these languages in {self.path}")
        return found
