# ruff: noqa: E501 - one case a line reads better unbroken
"""Options of a command line are changed and added where they are declared."""

from __future__ import annotations

import difflib

import pytest
from apps import APPS

from spark_tui.refactor.known import PLAIN, known

Lines = tuple[str, ...]


def made(app: str, instruction: str) -> tuple[Lines, Lines]:
    """The lines that go and those that come, of the one edit that is plain."""
    lines = tuple(APPS[app].split("\n")[:-1])
    found = known(lines, instruction)
    assert [one.plain for one in found] == [PLAIN]
    new = list(lines)
    for hunk in reversed(found[0].hunks):
        new[hunk.first : hunk.last] = hunk.new
    told = [line for line in difflib.ndiff(lines, new) if line[:1] in "-+" and line[2:].strip()]
    return tuple(one[2:].strip() for one in told if one[0] == "-"), tuple(
        one[2:].strip() for one in told if one[0] == "+"
    )


@pytest.mark.parametrize(
    ("app", "instruction", "gone", "come"),
    [
        ('sync', 'add a --dry-run flag', (), ('parser.add_argument("--dry-run", action="store_true")',)),
        ('sync', 'help text for output: where to write', ('parser.add_argument("--output")',), ('parser.add_argument("--output", help="where to write")',)),
        ('sync', '--number should default to 20', ('parser.add_argument("-n", "--number", type=int, default=5, help="how many files")',), ('parser.add_argument("-n", "--number", type=int, default=20, help="how many files")',)),
        ('sync', 'the default of --number is 8 now', ('parser.add_argument("-n", "--number", type=int, default=5, help="how many files")',), ('parser.add_argument("-n", "--number", type=int, default=8, help="how many files")',)),
        ('sync', 'add a short option -v for verbose', ('parser.add_argument("--verbose", action="store_true")',), ('parser.add_argument("-v", "--verbose", action="store_true")',)),
        ('sync', '--output should be required', ('parser.add_argument("--output")',), ('parser.add_argument("--output", required=True)',)),
        ('sync', 'give --output a default of out', ('parser.add_argument("--output")',), ('parser.add_argument("--output", default="out")',)),
        ('sync', 'add an option --limit, int, default 100', (), ('parser.add_argument("--limit", type=int, default=100)',)),
        ('sync', 'new command line flag --quiet with help "print nothing"', (), ('parser.add_argument("--quiet", action="store_true", help="print nothing")',)),
        ('sync', 'folder should be optional and default to the current directory', ('parser.add_argument("folder")',), ('parser.add_argument("folder", nargs="?", default=".")',)),
        ('sync', 'remove the --verbose option', ('parser.add_argument("--verbose", action="store_true")',), ()),
        ('sync', 'rename the option --output to --target', ('parser.add_argument("--output")',), ('parser.add_argument("--target")',)),
        ('clickapp', 'size option should be an int', ('@click.option("--size", default=10, help="size in cm")',), ('@click.option("--size", type=int, default=10, help="size in cm")',)),
        ('clickapp', 'help for name: name of the picture', ('@click.option("--name", "-n", default="")',), ('@click.option("--name", "-n", default="", help="name of the picture")',)),
        ('clickapp', 'the --size option should default to 25', ('@click.option("--size", default=10, help="size in cm")',), ('@click.option("--size", default=25, help="size in cm")',)),
        ('clickapp', 'add a --verbose flag', ('def main(path, size, name):',), ('@click.option("--verbose", is_flag=True)', 'def main(path, size, name, verbose):')),
        ('weather', '--unit should be C or F only', ('p.add_argument("--unit", default="C")',), ('p.add_argument("--unit", default="C", choices=["C", "F"])',)),
        ('weather', '--days needs a default of 7', ('p.add_argument("--days", "-d", type=int)',), ('p.add_argument("--days", "-d", type=int, default=7)',)),
        ('weather', 'add -u as short form of --unit', ('p.add_argument("--unit", default="C")',), ('p.add_argument("--unit", "-u", default="C")',)),
        ('weather', 'help text for days: number of days to read', ('p.add_argument("--days", "-d", type=int)',), ('p.add_argument("--days", "-d", type=int, help="number of days to read")',)),
        ('weather', 'the help of file should be "the csv to read"', ('p.add_argument("file", help="csv file")',), ('p.add_argument("file", help="the csv to read")',)),
        ('weather', 'add an optional --out argument', (), ('p.add_argument("--out")',)),
        ('weather', 'add --verbose / -v', (), ('p.add_argument("-v", "--verbose", action="store_true")',)),
        ('weather', 'we need a --limit option (int)', (), ('p.add_argument("--limit", type=int)',)),
        ('weather', 'make --days required', ('p.add_argument("--days", "-d", type=int)',), ('p.add_argument("--days", "-d", type=int, required=True)',)),
    ],
)  # fmt: skip
def test_an_order_is_done_as_it_is_meant(app: str, instruction: str, gone: Lines, come: Lines) -> None:
    assert made(app, instruction) == (gone, come)
