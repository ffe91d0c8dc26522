"""Makes the built-in model: corpus, examples, tokenizer, training, evaluation, export.

The corpus is permissively licensed Python source that is installed on this machine. The result is a folder
with `model.safetensors`, `tokenizer.json`, `config.json` and a model card. Training needs the extra `train`
(torch).
"""
