"""What every format promises: no cut matters, nothing is lost, nothing unchanged is rewritten, nothing
crashes."""

import itertools
import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.edit_writers import FORMATS, PLAIN, TRICKY, changes, cuts, joined, write
from support.property_tests import law

from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import apply_to_lines
from spark_tui.edits.parser import Parser
from spark_tui.events import HunkClosed, HunkFailed, HunkOpened, HunkText

PATH = "src/app.py"


def parse(name, text, files, pieces=None, asked=""):
    parser = Parser(name, files.get, asked=asked)
    events = []
    for piece in [text] if pieces is None else pieces:
        events += parser.feed(piece)
    events += parser.finish()
    return parser, events


def alphabet(name):
    return TRICKY if name in ("lines", "apply_patch", "udiff") else PLAIN


@st.composite
def streams(draw):
    """A format, a file, and a text that changes it, sometimes with chatter around."""
    name = draw(st.sampled_from(FORMATS))
    old, new = draw(changes(tuple(alphabet(name))))
    text = write(name, PATH, old, new)
    if draw(st.booleans()):
        text = "Sure, here it is.\n\n" + text + "\nThat is all.\n"
    if draw(st.integers(0, 4)) == 0:
        text = text[: draw(st.integers(0, len(text)))]
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return name, old, new, text


@law(data=st.data(), stream=streams(), auto=st.booleans())
def test_any_cut_of_the_same_text_gives_the_same_events(data, stream, auto):
    name, old, _, text = stream
    name = "auto" if auto else name
    _, whole = parse(name, text, {PATH: old})
    _, pieces = parse(name, text, {PATH: old}, data.draw(cuts(text)))
    _, characters = parse(name, text, {PATH: old}, list(text))
    assert joined(pieces) == joined(whole)
    assert joined(characters) == joined(whole)


@st.composite
def whole_changes(draw):
    name = draw(st.sampled_from(FORMATS))
    return name, *draw(changes(tuple(alphabet(name))))


@law(change=whole_changes(), auto=st.booleans())
def test_accepting_all_is_the_new_text_and_accepting_none_the_old(change, auto):
    name, old, new = change
    # What is in a named fence may be a part of the file, unless whole files were asked for; and a fence
    # without code empties no file.
    read_as = "auto" if auto and any(line.strip() for line in new) and old != new else name
    parser, _ = parse(read_as, write(name, PATH, old, new), {PATH: old}, asked=name)
    assert not parser.failures
    assert apply_to_lines(old, parser.hunks) == new
    assert apply_to_lines(old, []) == old


@law(change=whole_changes())
def test_no_hunk_rewrites_a_line_that_stays(change):
    name, old, new = change
    parser, _ = parse(name, write(name, PATH, old, new), {PATH: old})
    for hunk in parser.hunks:
        assert diff(hunk.old_lines, hunk.new_lines) == [(0, len(hunk.old_lines), 0, len(hunk.new_lines))], (
            "equal lines are not part of a hunk"
        )
    spans = sorted((hunk.old_start, hunk.old_end) for hunk in parser.hunks)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


@law(stream=streams(), auto=st.booleans(), quick=40)
def test_a_stream_cut_at_every_character_has_closed_what_the_whole_one_closed_by_then(stream, auto):
    name, old, _, text = stream
    name = "auto" if auto else name
    parser = Parser(name, {PATH: old}.get)
    closed_at = []
    for at, character in enumerate(text):
        closed_at += [(at + 1, event) for event in parser.feed(character) if isinstance(event, HunkClosed)]
    for end in range(len(text) + 1):
        cut = Parser(name, {PATH: old}.get)
        events = list(cut.feed(text[:end]))
        whole = [event for event in events if isinstance(event, HunkClosed)]
        assert whole == [event for at, event in closed_at if at <= end]
        parts = list(cut.interrupt())
        assert all(isinstance(event, HunkClosed) and event.partial for event in parts)
        opened = {event.hunk_id for event in events if isinstance(event, HunkOpened)}
        ended = {event.hunk_id for event in events if isinstance(event, (HunkClosed, HunkFailed))}
        assert {event.hunk_id for event in parts} == opened - ended
        # An interrupt asks and changes nothing: the stream can be resumed.
        events += cut.feed(text[end:])
        events += cut.finish()
        if end % 7 == 0:
            assert joined(events) == joined(parse(name, text, {PATH: old})[1])


def naive_lines(text):
    """Hunks of a `lines` text, read in the dullest way: only complete ones."""
    hunks, current = [], None
    for line in text.split("\n")[:-1]:
        place = re.fullmatch(r"@@ (\d+),(\d+)", line)
        if current is not None and line.startswith("+"):
            current[2].append(line[1:])
            continue
        if current is not None:
            hunks.append(current)
        current = (int(place[1]), int(place[2]), []) if place else None
    return hunks, current


def naive_search_replace(text, old):
    hunks = []
    for search, replace in re.findall(r"<{7} SEARCH\n(.*?)={7}\n(.*?)>{7} REPLACE\n", text, re.S):
        want = search.split("\n")[:-1]
        starts = [at for at in range(len(old) - len(want) + 1) if old[at : at + len(want)] == want]
        hunks.append((starts[0] + 1, starts[0] + 1 + len(want), replace.split("\n")[:-1]))
    return hunks


def applied(old, hunks):
    new, shift = list(old), 0
    for start, end, lines in sorted(hunks, key=lambda hunk: hunk[:2]):
        new[start - 1 + shift : end - 1 + shift] = lines
        shift += len(lines) - (end - start)
    return new


@law(change=changes(tuple(PLAIN)), data=st.data())
def test_cut_anywhere_the_closed_hunks_of_lines_are_those_of_a_dull_reader(change, data):
    old, new = change
    text = write("lines", PATH, old, new)
    end = data.draw(st.integers(0, len(text)))
    parser = Parser("lines", {PATH: old}.get)
    list(parser.feed(text[:end]))
    hunks, current = naive_lines(text[:end])
    if (
        current is not None
        and text[:end].rsplit("\n", 1)[-1] not in ("", "+")
        and not text[:end].rsplit("\n", 1)[-1].startswith("+")
    ):
        # One character of the next header makes the hunk before it certain.
        hunks.append(current)
    assert apply_to_lines(old, parser.hunks) == applied(old, hunks)


@law(change=changes(tuple(PLAIN)), data=st.data())
def test_cut_anywhere_the_closed_hunks_of_search_replace_are_those_of_a_dull_reader(change, data):
    old, new = change
    text = write("search_replace", PATH, old, new)
    end = data.draw(st.integers(0, len(text)))
    parser = Parser("search_replace", {PATH: old}.get)
    list(parser.feed(text[:end]))
    assert apply_to_lines(old, parser.hunks) == applied(old, naive_search_replace(text[:end], old))


@law(change=changes(tuple(PLAIN)))
def test_the_texts_of_a_hunk_joined_are_its_body(change):
    old, new = change
    text = write("lines", PATH, old, new)
    _, events = parse("lines", text, {PATH: old}, list(text))
    bodies, last = naive_lines(text + "\n")
    bodies += [] if last is None else [last]
    opened = {
        (event.old_start, event.old_count): event.hunk_id for event in events if isinstance(event, HunkOpened)
    }
    texts = {}
    for event in events:
        if isinstance(event, HunkText):
            texts[event.hunk_id] = texts.get(event.hunk_id, "") + event.text
    for start, end, lines in bodies:
        assert texts.get(opened[start, end - start], "") == "\n".join(lines)


MARKS = [
    "*** Begin Patch\n",
    "*** Update File: src/app.py\n",
    "*** Add File: new.py\n",
    "*** Delete File: src/app.py\n",
    "*** Move to: moved.py\n",
    "*** End Patch\n",
    "*** End of File\n",
    "*** src/app.py\n",
    "@@ 1,2\n",
    "@@ no-edit\n",
    "@@ -1,2 +1,2 @@\n",
    "@@ def total(items):\n",
    "--- a/src/app.py\n",
    "+++ b/src/app.py\n",
    "diff --git a/src/app.py b/src/app.py\n",
    "new file mode 100644\n",
    "deleted file mode 100644\n",
    "rename from src/app.py\nrename to x.py\n",
    "src/app.py\n",
    "```python\n",
    "```\n",
    "~~~\n",
    "<<<<<<< SEARCH\n",
    "=======\n",
    ">>>>>>> REPLACE\n",
    "<think>\n",
    "</think>\n",
    "\\ No newline at end of file\n",
    "+x = 1\n",
    "-x = 1\n",
    " x = 1\n",
    "x = 1\n",
    "\n",
    "\r",
    "\0",
    "\ud800",
]


@law(
    name=st.sampled_from([*FORMATS, "auto"]),
    parts=st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=6)), max_size=25),
    data=st.data(),
)
def test_any_soup_of_markers_gives_hunks_or_failures_and_never_a_crash(name, parts, data):
    text = "".join(parts)
    files = {PATH: ["def total(items):", "    return 1", "", "x = 1", "y = 2"]}
    parser, whole = parse(name, text, files)
    _, pieces = parse(name, text, files, data.draw(cuts(text)))
    assert joined(pieces) == joined(whole)
    for hunk in parser.hunks:
        if hunk.kind == "edit":
            start = hunk.old_start - 1
            assert tuple(files[hunk.path][start : start + len(hunk.old_lines)]) == hunk.old_lines
    ids = [event.hunk_id for event in whole if isinstance(event, HunkClosed)]
    assert len(ids) == len(set(ids))


@law(name=st.sampled_from([*FORMATS, "auto"]), data=st.binary(max_size=400))
def test_random_bytes_give_events_and_never_a_crash(name, data):
    text = data.decode("utf-8", "surrogateescape")
    parser, _ = parse(name, text, {PATH: ["x"]}, list(text))
    assert all(hunk.path for hunk in parser.hunks)


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FORMATS, "auto"])
def test_a_hundred_megabytes_of_noise_take_no_memory(name):
    source = random.Random(7)
    parser = Parser(name, {PATH: ["x = 1", "y = 2"]}.get, max_chars=200_000)
    marks = [mark for mark in MARKS if "\ud800" not in mark]
    sizes = []
    fed = 0
    while fed < 100_000_000:
        noise = source.randbytes(50_000).decode("latin-1")
        for _ in range(5):
            at = source.randrange(len(noise))
            noise = noise[:at] + "\n" + source.choice(marks) + noise[at:]
        fed += len(noise)
        for _ in parser.feed(noise):
            pass
        sizes.append(resident_bytes())
    for _ in parser.finish():
        pass
    early, late = max(sizes[200:400]), max(sizes[-200:])
    print(f"{name}: {fed} characters, {early / 1e6:.0f} MB resident early, {late / 1e6:.0f} MB late")
    assert late < early + 20_000_000
