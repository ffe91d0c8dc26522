"""Say a change from old lines to new ones in each edit format, the way a careful model would.

An independent writer for tests: it shares no code with the parsers, so that a mistake cannot cancel itself
out.
"""

from difflib import SequenceMatcher

from hypothesis import strategies as st

WRONG_BY = 7
"""So far off are line numbers that are meant to be wrong."""
FORMATS = ("lines", "search_replace", "apply_patch", "udiff", "whole")


def blocks(old, new):
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [code[1:] for code in matcher.get_opcodes() if code[0] != "equal"]


def occurrences(lines, part):
    """Starts at which the part stands, compared the loosest way: without surrounding space."""
    bare, want = [line.strip() for line in lines], [line.strip() for line in part]
    return [at for at in range(len(lines) - len(part) + 1) if bare[at : at + len(part)] == want]


def stretches(old, new):
    """Changed blocks with as many unchanged lines around that the old side stands only once, also where
    blocks above it are made already: what could mean two places is refused; (o0, o1, n0, n1)."""
    grown = []
    for block in blocks(old, new):
        low, high = block[:2]
        so_far = [*new[: block[2]], *old[block[0] :]]
        while (low > 0 or high < len(old)) and not (
            _stands_once(old, low, high) and len(occurrences(so_far, old[low:high])) <= 1
        ):
            low, high = max(low - 1, 0), min(high + 1, len(old))
        grown.append((low, high, block))
    return merged(grown)


def _stands_once(old, low, high):
    part = old[low:high]
    return any(line.strip() for line in part) and len(occurrences(old, part)) == 1


def merged(grown):
    """Stretches that overlap or touch become one. The new side follows from the blocks inside."""
    groups = []
    for low, high, block in sorted(grown, key=lambda item: item[2]):
        inside = [block]
        while groups and low <= groups[-1][1]:
            before = groups.pop()
            low, high, inside = min(low, before[0]), max(high, before[1]), before[2] + inside
        groups.append((low, high, inside))
    return [
        (low, high, inside[0][2] - (inside[0][0] - low), inside[-1][3] + (high - inside[-1][1]))
        for low, high, inside in groups
    ]


def in_lines(path, old, new):
    text = f"*** {path}\n"
    for a0, a1, b0, b1 in blocks(old, new):
        text += f"@@ {a0 + 1},{a1 + 1}\n" + "".join(f"+{line}\n" for line in new[b0:b1])
    return text


def in_search_replace(path, old, new):
    text = ""
    for a0, a1, b0, b1 in stretches(old, new):
        search = "".join(f"{line}\n" for line in old[a0:a1])
        replace = "".join(f"{line}\n" for line in new[b0:b1])
        text += f"{path}\n```\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n```\n\n"
    return text


def signed(old, new):
    out = []
    at = 0
    for a0, a1, b0, b1 in blocks(old, new):
        out += [" " + line for line in old[at:a0]]
        out += ["-" + line for line in old[a0:a1]]
        out += ["+" + line for line in new[b0:b1]]
        at = a1
    return out + [" " + line for line in old[at:]]


def in_apply_patch(path, old, new):
    text = f"*** Begin Patch\n*** Update File: {path}\n"
    for a0, a1, b0, b1 in stretches(old, new):
        text += "@@\n" + "".join(row + "\n" for row in signed(old[a0:a1], new[b0:b1]))
    return text + "*** End Patch\n"


def in_udiff(path, old, new, numbers="true", context=3):
    text = f"--- a/{path}\n+++ b/{path}\n"
    if numbers == "true":
        around = [
            (max(block[0] - context, 0), min(block[1] + context, len(old)), block)
            for block in blocks(old, new)
        ]
        parts = merged(around)
    else:
        parts = stretches(old, new)
    for a0, a1, b0, b1 in parts:
        rows = signed(old[a0:a1], new[b0:b1])
        text += head_of((a0, a1, b0, b1), numbers) + "\n" + "".join(row + "\n" for row in rows)
    return text


def head_of(part, numbers):
    if numbers == "none":
        return "@@ @@"
    a0, a1, b0, b1 = part
    shift = 0 if numbers == "true" else WRONG_BY
    old_start, new_start = a0 + shift + (a1 > a0), b0 + shift + (b1 > b0)
    return f"@@ -{old_start},{a1 - a0} +{new_start},{b1 - b0} @@"


def in_whole(path, new):
    longest = max((len(run) for line in new for run in line.split() if set(run) == {"`"}), default=0)
    fence = "`" * max(3, longest + 1, *(line.count("`") + 1 for line in [*new, ""]))
    return f"{path}\n{fence}\n" + "".join(f"{line}\n" for line in new) + f"{fence}\n"


def write(name, path, old, new):
    """The change in one format."""
    if name == "lines":
        return in_lines(path, old, new)
    if name == "search_replace":
        return in_search_replace(path, old, new)
    if name == "apply_patch":
        return in_apply_patch(path, old, new)
    if name == "udiff":
        return in_udiff(path, old, new)
    return in_whole(path, new)


PLAIN = [
    "def total(items):",
    "    return sum(items)",
    "    pass",
    "",
    "x = 1",
    "if x:",
    "    y = 2",
    "}",
    "# Überschrift – naïve",
    "\tindented = True",
    "trailing  ",
    "日本語 = 'x'",
]
TRICKY = [
    *PLAIN,
    "*** Update File: other.py",
    "@@ 1,2",
    "@@ -1,2 +1,2 @@",
    "+ plus",
    "- minus",
    "-- two",
    "+++ b/x",
    "--- a/x",
    "<think>",
    "*** End Patch",
    "diff --git a/x b/x",
]


def file_lines(alphabet=tuple(PLAIN), low=0, high=14):
    return st.lists(st.sampled_from(alphabet), min_size=low, max_size=high)


@st.composite
def changes(draw, alphabet=tuple(PLAIN), low=1, high=14):
    """Old and new lines that have something in common."""
    old = draw(file_lines(alphabet, low, high))
    new = list(old)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(new)))
        gone = draw(st.integers(0, 3))
        new[at : at + gone] = draw(
            st.lists(st.sampled_from([*alphabet, "new line", "other line"]), max_size=3)
        )
    return old, new


@st.composite
def cuts(draw, text):
    """The text in pieces."""
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def joined(events):
    """Events with neighbouring pieces of text put together: what must not depend on the cut."""
    out = []
    for event in events:
        kind = type(event).__name__
        before = out[-1] if out else None
        same = before is not None and type(before) is type(event)
        if kind in ("Prose", "Reasoning") and same:
            out[-1] = type(event)(before.text + event.text)
        elif kind == "HunkText" and same and before.hunk_id == event.hunk_id:
            out[-1] = type(event)(event.hunk_id, before.text + event.text)
        else:
            out.append(event)
    return out
