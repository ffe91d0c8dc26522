"""Plain text stays plain, pieces joined are the whole, and no half character is ever given."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tokenizers_by_kind import LINES, byte_level, meta_space, space_marks

from spark_tui.engine.text.detokenizer import REPLACEMENT, byte_alphabet
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import MalformedInput, NoBackend

BYTES = Tokenizer(byte_level())
MARKS = Tokenizer(space_marks())
BARE_MARKS = Tokenizer(space_marks(strip=False))
META = Tokenizer(meta_space())
TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("<s> ▁\n\t|")), max_size=30
)


def streamed(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    stream = tokenizer.stream()
    return [*(stream.push(token) for token in ids), stream.flush()]


@given(TEXTS)
def test_byte_level_text_comes_back_as_it_was(text: str) -> None:
    ids = BYTES.encode(text)
    assert BYTES.decode(ids) == text
    assert "".join(streamed(BYTES, ids)) == text


@given(TEXTS.filter(lambda text: "▁" not in text))
def test_text_with_byte_fallback_comes_back_as_it_was(text: str) -> None:
    assert "".join(streamed(MARKS, MARKS.encode(text))) == text
    assert "".join(streamed(BARE_MARKS, BARE_MARKS.encode(text))) == text


@given(st.lists(st.integers(0, 330), max_size=25))
def test_any_byte_level_ids_stream_to_what_they_decode_to(ids: list[int]) -> None:
    assert "".join(streamed(BYTES, ids)) == BYTES.decode(ids)


@given(st.lists(st.integers(0, META.highest_id), max_size=25))
def test_any_ids_stream_to_what_they_decode_to_where_bytes_are_not_known(ids: list[int]) -> None:
    assert "".join(streamed(META, ids)) == META.decode(ids)


@given(st.sampled_from(LINES), st.sampled_from([BYTES, MARKS, BARE_MARKS]))
def test_no_piece_holds_half_a_character(line: str, tokenizer: Tokenizer) -> None:
    assert all(REPLACEMENT not in piece for piece in streamed(tokenizer, tokenizer.encode(line)))


def test_a_character_of_four_bytes_arrives_with_its_last_byte() -> None:
    ids = MARKS.encode("😀")
    assert len(ids) == 5, "the mark of the beginning, then four bytes"
    assert streamed(MARKS, ids) == ["", "", "", "", "😀", ""]


def test_a_broken_character_is_shown_as_such_only_at_the_end() -> None:
    ids = MARKS.encode("😀")[:3]
    assert streamed(MARKS, ids) == ["", "", "", REPLACEMENT]


def test_a_flushed_stream_begins_again() -> None:
    stream = MARKS.stream()
    ids = MARKS.encode("return")
    first = "".join(stream.push(token) for token in ids) + stream.flush()
    assert "".join(stream.push(token) for token in ids) + stream.flush() == first == "return"


def test_special_tokens_in_plain_text_stay_plain() -> None:
    for tokenizer, text in ((BYTES, "a <|user|> b"), (MARKS, "a </s> b")):
        ids = tokenizer.encode(text)
        assert not tokenizer.special_ids & set(ids)
        assert tokenizer.decode(ids) == text


def test_marked_text_reads_special_tokens_and_the_next_plain_text_does_not() -> None:
    user = BYTES.id_of("<|user|>")
    assert user in BYTES.encode_marked("<|user|>hi")
    assert user not in BYTES.encode("<|user|>hi")


def test_special_tokens_are_left_out_of_text() -> None:
    assert "".join(streamed(BYTES, BYTES.encode_marked("<|user|>hi</s>"))) == "hi"


def test_an_id_outside_the_vocabulary_is_no_text_and_no_crash() -> None:
    for token in (-1, 10**6, 2**40):
        assert BYTES.bytes_of(token) == b""
        assert BYTES.token(token) is None


def test_the_byte_alphabet_names_every_byte_once() -> None:
    assert sorted(byte_alphabet().values()) == list(range(256))


def test_the_highest_ids_count_special_tokens_apart() -> None:
    tokenizer = byte_level()
    tokenizer.add_special_tokens(["<|image|>"])
    loaded = Tokenizer(tokenizer)
    assert loaded.highest_id == loaded.id_of("<|image|>")
    assert loaded.highest_plain_id == loaded.highest_id - 1
    assert loaded.vocab_size == loaded.highest_id + 1


def write(folder: Path, config: object = None) -> Path:
    byte_level().save(str(folder / "tokenizer.json"))
    if config is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


def test_configured_tokens_are_read_in_both_spellings(tmp_path: Path) -> None:
    loaded = Tokenizer.load(
        write(tmp_path, {"bos_token": {"content": "<s>"}, "eos_token": "</s>", "pad_token": None})
    )
    assert [loaded.configured_token(key) for key in ("bos_token", "eos_token", "pad_token")] == [
        "<s>",
        "</s>",
        "",
    ]


def test_a_folder_without_a_tokenizer_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(NoBackend, match="save_pretrained"):
        Tokenizer.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "text"), [("tokenizer.json", "{}"), ("tokenizer.json", "{"), ("tokenizer_config.json", "[")]
)
def test_a_damaged_tokenizer_names_its_file(tmp_path: Path, name: str, text: str) -> None:
    (write(tmp_path) / name).write_text(text)
    with pytest.raises(MalformedInput) as caught:
        Tokenizer.load(tmp_path)
    assert caught.value.where.endswith(name)


def test_a_model_without_a_template_says_so() -> None:
    with pytest.raises(NoBackend, match="no chat template"):
        BYTES.encode_chat([{"role": "user", "content": "hi"}])


def test_the_post_processor_marks_raw_prompts_only() -> None:
    from tokenizers.processors import TemplateProcessing

    backend = byte_level()
    backend.post_processor = TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    tokenizer = Tokenizer(backend)
    assert tokenizer.encode_prompt("hi") == [0, *tokenizer.encode("hi")]
    assert tokenizer.encode("hi")[0] != 0


@pytest.mark.parametrize(
    ("part", "value"), [("unk_token", "nowhere"), ("continuing_subword_prefix", "▁▁▁▁▁▁")]
)
def test_what_the_library_cannot_do_names_its_file(tmp_path: Path, part: str, value: str) -> None:
    """It panics, or raises what is no error of ours."""
    raw = json.loads(space_marks().to_str())
    raw["model"] |= {part: value, "byte_fallback": False}
    (tmp_path / "tokenizer.json").write_text(json.dumps(raw))
    with pytest.raises(MalformedInput, match="is not a tokenizer that works") as caught:
        Tokenizer.load(tmp_path).encode("Ω")
    assert caught.value.where.endswith("tokenizer.json")


def test_how_a_file_cut_its_texts_for_training_does_not_cut_prompts(tmp_path: Path) -> None:
    backend = byte_level()
    backend.enable_truncation(4)
    backend.enable_padding(length=64, pad_id=0, pad_token="<s>")
    backend.save(str(tmp_path / "tokenizer.json"))
    assert Tokenizer.load(tmp_path).encode(LINES[0]) == BYTES.encode(LINES[0])


def test_a_byte_of_a_name_that_is_no_text_is_read_as_a_question_mark() -> None:
    assert BYTES.encode("caf\udce9.py") == BYTES.encode("caf?.py")
