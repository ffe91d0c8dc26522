"""The layout of docs/model-format.md: ids of a prompt, tag rows, and answers read back as text."""

from __future__ import annotations

from support.tag_rows import tag_rows

from spark_tui.engine.text import token_layout


def encode(text: str) -> list[int]:
    return [32 + byte for byte in text.encode()]


def text_of(token: int) -> str:
    return bytes([token - 32]).decode()


def test_a_prompt_reads_file_then_instruction_then_out() -> None:
    prompt = token_layout.EncodedPrompt("a/b/c.py", ("x", "yy"), "go")
    ids = token_layout.encode_prompt(encode, prompt)
    expected = [token_layout.FILE, *encode("b/c.py"), 8192, *encode("x"), 8193, *encode("yy"), 8194]
    assert ids == [*expected, token_layout.INSTR, *encode("go"), token_layout.OUT]


def test_only_text_of_file_lines_gets_a_tag_added() -> None:
    ids = token_layout.encode_prompt(encode, token_layout.EncodedPrompt("c.py", ("x", "yy"), "fix line 2"))
    rows = tag_rows(ids)
    tagged = [(token, row) for token, row in zip(ids, rows, strict=True) if row >= 0]
    assert tagged == [(encode("x")[0], 8192), (encode("y")[0], 8193), (encode("y")[0], 8193)]


def test_tag_rows_do_not_depend_on_how_the_ids_arrive() -> None:
    ids = token_layout.encode_prompt(
        encode, token_layout.EncodedPrompt("c.py", ("x", "yy", ""), "fix line 2"), start=510
    )
    whole = tag_rows(ids)
    for cut in range(len(ids)):
        assert tag_rows(ids[:cut], ids[cut:]) == whole


def test_line_numbers_in_the_window_become_tags_and_others_stay_digits() -> None:
    ids = token_layout.encode_instruction(encode, "swap lines 11-12, not line 99", 5, first_line=10)
    assert ids == [*encode("swap lines "), 8193, *encode("-"), 8194, *encode(", not line 99")]
    endless = "1" * 5_000  # more digits than Python takes for a number
    assert token_layout.encode_instruction(encode, f"line {endless}", 5) == encode(f"line {endless}")


def test_written_ids_read_back_as_the_lines_format() -> None:
    hunks = [
        token_layout.WindowHunk(0, 1, ("a", "", "b")),
        token_layout.WindowHunk(3, 3, ("c",)),
        token_layout.WindowHunk(5, 6),
    ]
    for start in (0, 509):
        ids = [token for hunk in hunks for token in token_layout.encode_hunk(encode, hunk, start)]
        reader = token_layout.AnswerReader("m.py", text_of, first_line=21, start=start)
        text = "".join(reader.read(token) for token in [*ids, token_layout.EOS])
        assert text == "*** m.py\n@@ 21,22\n+a\n+\n+b\n\n@@ 24,24\n+c\n\n@@ 26,27\n\n"
        assert reader.finished
        assert not reader.broken


def test_the_answers_without_an_edit_have_their_own_text() -> None:
    for token, words in ((token_layout.NOEDIT, "@@ no-edit\n"), (token_layout.CANNOT, "@@ cannot\n")):
        reader = token_layout.AnswerReader("m.py", text_of)
        assert reader.read(token) + reader.read(token_layout.EOS) == "*** m.py\n" + words


def test_an_id_out_of_place_breaks_the_answer_instead_of_guessing() -> None:
    for ids in (
        [40],
        [token_layout.HUNK, 40],
        [token_layout.HUNK, 8195, 8192],
        [token_layout.HUNK, 8192, 8193, token_layout.OUT],
    ):
        reader = token_layout.AnswerReader("m.py", text_of)
        for token in ids:
            reader.read(token)
        assert reader.broken


def test_a_fill_in_prompt_puts_the_suffix_first_and_bounds_it() -> None:
    ids = token_layout.encode_fill(encode, "a\nb", "s" * 500)
    assert ids == [token_layout.SUF, *encode("s" * 128), token_layout.PRE, *encode("a\nb")]
