"""Finishes a commit whose process is killed before the user's index has the new files: with the old ones in
it, the next commit would take the new ones back.

A shell in a session of its own waits until spark has ended, then until git has, because hooks go on. If the
head is the new commit, it updates the index. Of files of which nothing else is staged, those too that hooks
added to the commit, the index gets what the hooks made of them.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spark_tui.errors import SparkError
from spark_tui.workspace.git import LITERAL, PLAIN, without_variables
from spark_tui.workspace.repository import Repository

COMMIT = 'echo $$ > "$SPARK_FOLDER/git"; exec "$@"'
"""Runs git and says which process it is."""

_FINISH = """
read -r ended && exit
spark="$1" head="$2"
shift 2
pid=$(cat "$spark/git")
is_dead() { grep -q ') Z ' /proc/$1/stat || ps -o stat= -p $1 | grep -q '^Z'; }
while kill -0 $pid && ! is_dead $pid; do sleep 0.1; done
rm -f "$spark/index.lock"
if [ "$("$@" rev-parse 'HEAD^@')" = "$head" ] &&
    [ "$("$@" rev-parse 'HEAD^{tree}')" = "$(GIT_INDEX_FILE="$spark/index" "$@" write-tree)" ]
then
    for attempt in 1 2 3 4 5 6 7 8 9 10; do
        "$@" update-index -z --index-info < "$spark/entries" && break
        sleep 1
    done
    [ ! -s "$spark/own" ] || xargs -0 "$@" ls-tree -z HEAD -- < "$spark/own" |
        "$@" update-index -z --index-info
    tab=$(printf '\\t')
    "$@" ls-files -s > "$spark/now"
    # The slash keeps spaces at the end of a name.
    "$@" diff-tree -r --root --no-renames --no-commit-id HEAD | sed 's|$|/|' |
        while IFS=' ' read -r was mode old key rest
    do
        path=${rest#*"$tab"}
        path=${path%/}
        if [ "$was" = :000000 ]
        then ! cut -f 2- "$spark/now" | grep -Fxq -e "$path"
        else grep -Fxq -e "${was#:} $old 0$tab$path" "$spark/now"
        fi && printf '%s\\n' "$mode $key$tab$path"
    done | "$@" update-index --index-info
    for flag in --skip-worktree --assume-unchanged; do
        "$@" update-index $flag -z --stdin < "$spark/$flag"
    done
fi
rm -rf "$spark"
"""

_ENDED = b"ended\n"
"""What the shell reads where there is nothing to finish."""


@contextmanager
def finished_if_killed(repo: Repository, folder: Path) -> Iterator[None]:
    """Make sure of the index while a commit runs. The folder has the private index, and in `entries`, `own`
    and a file for each flag what the user's index will get."""
    place = ("git", "-C", str(repo.root), *PLAIN)
    shell = subprocess.Popen(
        [*without_variables({}), "sh", "-c", _FINISH, "sh", str(folder), repo.head, *place],
        env={**os.environ, **LITERAL},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    except SparkError:
        shell.communicate(_ENDED)
        raise
    except BaseException:
        shell.communicate()  # interrupted: whether there is a commit is for the shell to see
        raise
    shell.communicate(_ENDED)
