"""The files that models come in: safetensors and GGUF."""
