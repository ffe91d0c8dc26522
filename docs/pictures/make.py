"""The pictures of the documentation, taken from the running product: `python docs/pictures/make.py [NAME …]`.

Each scene starts `spark` under tmux on a scratch copy of the shop, sends keys, waits for what must be on the
screen, and keeps that screen as an SVG beside this file. `steer.cast` is one steer in asciinema's format
(version 2), with the times that it took. tmux has to be installed.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.ansi import AnsiDecoder
from rich.color import Color
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from spark_tui.config import paths

HERE = Path(__file__).resolve().parent
PATIENCE_SECONDS = 40.0
SIZE = (120, 36)

Act = tuple[str, str]
"""`type` text, `press` a key of tmux's name, or `until` a text is on the screen."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: how `spark` is started, what is done, what must be seen when it is taken."""

    name: str
    options: tuple[str, ...]
    acts: tuple[Act, ...]
    size: tuple[int, int] = SIZE
    bug: tuple[str, str, str] | None = None
    """A file of the shop, a piece of it, and what stands there in its place."""


def recording(name: str) -> tuple[str, str]:
    return ("--replay", str(paths.recordings_dir() / f"{name}.jsonl"))


ANNOTATE = "annotate the functions of inventory and orders"
LONG = recording("annotate-inventory-and-orders")
WRITING = "1000"
"""Tokens a second: about as many as the built-in model writes (`spark bench edit --mode real`)."""
STEERED = ("--replay", str(paths.recordings_dir()))

SCENES = (
    Scene(
        "streaming",
        (*LONG, "--pace", WRITING),
        (("type", ANNOTATE), ("press", "Enter"), ("until", "● 9 ")),
    ),
    Scene(
        "review",
        (*LONG, "--pace", "unlimited"),
        (
            ("type", ANNOTATE),
            ("press", "Enter"),
            ("until", "✓ done"),
            ("press", "Tab"),
            ("type", "a"),
            ("type", "r"),
            ("until", "✗1"),
        ),
    ),
    Scene(
        "steer",
        (*STEERED, "--pace", "60"),
        (
            ("type", "simplify `revenue` and `by_day` in report.py"),
            ("press", "Enter"),
            ("until", "● 1"),
            ("type", "no, use a defaultdict in by_day instead"),
            ("until", "in by_day instead"),
            ("until", "Enter steer"),
        ),
    ),
    Scene(
        "wafer",
        ("--model", "spark-6m"),
        (
            ("until", "local"),
            ("type", "define __contains__ in OrderBook as whether the number is in orders @orders"),
            ("until", "orders.py"),
            ("press", "Enter"),
            ("until", "@shop/orders.py"),
            ("press", "Enter"),
            ("until", "✓ done"),
            ("press", "F2"),
            ("until", "with spark-6m"),
            ("press", "M-w"),
            ("until", "with llama3-8b"),
            ("press", "M-w"),
            ("until", "with qwen3-32b"),
            ("press", "M-w"),
            ("until", "with llama3-70b"),
        ),
    ),
    Scene(
        "light",
        (*LONG, "--pace", "unlimited", "--theme", "spark-light"),
        (("type", ANNOTATE), ("press", "Enter"), ("until", "✓ done"), ("press", "Tab"), ("until", "accept")),
    ),
    Scene(
        "small",
        (*LONG, "--pace", "unlimited"),
        (("type", ANNOTATE), ("press", "Enter"), ("until", "✓ done"), ("press", "Tab"), ("until", "accept")),
        (80, 24),
    ),
    Scene(
        "preview",
        ("shop/cart.py",),
        (("until", "local"), ("type", "rename Cart.add to Cart.put"), ("until", "hunks in")),
        (110, 32),
    ),
    Scene(
        "tried",
        ("shop/prices.py",),
        (
            ("type", "test_parts_of_a_split_add_up fails"),
            ("press", "Enter"),
            ("until", "found by trying"),
            ("until", "✓ done"),
        ),
        (110, 32),
        ("shop/prices.py", "index < extra", "index <= extra"),
    ),
)


class Shop:
    """A scratch copy of the example repository with homes of its own, so that nobody's settings are in the
    picture."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "shop"
        shutil.copytree(
            paths.examples_dir() / "shop", self.root, ignore=shutil.ignore_patterns("__pycache__")
        )
        who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        for words in (
            ["init", "-q", "-b", "main"],
            ["add", "-A"],
            ["commit", "-q", "-m", "The shop as it came"],
        ):
            subprocess.run(["git", *who, *words], cwd=self.root, check=True)
        self.environ = {
            "HOME": str(folder),
            "TERM": "tmux-256color",
            "COLORTERM": "truecolor",
            "SPARK_EDIT_LEAST_CONFIDENCE": "0",  # as in the demo: whatever the small model writes is shown
            **{
                f"XDG_{kind}_HOME": str(folder / kind.lower())
                for kind in ("CONFIG", "STATE", "CACHE", "DATA")
            },
        }

    def command(self, options: Iterable[str]) -> list[str]:
        words = [f"{name}={value}" for name, value in self.environ.items()]
        return ["env", "-u", "NO_COLOR", *words, sys.executable, "-m", "spark_tui", *options]


class Terminal:
    """A tmux server of its own, with one pane."""

    def __init__(self, folder: Path, command: list[str], cwd: Path, size: tuple[int, int]) -> None:
        self._socket = str(folder / "tmux")
        self._tmux("-f", os.devnull, "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "cat")
        self._tmux("set", "-s", "escape-time", "0")
        self._tmux("set", "-g", "default-terminal", "tmux-256color")
        self._tmux("set", "-ga", "terminal-overrides", ",*:Tc")
        self._tmux("respawn-pane", "-k", "-c", str(cwd), f"{shlex.join(command)}; cat")

    def _tmux(self, *words: str) -> str:
        return subprocess.run(
            ["tmux", "-S", self._socket, *words], capture_output=True, text=True, check=True
        ).stdout

    def act(self, what: str, value: str) -> None:
        if what == "type":
            self._tmux("send-keys", "-l", "--", value)
        elif what == "press":
            self._tmux("send-keys", value)
        else:
            self.until(value)

    def until(self, text: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while text not in (screen := self._tmux("capture-pane", "-p")):
            if time.monotonic() > end:
                raise SystemExit(f"never seen: {text}\n{screen}")
            time.sleep(0.01)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p", "-e", "-N")

    def close(self) -> None:
        self._tmux("kill-server")


def background(lines: list[Text]) -> tuple[int, int, int]:
    """The colour that most of the screen stands on."""
    counts: dict[str, int] = {}
    for text in lines:
        for span in text.spans:
            style = span.style
            colour = getattr(style, "bgcolor", None)
            if isinstance(colour, Color) and colour.triplet is not None:
                counts[colour.triplet.hex] = counts.get(colour.triplet.hex, 0) + span.end - span.start
    return Color.parse(max(counts, key=lambda key: counts[key])).get_truecolor() if counts else (12, 14, 18)


ANSI = [
    (0, 0, 0),
    (205, 49, 49),
    (13, 188, 121),
    (229, 229, 16),
    (36, 114, 200),
    (188, 63, 188),
    (17, 168, 205),
    (229, 229, 229),
]


PIECE = re.compile(
    r'<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)" ([^>]*)>([^<]*)</text>'
)
SPACE = "&#160;"


def tight(match: re.Match[str]) -> str:
    """A piece of text without the spaces around it, which some viewers drop or stretch."""
    style, x, y, length, rest, text = match.groups()
    cells = len(re.sub(r"&[^;]*;", " ", text))
    inner = text
    while inner.startswith(SPACE):
        inner = inner.removeprefix(SPACE)
    before = (len(text) - len(inner)) // len(SPACE)
    while inner.endswith(SPACE):
        inner = inner.removesuffix(SPACE)
    if not inner or not cells:
        return ""
    width = float(length) / cells
    after = cells - before - len(re.sub(r"&[^;]*;", " ", inner))
    x, length = f"{float(x) + before * width:.1f}", f"{(cells - before - after) * width:.1f}"
    return f'<text class="{style}" x="{x}" y="{y}" textLength="{length}" {rest}>{inner}</text>'


def draw(screen: str, size: tuple[int, int], title: str, path: Path) -> None:
    """A screen with its escapes as an SVG."""
    # tmux says only what changes, from one line to the next: they are read in one go.
    ansi = AnsiDecoder()
    lines = [ansi.decode_line(line) for line in screen.split("\n")[: size[1]]]
    ground = background(lines)
    ink = (220, 220, 220) if sum(ground) < 384 else (40, 40, 40)
    nowhere = io.StringIO()
    console = Console(record=True, width=size[0], file=nowhere, force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(line, no_wrap=True, overflow="crop", soft_wrap=True)
    svg = console.export_svg(title=title, theme=TerminalTheme(ground, ink, ANSI, ANSI), unique_id=path.stem)
    svg = PIECE.sub(tight, svg)
    path.write_text(
        "\n".join(line.rstrip() for line in svg.splitlines() if line.strip()) + "\n", encoding="utf-8"
    )


def take(scene: Scene) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        shop = Shop(Path(place))
        if scene.bug is not None:
            file, old, new = shop.root / scene.bug[0], *scene.bug[1:]
            file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
        terminal = Terminal(Path(place), shop.command(scene.options), shop.root, scene.size)
        try:
            for what, value in (("until", "Say below"), *scene.acts):
                terminal.act(what, value)
            draw(terminal.screen(), scene.size, "spark", HERE / f"{scene.name}.svg")
        finally:
            terminal.close()


CAST = (
    (1.0, "Say below"),
    "simplify `revenue` and `by_day` in report.py",
    (0.6, ""),
    "\r",
    (1.3, "writing"),
    "no, use a defaultdict in by_day instead",
    (0.2, ""),
    "\r",
    (2.0, "done"),
    "\t",
    (0.6, ""),
    "A",
    (0.8, ""),
    "w",
    (1.2, "wrote"),
    "u",
    (1.5, "undid"),
    "\x11",
    (0.3, ""),
)
"""Typed as a person types; `(seconds, text)` waits for a text in the output, then for a moment."""


def record(path: Path, size: tuple[int, int] = (100, 30)) -> None:
    """`steer.cast`: what the terminal gets, with its times."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        shop = Shop(Path(place))
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(shop.root)
            command = shop.command((*STEERED, "--pace", "45"))
            os.execvp(command[0], command)
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        began = time.monotonic()
        out: list[tuple[float, str]] = []

        def read(until: Callable[[], bool]) -> None:
            while not until():
                if select.select([fd], [], [], 0.02)[0]:
                    try:
                        data = os.read(fd, 65536)
                    except OSError:
                        return
                    if not data:
                        return
                    out.append((time.monotonic() - began, data.decode("utf-8", "replace")))

        def later(seconds: float) -> Callable[[], bool]:
            end = time.monotonic() + seconds
            return lambda: time.monotonic() > end

        def wait(text: str) -> None:
            begin, limit = max(0, len(out) - 4), later(PATIENCE_SECONDS)
            read(lambda: text in "".join(piece for _, piece in out[begin:]) or limit())
            if limit():
                raise SystemExit(f"never seen: {text}")

        for act in CAST:
            if isinstance(act, str):
                for character in act:
                    os.write(fd, character.encode())
                    read(later(0.035))
                continue
            wait(act[1])
            read(later(act[0]))
        os.close(fd)
        os.waitpid(pid, 0)
    with path.open("w", encoding="utf-8") as cast:
        head = {"version": 2, "width": size[0], "height": size[1], "title": "spark: one steer"}
        cast.write(json.dumps(head) + "\n")
        for at, text in out:
            cast.write(json.dumps([round(at, 3), "o", text], ensure_ascii=False) + "\n")


def main(names: list[str]) -> None:
    for scene in SCENES:
        if not names or scene.name in names:
            print(scene.name, flush=True)
            take(scene)
    if not names or "cast" in names:
        print("steer.cast", flush=True)
        record(HERE / "steer.cast")


if __name__ == "__main__":
    main(sys.argv[1:])
