"""Named model sizes with random weights, for benchmarks and tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.architecture import Arch, Rope, Tags, weight_shapes
from spark_tui.errors import UsageError


def _llama(name: str, vocab: int, d: int, layers: int, heads: int, kv: int, d_ff: int) -> Arch:
    return Arch(
        family="llama",
        name=name,
        vocab_size=vocab,
        d_model=d,
        n_layers=layers,
        n_heads=heads,
        n_kv_heads=kv,
        head_dim=64,
        d_ff=d_ff,
        max_positions=131_072,
        norm_eps=1e-5,
    )


SPARK_TAGS = Tags(first=8192, count=512, ends=tuple(range(32)))


def _spark(name: str, *, long: bool = False) -> Arch:
    return Arch(
        family="spark",
        name=name,
        vocab_size=8704,
        d_model=384,
        n_layers=6,
        n_heads=6,
        n_kv_heads=2,
        head_dim=64,
        d_ff=1024,
        max_positions=131_072 if long else 8192,
        qk_norm=True,
        smear=True,
        tags=SPARK_TAGS,
        windows=(1024, 1024, 0) * 2,
        page_select=long,
        eos_ids=(1,),
    )


SIZES: dict[str, Arch] = {
    arch.name: arch
    for arch in (
        _llama("5M", 8192, 256, 4, 4, 2, 704),
        _llama("12M", 16_384, 384, 4, 6, 2, 1024),
        _llama("25M", 16_384, 512, 6, 8, 2, 1408),
        _llama("135M", 49_152, 576, 30, 9, 3, 1536),
        Arch(
            family="qwen2",
            name="494M",
            vocab_size=151_936,
            d_model=896,
            n_layers=24,
            n_heads=14,
            n_kv_heads=2,
            head_dim=64,
            d_ff=4864,
            max_positions=32_768,
            bias_qkv=True,
            ropes=(Rope(theta=1e6),),
        ),
        _spark("spark"),
        _spark("spark-long", long=True),
    )
}


def size(name: str) -> Arch:
    """The architecture of a named size."""
    if name not in SIZES:
        raise UsageError(f"unknown size {name!r}", hint=f"Sizes: {', '.join(SIZES)}.")
    return SIZES[name]


def random_weights(arch: Arch, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Weights of a plausible scale: matrices `N(0, 1/in)`, norms near their neutral value."""
    generator = np.random.default_rng(seed)
    weights: dict[str, NDArray[np.float32]] = {}
    for name, shape in weight_shapes(arch).items():
        values = generator.standard_normal(shape, dtype=np.float32)
        if len(shape) == 2:
            values *= np.float32((1 / shape[-1]) ** 0.5)
        else:
            values *= np.float32(0.1)
            if name.endswith(("norm.w", "q_norm", "k_norm")):
                values += np.float32(1 - arch.norm_offset)
        weights[name] = values
    return weights
