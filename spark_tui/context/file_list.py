"""The files of a repository, and which of them may be shown without being named.

Listed once, and only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cached_property
from itertools import islice

from spark_tui.context.ignore_rules import NAME as SPARKIGNORE
from spark_tui.context.ignore_rules import ReadLines, ignore_rules_of, is_allowed, is_secret
from spark_tui.context.repo_map import LOOK_SECONDS, RepoMap

_MOST_COMPARED = 20_000


def no_such_file(path: str, names: Iterable[str]) -> str:
    """The sentence for a path that does not exist, with the file whose name is the most similar, if any."""
    folder, _, name = path.rpartition("/")
    by_name: dict[str, str] = {}
    for item in islice(names, _MOST_COMPARED):
        if item == path:
            return "deleted on disk, though git still lists it"
        its_folder, _, its_name = item.rpartition("/")
        if its_folder == folder or _stem(its_name) not in by_name:
            by_name[_stem(its_name)] = item
    near = get_close_matches(_stem(name), by_name, n=1, cutoff=0.7)
    return f"no such file (did you mean {by_name[near[0]]}?)" if near else "no such file"


def _stem(name: str) -> str:
    """Without the suffix, which makes short names look alike."""
    return name.rpartition(".")[0] or name


class FileList:
    """One for each prompt. `real` says where the links of a path lead; without any it is the path itself."""

    def __init__(
        self,
        paths: Callable[[], Sequence[str]],
        read_lines: ReadLines,
        real: Callable[[str], str],
        look_seconds: float = LOOK_SECONDS,
    ) -> None:
        self._paths = paths
        self._read_lines = read_lines
        self._ignored = ignore_rules_of(read_lines)
        self._real = real
        self._look_seconds = look_seconds
        self._looked = False

    def look(self, repo_map: RepoMap) -> None:
        """Bring the map up to date, once."""
        if not self._looked:
            self._looked = True
            repo_map.look(self.allowed, seconds=self._look_seconds)

    @cached_property
    def all(self) -> Sequence[str]:
        return self._paths()

    @cached_property
    def allowed(self) -> list[str]:
        """Without secrets and what `.sparkignore` names. Links are not followed for this."""
        return is_allowed(self.all, ignore_rules_of(self._read_lines, self.all))

    def withheld(self, path: str) -> str:
        """Why a file is shown only where it is named; empty for one that need not be. Nothing is listed for
        this."""
        if is_secret(path):
            return "may hold secrets; name it with @ to show it"
        if self._ignored(path):
            return f"is in {SPARKIGNORE}; name it with @ to show it"
        real = self._real(path)
        if real != path and self._ignored(real):
            return f"is a link to {real}, which is in {SPARKIGNORE}; name that with @ to show it"
        return self.leads_to_secret(path)

    def leads_to_secret(self, path: str) -> str:
        """Why a file is not shown even where it is named: it is a link, and the name that was given hides
        what it points to."""
        real = path if is_secret(path) else self._real(path)
        if real != path and is_secret(real):
            return f"is a link to {real}, which may hold secrets; name that with @ to show it"
        return ""

    def rules(self, path: str) -> Sequence[str] | None:
        """The lines of a file that nobody names."""
        return None if self.leads_to_secret(path) else self._read_lines(path)
