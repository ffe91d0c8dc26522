"""Models of a few thousand weights: a `spark` that writes random but well-formed hunks, and a chat model."""

from __future__ import annotations

from support.spark_tokenizer import spark_tokenizer
from support.tokenizers_by_kind import byte_level

from spark_tui.backends.local.backend import LocalBackend
from spark_tui.engine import Engine
from spark_tui.engine.architecture import Arch, Tags
from spark_tui.engine.model_sizes import random_weights
from spark_tui.engine.text.chat_template import ChatTemplate
from spark_tui.engine.tokenizer import Tokenizer

CHAT = """\
{%- for m in messages %}{{ '<s>' + m.role + '\\n' + m.content + '</s>\\n' }}{% endfor %}
{%- if add_generation_prompt %}{{ '<s>assistant\\n' }}{% endif %}"""
SPARK_SETTINGS = {"gate": {"cannot": 1.0, "doubt": 0.0}, "max_window_lines": 300}


def arch(family: str, vocab: int, **more) -> Arch:
    sizes = {"d_model": 32, "n_layers": 2, "n_heads": 2, "n_kv_heads": 1, "head_dim": 16, "d_ff": 48}
    return Arch(family=family, name=f"tiny-{family}", vocab_size=vocab, max_positions=2048, **sizes, **more)


def spark_backend(seed: int = 0, settings=None, **more) -> LocalBackend:
    shape = arch(
        "spark",
        8704,
        qk_norm=True,
        smear=True,
        tags=Tags(8192, 512, tuple(range(32))),
        windows=(256, 0),
        eos_ids=(1,),
    )
    engine = Engine(shape, random_weights(shape, seed), spark_tokenizer(), cache_bytes=32 << 20)
    return LocalBackend(engine, settings or SPARK_SETTINGS, **more)


def chat_tokenizer(template: bool = True) -> Tokenizer:
    tokenizer = Tokenizer(byte_level())
    if template:
        tokenizer.template = ChatTemplate(CHAT)
    return tokenizer


def chat_backend(seed: int = 0, template: bool = True, cache_bytes: int = 32 << 20) -> LocalBackend:
    tokenizer = chat_tokenizer(template)
    shape = arch("llama", tokenizer.vocab_size, eos_ids=(1,))
    return LocalBackend(Engine(shape, random_weights(shape, seed), tokenizer, cache_bytes=cache_bytes))
