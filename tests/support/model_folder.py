"""A tiny model of the built-in family on disk, with random weights."""

import json

from safetensors.numpy import save_file
from support.tiny_models import spark_tokenizer
from support.tokenizers_by_kind import byte_level

from spark_tui.engine.families import FAMILIES
from spark_tui.engine.families.config_reader import ModelConfig
from spark_tui.engine.model_sizes import random_weights


def write_model(folder):
    """A model folder of the `spark` family, as the training room exports it."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {
        "model_type": "spark",
        "vocab_size": 8704,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 16,
        "max_position_embeddings": 512,
        "layer_windows": [64, 0],
        "operator_count": 32,
        "tag_first_id": 8192,
        "tag_count": 512,
        "eos_token_id": 1,
        "spark": {"layout": 1, "max_window_lines": 7, "gate": {"cannot": 1.0, "doubt": 0.25}},
    }
    shape = FAMILIES["spark"].arch(ModelConfig(config, "config.json"), "m")
    sources = FAMILIES["spark"].sources(shape)
    save_file(
        {sources[name].name: values for name, values in random_weights(shape).items()},
        folder / "model.safetensors",
    )
    (folder / "config.json").write_text(json.dumps(config))
    spark_tokenizer()._backend.save(str(folder / "tokenizer.json"))
    return folder


def write_llama(folder, template):
    """A chat model of the llama family that other programs load too, with random weights."""
    folder.mkdir(parents=True)
    tokenizer = byte_level()
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 4096,
        "rms_norm_eps": 1e-6,
        "rope_theta": 10000.0,
        "hidden_act": "silu",
        "tie_word_embeddings": False,
        "bos_token_id": 0,
        "eos_token_id": 1,
        "torch_dtype": "float32",
    }
    shape = FAMILIES["llama"].arch(ModelConfig(config, "config.json"), "m")
    sources = FAMILIES["llama"].sources(shape)
    weights = {sources[name].name: values for name, values in random_weights(shape).items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer.save(str(folder / "tokenizer.json"))
    spoken = {"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": template}
    marks = {"bos_token": "<s>", "eos_token": "</s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps({**spoken, **marks}))
    return folder
