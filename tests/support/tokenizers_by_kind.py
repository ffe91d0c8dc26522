"""Tiny tokenizers of every decoder kind, trained in milliseconds on a few lines."""

from __future__ import annotations

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

LINES = [
    "def area(width: float, height: float) -> float:",
    "    return width * height  # naïve",
    "print('héllo wörld', 42)",
    "für Straße – „Größe“ 日本語 😀",
]


def byte_level(specials: tuple[str, ...] = ("<s>", "</s>", "<|user|>")) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=list(specials),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(LINES, trainer)
    tokenizer.add_tokens([AddedToken("two words", normalized=False)])
    return tokenizer


def space_marks(strip: bool = True) -> Tokenizer:
    """As llama 2 and gemma have it: spaces are ▁, unknown characters fall back to bytes."""
    characters = sorted(set("".join(LINES[:3]).replace(" ", "▁")))
    vocab = {"<unk>": 0, "<s>": 1, "</s>": 2}
    for byte in range(256):
        vocab[f"<0x{byte:02X}>"] = len(vocab)
    for char in [*characters, "▁d", "re", "▁re", "th"]:
        vocab.setdefault(char, len(vocab))
    merges = [("▁", "d"), ("r", "e"), ("▁", "re"), ("t", "h")]
    tokenizer = Tokenizer(
        models.BPE(vocab=vocab, merges=merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    )
    steps = [normalizers.Replace(" ", "▁")]
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), *steps] if strip else steps)
    chain = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    tokenizer.decoder = decoders.Sequence([*chain, decoders.Strip(" ", 1, 0)] if strip else chain)
    tokenizer.add_special_tokens(["<unk>", "<s>", "</s>"])
    return tokenizer


def meta_space() -> Tokenizer:
    """A decoder whose bytes are not known in advance."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(vocab_size=200, special_tokens=["<unk>", "</s>"], show_progress=False)
    tokenizer.train_from_iterator(LINES, trainer)
    return tokenizer
