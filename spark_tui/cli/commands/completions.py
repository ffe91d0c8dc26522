"""`spark completions bash|zsh|fish`: scripts that complete commands and flags, made from the parsers
themselves.
"""

from __future__ import annotations

import argparse

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="for example: spark completions bash >> ~/.bashrc")


def run(args: argparse.Namespace) -> int:
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell](_words()), end="")
    return 0


def _words() -> dict[str, tuple[str, list[tuple[str, str]]]]:
    """`{command: (summary, [(word, help)])}`; the workbench is the empty name."""
    # The commands are imported here, not above: they are many, and only this one needs them all.
    from spark_tui.cli import main

    out: dict[str, tuple[str, list[tuple[str, str]]]] = {}
    for command in (main.WORKBENCH, *main.COMMANDS):
        parser = main.build_parser(command, main.load_command(command))
        out[command.name] = (command.summary, _options(parser))
    return out


def _options(parser: argparse.ArgumentParser) -> list[tuple[str, str]]:
    words: list[tuple[str, str]] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words.extend((name, "") for name in action.choices)
        elif action.option_strings:
            text = "" if action.help in (None, argparse.SUPPRESS) else str(action.help)
            words.extend((option, text) for option in action.option_strings if option.startswith("--"))
        elif action.choices:
            words.extend((str(choice), "") for choice in action.choices)
    return words


def _bash(words: dict[str, tuple[str, list[tuple[str, str]]]]) -> str:
    names = " ".join(name for name in words if name)
    arms = "\n".join(
        f"    {name}) words='{' '.join(word for word, _ in options)}' ;;"
        for name, (_, options) in words.items()
        if name
    )
    top = " ".join(word for word, _ in words[""][1])
    return f"""_spark() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} words
  case ${{COMP_WORDS[1]}} in
{arms}
    *) words='{names} {top}' ;;
  esac
  if [[ $COMP_CWORD -eq 1 ]]; then words='{names} {top}'; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ ${{#COMPREPLY[@]}} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$current")); fi
}}
complete -F _spark spark
"""


def _quoted(text: str) -> str:
    """Text for between single quotes; zsh and fish both take a backslash out."""
    return text.replace("\\", r"\\").replace("'", r"'\''")


def _bracketed(text: str) -> str:
    return _quoted(text).replace("[", r"\[").replace("]", r"\]")


def _zsh(words: dict[str, tuple[str, list[tuple[str, str]]]]) -> str:
    commands = "\n".join(f"    '{name}:{_quoted(summary)}'" for name, (summary, _) in words.items() if name)
    arms = "\n".join(
        "    {}) _values 'words' {} ;;".format(
            name, " ".join(f"'{w}[{_bracketed(text)}]'" for w, text in options) or "''"
        )
        for name, (_, options) in words.items()
        if name
    )
    return f"""#compdef spark
_spark() {{
  local -a commands=(
{commands}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; _files; return; fi
  case $words[2] in
{arms}
  esac
  _files
}}
compdef _spark spark
"""


def _fish(words: dict[str, tuple[str, list[tuple[str, str]]]]) -> str:
    lines = []
    for name, (summary, options) in words.items():
        if name:
            lines.append(f"complete -c spark -n __fish_use_subcommand -f -a {name} -d '{_quoted(summary)}'")
        condition = f"'__fish_seen_subcommand_from {name}'" if name else "__fish_use_subcommand"
        for word, text in options:
            kind = f"-l {word[2:]}" if word.startswith("--") else f"-f -a {word}"
            lines.append(f"complete -c spark -n {condition} {kind} -d '{_quoted(text)}'")
    return "\n".join(lines) + "\n"
