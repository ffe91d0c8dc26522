"""A plain llama as an ONNX graph for onnxruntime: its fused attention, its fused norms, a cache written in
place.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np

from spark_tui.bench.peers.weight_formats import Weights, require_plain
from spark_tui.engine.architecture import Arch

_MS = "com.microsoft"


def write_onnx(arch: Arch, weights: Weights, path: Path, *, positions: int, int8: bool) -> Path:
    """Inputs: `ids` [1, S], `seqlens_k` [1], `total` [1], and for each layer `past.I.key` and `.value`."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    require_plain(arch, "onnxruntime")
    nodes: list[Any] = []
    constants: list[Any] = []

    def constant(name: str, values: Any) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(
        kind: str, inputs: list[str], outputs: list[str], *, domain: str = "", **attributes: Any
    ) -> None:
        nodes.append(helper.make_node(kind, inputs, outputs, name=outputs[0], domain=domain, **attributes))

    def product(x: str, name: str, out: str) -> None:
        node("MatMul", [x, constant(name, weights[name].T)], [out])

    frequencies = arch.ropes[0].theta ** (-np.arange(0, arch.head_dim, 2, dtype=np.float64) / arch.head_dim)
    angles = np.outer(np.arange(positions), frequencies)
    cos, sin = (
        constant("cos", np.cos(angles).astype(np.float32)),
        constant("sin", np.sin(angles).astype(np.float32)),
    )
    node("Gather", [constant("embed.tok", weights["embed.tok"]), "ids"], ["x.0"])
    cache = [1, arch.n_kv_heads, positions, arch.head_dim]
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "S"]),
        helper.make_tensor_value_info("seqlens_k", TensorProto.INT32, [1]),
        helper.make_tensor_value_info("total", TensorProto.INT32, [1]),
    ]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 1, arch.vocab_size])]
    x = "x.0"
    norm: dict[str, Any] = {"epsilon": arch.norm_eps, "axis": -1, "stash_type": 1}
    node(
        "SimplifiedLayerNormalization", [x, constant("n.0", weights["layers.0.attn_norm.w"])], ["h.0"], **norm
    )
    for layer in range(arch.n_layers):
        at = f"layers.{layer}"
        for part in "qkv":
            product(f"h.{layer}", f"{at}.attn.{part}", f"{part}.{layer}")
        past, present = (
            [f"past.{layer}.key", f"past.{layer}.value"],
            [f"present.{layer}.key", f"present.{layer}.value"],
        )
        node(
            "GroupQueryAttention",
            [f"q.{layer}", f"k.{layer}", f"v.{layer}", *past, "seqlens_k", "total", cos, sin],
            [f"a.{layer}", *present],
            domain=_MS,
            num_heads=arch.n_heads,
            kv_num_heads=arch.n_kv_heads,
            do_rotary=1,
            rotary_interleaved=0,
        )
        inputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, cache) for name in past]
        outputs += [helper.make_tensor_value_info(name, TensorProto.FLOAT, cache) for name in present]
        product(f"a.{layer}", f"{at}.attn.o", f"o.{layer}")
        epsilon: dict[str, Any] = {"epsilon": arch.norm_eps}
        inner_norm = constant(f"m.{layer}", weights[f"{at}.mlp_norm.w"])
        node(
            "SkipSimplifiedLayerNormalization",
            [f"o.{layer}", x, inner_norm],
            [f"i.{layer}", "", "", f"y.{layer}"],
            domain=_MS,
            **epsilon,
        )
        product(f"i.{layer}", f"{at}.mlp.gate", f"g.{layer}")
        product(f"i.{layer}", f"{at}.mlp.up", f"u.{layer}")
        node("Sigmoid", [f"g.{layer}"], [f"s.{layer}"])
        node("Mul", [f"g.{layer}", f"s.{layer}"], [f"w.{layer}"])
        node("Mul", [f"w.{layer}", f"u.{layer}"], [f"f.{layer}"])
        product(f"f.{layer}", f"{at}.mlp.down", f"d.{layer}")
        last = layer + 1 == arch.n_layers
        next_norm = weights["final_norm.w"] if last else weights[f"layers.{layer + 1}.attn_norm.w"]
        x = f"x.{layer + 1}"
        node(
            "SkipSimplifiedLayerNormalization",
            [f"d.{layer}", f"y.{layer}", constant(f"n.{layer + 1}", next_norm)],
            [f"h.{layer + 1}", "", "", x],
            domain=_MS,
            **epsilon,
        )
    minus_one = constant("last", np.array([-1], np.int64))
    node("Gather", [f"h.{arch.n_layers}", minus_one], ["h.last"], axis=1)
    node("MatMul", ["h.last", constant("head.w", weights["embed.tok"].T)], ["logits"])
    graph = helper.make_graph(nodes, arch.name, inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MS, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    if not int8:
        onnx.save(model, str(path))
        return path
    from onnxruntime.quantization import QuantType, quantize_dynamic

    full = path.with_suffix(".f32.onnx")
    onnx.save(model, str(full))
    # It advises a preprocessing of graphs with open shapes, by way of the root logger.
    logging.disable(logging.WARNING)
    quantize_dynamic(
        str(full),
        str(path),
        weight_type=QuantType.QInt8,
        per_channel=True,
        op_types_to_quantize=["MatMul"],
        extra_options={"DefaultTensorType": TensorProto.FLOAT, "MatMulConstBOnly": True},
    )
    logging.disable(logging.NOTSET)
    full.unlink()
    return path
