"""What clients read: the model's hunks in their formats give the same file, and prompts are understood."""

import base64
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends.base import FilePart
from spark_tui.edits.hunk_builder import ordered
from spark_tui.edits.parser import Parser
from spark_tui.events import HunkClosed
from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.prompts import prompt_parser
from spark_tui.serve.prompts.client_tools import ClientTools
from spark_tui.serve.rendering import output_formats

LINE = st.sampled_from(["a", "b", "    return x", "", "}", "def f():", "+x", "*** y"])
FILES = st.lists(LINE, min_size=1, max_size=14)

FREE = ClientTools(free_patch=True)


def random_edit(lines, seed):
    """Line ranges that do not touch, with new lines; and the file that they make."""
    chance = random.Random(seed)
    out, text, at = [], "*** a.py\n", 0
    while at < len(lines):
        if chance.random() < 0.35:
            end = min(len(lines), at + chance.randrange(3))
            new = [
                chance.choice(["new", "", "    x = 2", "a"]) for _ in range(chance.randrange(3) + (end == at))
            ]
            text += f"@@ {at + 1},{end + 1}\n" + "".join(f"+{line}\n" for line in new)
            out += new
            keep = min(len(lines), end + 1)
            out += lines[end:keep]
            at = keep
        else:
            out.append(lines[at])
            at += 1
    return text, out


def said(translator, text, cut):
    pieces = [text[at : at + cut] for at in range(0, len(text), cut)]
    out = [piece for part in pieces for piece in translator.feed(part)]
    return out + list(translator.finish())


def apply_blocks(lines, text):
    """What a client does that takes the blocks one by one, each in the file as the last one left it."""
    body = "".join(line + "\n" for line in lines)
    for block in text.split("<<<<<<< SEARCH\n")[1:]:
        search, rest = block.split("=======\n", 1)
        replace = rest.split(">>>>>>> REPLACE", 1)[0]
        at = 0 if body.startswith(search) else body.find("\n" + search) + 1
        assert body[at:].startswith(search)
        body = body[:at] + replace + body[at + len(search) :]
    return body


@given(FILES, st.integers(0, 10**6), st.sampled_from([1, 3, 1000]))
def test_blocks_applied_one_by_one_make_the_models_file(lines, seed, cut):
    text, wanted = random_edit(lines, seed)
    file = FilePart("a.py", "".join(line + "\n" for line in lines), 1, len(lines))
    out = said(output_formats.SearchReplaceTranslator("lines", [file]), text, cut)
    blocks = "".join(piece.text for piece in out if "SEARCH" in piece.text)
    assert apply_blocks(lines, blocks) == "".join(line + "\n" for line in wanted)


@given(FILES, st.integers(0, 10**6))
def test_the_patch_makes_the_models_file(lines, seed):
    text, wanted = random_edit(lines, seed)
    file = FilePart("a.py", "".join(line + "\n" for line in lines), 1, len(lines))
    patch = "".join(
        piece.text
        for piece in said(output_formats.PatchTranslator("lines", [file], FREE), text, 5)
        if piece.to == "patch"
    )
    if not patch:
        assert wanted == lines
        return
    assert patch.count("*** Update File: a.py") == 1
    # What stands after each mark, read as the format says, is the file before and after.
    rows = patch.split("\n")[2:-1]
    old = [row[1:] for row in rows if row[:1] in (" ", "-")]
    assert all(row[:1] in (" ", "-", "+") or row == "@@" for row in rows)
    at = 0
    for line in old:
        at = lines.index(line, at) + 1


def test_a_patch_is_read_back_to_the_same_hunks():
    lines = [f"line {n}" for n in range(20)]
    text = "*** a.py\n@@ 3,5\n+three\n@@ 9,9\n+between\n@@ 18,19\n"
    file = FilePart("a.py", "".join(line + "\n" for line in lines), 1, 20)
    patch = "".join(
        piece.text
        for piece in said(output_formats.PatchTranslator("lines", [file], FREE), text, 4)
        if piece.to == "patch"
    )
    parser = Parser("apply_patch", {"a.py": lines}.get)
    events = [*parser.feed(patch), *parser.finish()]
    got = [(e.old_start, e.old_lines, e.new_lines) for e in events if isinstance(e, HunkClosed)]
    assert got == [
        (3, ("line 2", "line 3"), ("three",)),
        (9, (), ("between",)),
        (18, ("line 17",), ()),
    ]
    assert ordered(parser.hunks)


def test_fences_grow_past_those_in_the_text():
    file = FilePart("a.md", "x\n```\ny\n", 1, 3)
    (piece,) = said(output_formats.SearchReplaceTranslator("lines", [file]), "*** a.md\n@@ 2,3\n+````\n", 100)
    assert piece.text.startswith("a.md\n`````\n<<<<<<< SEARCH\n")


def test_a_patch_of_the_model_goes_to_the_tool_and_its_words_to_the_message():
    text = "First words.\n*** Begin Patch\n*** Add File: b\n+x\n*** End Patch\nLast words."
    out = said(output_formats.PatchSplitter(), text, 3)
    assert (
        "".join(p.text for p in out if p.to == "patch")
        == "*** Begin Patch\n*** Add File: b\n+x\n*** End Patch"
    )
    assert "".join(p.text for p in out if p.to == "message") == "First words.\nLast words."


@pytest.mark.parametrize(
    "text",
    [
        "shop/cart.py\n```python\nx = 1\n```\ndo it",
        "```python shop/cart.py\nx = 1\n```\ndo it",
        "do it\n\n**shop/cart.py**\n\n```\nother\n```\n### shop/cart.py\n~~~\nx = 1\n~~~",
        "`shop/cart.py`:\n````\nx = 1\n````\ndo it",
    ],
)
def test_files_in_messages_are_found(text):
    asked = prompt_parser.from_responses(text, "")
    assert [(part.path, part.text) for part in asked.files] == [("shop/cart.py", "x = 1\n")]
    assert "do it" in asked.instruction


def test_code_without_a_path_stays_in_the_instruction():
    asked = prompt_parser.from_responses("like this:\n```python\nx = 1\n```\nplease", "")
    assert asked.files == ()
    assert "x = 1" in asked.instruction


def test_the_newest_text_of_a_path_counts_and_the_named_file_stands_first():
    talk = [
        {"role": "user", "content": "a.py\n```\nold\n```\nb.py\n```\nb\n```\nfirst"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "a.py\n```\nnew\n```\nchange b.py"},
    ]
    asked = prompt_parser.from_chat(talk)
    assert [(part.path, part.text) for part in asked.files] == [("b.py", "b\n"), ("a.py", "new\n")]


def test_attached_files_are_read_and_others_are_not_fetched():
    data = "data:text/plain;base64," + base64.b64encode(b"x = 1\n").decode()
    part = {"type": "input_file", "filename": "a.py", "file_data": data}
    asked = prompt_parser.from_responses(
        [{"role": "user", "content": [part, {"type": "input_text", "text": "go"}]}], "r"
    )
    assert (asked.files[0].path, asked.files[0].text, asked.rules) == ("a.py", "x = 1\n", "r")
    for wrong in ({"type": "input_file", "file_id": "f"}, {**part, "file_data": "data:x;base64,!!"}):
        with pytest.raises(ApiError):
            prompt_parser.from_responses([{"role": "user", "content": [wrong]}], "")


@given(st.text(max_size=300))
def test_any_text_is_understood_somehow(text):
    try:
        asked = prompt_parser.from_responses(text, "")
    except ApiError as problem:
        assert problem.code == "missing_instruction"
    else:
        assert asked.instruction


def test_where_the_person_is_in_a_file_travels_with_it():
    def file(name, **place):
        data = "data:text/plain;base64," + base64.b64encode(b"x = 1\n").decode()
        return {"type": "input_file", "filename": name, "file_data": data, **place}

    def read(text, *files):
        said = {"role": "user", "content": [*files, {"type": "input_text", "text": text}]}
        return prompt_parser.from_responses([said], "")

    asked = read("rename x", file("a.py", selection=[1, 1], cursor=1), file("b.py"))
    assert [part.path for part in asked.files] == ["a.py", "b.py"]
    assert (asked.selection, asked.cursor) == ((1, 1), 1)
    named = read("rename x in b.py", file("a.py", selection=[1, 1], cursor=1), file("b.py", cursor=2))
    assert ([part.path for part in named.files], named.selection, named.cursor) == (
        ["b.py", "a.py"],
        (0, 0),
        2,
    )
    later = read("rename x", file("a.py", cursor=1), file("a.py"))
    assert (later.selection, later.cursor) == ((0, 0), 0)
    for wrong in (
        {"cursor": -1},
        {"cursor": "1"},
        {"selection": [1]},
        {"selection": [1, None]},
        {"selection": 3},
    ):
        with pytest.raises(ApiError) as caught:
            read("x", file("a.py", **wrong))
        assert caught.value.status == 400


def test_a_prompt_shows_so_many_files_at_most():
    files = [{"type": "file", "file": {"filename": f"{n}.py", "file_data": "x"}} for n in range(1_001)]
    assert len(prompt_parser.from_chat([{"role": "user", "content": [*files[1:], "go"]}]).files) == 1_000
    with pytest.raises(ApiError, match="at most 1000 files"):
        prompt_parser.from_chat([{"role": "user", "content": [*files, "go"]}])
