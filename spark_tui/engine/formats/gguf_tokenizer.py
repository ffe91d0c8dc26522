"""Build a `Tokenizer` from the metadata of a GGUF file, equal to the one that a `tokenizer.json` gives.

Only vocabularies with a known pre-tokenizer are accepted: a wrong split gives plausible but wrong ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend

from spark_tui.engine.text.chat_template import ChatTemplate
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import MalformedInput, Misfit, NoBackend

_CONTROL, _USER_DEFINED = 3, 4
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_LLAMA3 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|" + _REST
_QWEN2 = _CONTRACTIONS + r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|" + _REST
_PLAIN = ("gpt-2", "gpt2", "default")
_DIGITS_FIRST = ("starcoder", "smollm", "refact", "codeshell")
_LLAMA3_NAMES = ("llama-bpe", "llama3", "llama-v3")
_SPLITS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_LLAMA3_NAMES, (_LLAMA3,)),
    "qwen2": (_QWEN2,),
    "deepseek-r1-qwen": (_QWEN2,),
    "deepseek-coder": (r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", r"[一-龥ࠀ-一가-퟿]+", r"\p{N}"),
}


def gguf_tokenizer(metadata: Mapping[str, Any], where: str) -> Tokenizer:
    """Raises `Misfit` for a kind that is not known, `MalformedInput` for lists that do not agree."""
    if "tokenizer.ggml.model" not in metadata:
        raise NoBackend("this file has no tokenizer", where=where)
    tokens = _texts(metadata, "tokenizer.ggml.tokens", where)
    kinds = metadata.get("tokenizer.ggml.token_type") or [1] * len(tokens)
    if len(kinds) != len(tokens):
        raise MalformedInput(f"{len(kinds)} token types for {len(tokens)} tokens", where=where)
    model = metadata.get("tokenizer.ggml.model")
    if model == "gpt2":
        backend = _byte_level(metadata, tokens, where)
    elif model == "llama":
        backend = _space_marks(metadata, tokens, kinds, where)
    else:
        raise Misfit(
            f"the GGUF tokenizer {model!r} is not supported", where=where, hint="Supported: gpt2, llama."
        )
    for kind, special in ((_CONTROL, True), (_USER_DEFINED, False)):
        texts = [text for text, found in zip(tokens, kinds, strict=True) if found == kind]
        backend.add_tokens([AddedToken(text, special=special, normalized=False) for text in texts])
    config = {
        key: tokens[number]
        for key, number in (
            ("bos_token", metadata.get("tokenizer.ggml.bos_token_id")),
            ("eos_token", metadata.get("tokenizer.ggml.eos_token_id")),
        )
        if isinstance(number, int) and 0 <= number < len(tokens)
    }
    begins = model == "llama" or metadata.get("tokenizer.ggml.pre") in _LLAMA3_NAMES
    if metadata.get("tokenizer.ggml.add_bos_token", begins) and (bos := config.get("bos_token")):
        number = metadata["tokenizer.ggml.bos_token_id"]
        backend.post_processor = processors.TemplateProcessing(
            single=["BOS", "$A"], special_tokens=[{"id": "BOS", "ids": [number], "tokens": [bos]}]
        )
    tokenizer = Tokenizer(backend, config=config, where=where)
    template = metadata.get("tokenizer.chat_template")
    if isinstance(template, str) and template:
        tokenizer.template = ChatTemplate(template, config, where=where)
    return tokenizer


def _texts(metadata: Mapping[str, Any], key: str, where: str) -> list[str]:
    values = metadata.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise MalformedInput(f"{key} is missing or not a list of strings", where=where)
    return values


def _byte_level(metadata: Mapping[str, Any], tokens: list[str], where: str) -> Backend:
    merges = []
    for line in _texts(metadata, "tokenizer.ggml.merges", where):
        left, space, right = line.partition(" ")
        if not space or not left or not right:
            raise MalformedInput(f"the merge {line!r} is not a pair", where=where)
        merges.append((left, right))
    split = metadata.get("tokenizer.ggml.pre", "default")
    # llama 3 takes a piece that is a token as it is, also where no merges lead to it.
    backend = Backend(_bpe(tokens, merges, where, ignore_merges=split in _LLAMA3_NAMES))
    steps: list[pre_tokenizers.PreTokenizer] = []
    if split in _DIGITS_FIRST:
        steps.append(pre_tokenizers.Digits(individual_digits=True))
    elif split in _SPLITS:
        steps += [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in _SPLITS[split]]
    elif split not in _PLAIN:
        known = sorted({*_PLAIN, *_DIGITS_FIRST, *_SPLITS})
        raise Misfit(
            f"the GGUF pre-tokenizer {split!r} is not supported",
            where=where,
            hint=f"Supported: {', '.join(known)}.",
        )
    own_split = split not in _SPLITS
    steps.append(pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=own_split))
    backend.pre_tokenizer = pre_tokenizers.Sequence(steps)
    if split in ("qwen2", "deepseek-r1-qwen"):
        backend.normalizer = normalizers.NFC()
    backend.decoder = decoders.ByteLevel()
    return backend


def _space_marks(metadata: Mapping[str, Any], tokens: list[str], kinds: list[int], where: str) -> Backend:
    """SentencePiece has scores instead of merges: the pair that joins into the better piece goes first."""
    scores = metadata.get("tokenizer.ggml.scores")
    if not isinstance(scores, list) or len(scores) != len(tokens):
        raise MalformedInput("tokenizer.ggml.scores does not belong to the tokens", where=where)
    ids = {text: number for number, text in enumerate(tokens)}
    ranked: list[tuple[float, int, str, str]] = []
    for number, (text, kind) in enumerate(zip(tokens, kinds, strict=True)):
        if kind == 1:
            pairs = ((text[:cut], text[cut:]) for cut in range(1, len(text)))
            ranked += [(-scores[number], number, a, b) for a, b in pairs if a in ids and b in ids]
    ranked.sort(key=lambda entry: entry[:2])
    unknown = metadata.get("tokenizer.ggml.unknown_token_id", 0)
    unknown_text = tokens[unknown] if isinstance(unknown, int) and 0 <= unknown < len(tokens) else None
    merges = [(left, right) for _, _, left, right in ranked]
    backend = Backend(_bpe(tokens, merges, where, unk_token=unknown_text, fuse_unk=True, byte_fallback=True))
    prefix = metadata.get("tokenizer.ggml.add_space_prefix", True)
    marks = normalizers.Replace(" ", "▁")
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), marks]) if prefix else marks
    chain: list[decoders.Decoder] = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*chain, decoders.Strip(" ", 1, 0)] if prefix else chain)
    return backend


def _bpe(tokens: list[str], merges: list[tuple[str, str]], where: str, **settings: Any) -> models.BPE:
    try:
        return models.BPE(
            vocab={text: number for number, text in enumerate(tokens)}, merges=merges, **settings
        )
    except Exception as error:  # the library raises bare Exception
        raise MalformedInput(f"the vocabulary and its merges do not agree ({error})", where=where) from error
