"""How the built-in model is made: corpus, kinds of edit, phrasing, tokenizer, loop, evaluation, export.

Comes in: Python source that is installed here under permissive licences. Goes out: a folder with
`model.safetensors`, `tokenizer.json`, `config.json` and a model card. Needs the extra `train` (torch).
Must not know: doors, sessions, the person's tree.
"""
