"""Trains the byte-level BPE tokenizer of the family `spark`.

A space never belongs to a name, so an identifier has the same tokens wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from spark_tui.engine.text import token_layout

_KEYWORDS = (
    "and|as|assert|async|await|class|def|del|elif|else|except|for|from|if|import|in|is|lambda|not|or"
    "|raise|return|while|with|yield|the|of|to|this|that|should|instead"
)
SPLIT = "|".join(
    [
        r"\n",
        r" {2,}",
        r"\t+",
        rf" ?\b(?:{_KEYWORDS}) (?=\S)",
        r"\b(?:self|cls)\.",
        r"\d",
        r"_*(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)",
        r"_+",
        r"[^\x00-\x7f]+",
        r" ?[!-/:-@\[-^`{-~]+(?: (?! ))?",
        r"\s",
    ]
)


def train(texts: Iterable[str], vocab_size: int = token_layout.TAG_FIRST_ID) -> Tokenizer:
    """A tokenizer whose BPE part fills the ids up to the first tag. If there is too little text, reserved
    ids fill the rest."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(SPLIT), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=2,
        special_tokens=list(token_layout.OPERATOR_TEXTS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        max_token_length=24,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    missing = token_layout.TAG_FIRST_ID - tokenizer.get_vocab_size()
    tokenizer.add_special_tokens([AddedToken(f"<|fill{number}|>", special=True) for number in range(missing)])
    tokenizer.add_special_tokens([AddedToken(text, special=True) for text in token_layout.TAG_TEXTS])
    check(tokenizer)
    return tokenizer


def check(tokenizer: Tokenizer) -> None:
    """Checks that the fixed ids are those of the layout."""
    expected = {text: number for number, text in enumerate(token_layout.OPERATOR_TEXTS)}
    expected |= {
        text: token_layout.TAG_FIRST_ID + number for number, text in enumerate(token_layout.TAG_TEXTS)
    }
    for text, number in expected.items():
        if tokenizer.token_to_id(text) != number:
            raise ValueError(f"{text} has id {tokenizer.token_to_id(text)}, the layout says {number}")
