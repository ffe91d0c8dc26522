"""The other engines, each driven the way it is fastest on a CPU.

Where a peer can speculate (prompt lookup), it does so in `edit`, with the same oracle as ours: the true
token stands for its choice.
"""

# ruff: noqa: ARG001, ARG002, ARG005 - a peer takes what the protocol hands it, used or not.
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spark_tui.bench.generation.times import POSITIONS, Contender, GenerationTimes, Ids, Stopwatch

LOOKUP_TOKENS = 10
LOOKUP_NGRAM = 2


class Transformers(Contender):
    """`generate()` in float32, eager attention off, `prompt_lookup_num_tokens` for edits."""

    def __init__(self, place: str, threads: int) -> None:
        import torch
        import transformers

        torch.set_num_threads(threads)
        quiet: Any = transformers.utils.logging
        quiet.set_verbosity_error()
        self._torch = torch
        self._lists = transformers.LogitsProcessorList
        auto: Any = transformers.AutoModelForCausalLM
        self._model: Any = auto.from_pretrained(place, dtype=torch.float32)
        self._model.eval()
        self._model.generation_config.eos_token_id = None
        self._model.generation_config.pad_token_id = 0

    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        return self._generate(prompt, count)

    def edit(self, prompt: Ids, truth: Ids, source: Ids) -> GenerationTimes:
        torch, start = self._torch, len(prompt)
        forced = list(truth)

        def force(ids: Any, scores: Any) -> Any:
            place = ids.shape[1] - start
            out = torch.full_like(scores, -1e9)
            out[:, forced[min(place, len(forced) - 1)]] = 0
            return out

        return self._generate(
            prompt,
            len(truth),
            prompt_lookup_num_tokens=LOOKUP_TOKENS,
            max_matching_ngram_size=LOOKUP_NGRAM,
            logits_processor=self._lists([force]),
        )

    def _generate(self, prompt: Ids, count: int, **more: Any) -> GenerationTimes:
        torch = self._torch
        ids = torch.tensor([list(prompt)])
        # Passed explicitly: otherwise a prompt that begins with the padding id is taken for a padded one.
        more["attention_mask"] = torch.ones_like(ids)
        with torch.inference_mode():
            watch = Stopwatch()
            if "logits_processor" in more:
                # Assisted generation does not stream. Its first token is its first call of the processor.
                def look(_: Any, scores: Any) -> Any:
                    watch.mark()
                    return scores

                more["logits_processor"].insert(0, look)
            else:
                more["streamer"] = _Streamer(len(prompt), watch)
            out = self._model.generate(
                ids, max_new_tokens=count, min_new_tokens=count, do_sample=False, **more
            )
        return watch.took(out[0, len(prompt) :].tolist())


class _Streamer:
    """Only looks at the time of the first new token; the prompt comes before it, in one piece."""

    def __init__(self, prompt: int, watch: Stopwatch) -> None:
        self._prompt, self._watch = prompt, watch

    def put(self, value: Any) -> None:
        if value.numel() < max(self._prompt, 2):
            self._watch.mark()

    def end(self) -> None:
        pass


class LlamaCpp(Contender):
    """The library's own decode calls, without the Python wrapper's sampling."""

    def __init__(self, place: str, threads: int) -> None:
        import llama_cpp

        self._c = llama_cpp
        llama_cpp.llama_backend_init()
        quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
        self._quiet = quiet
        llama_cpp.llama_log_set(quiet, None)
        self._model = llama_cpp.llama_model_load_from_file(
            place.encode(), llama_cpp.llama_model_default_params()
        )
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx, settings.n_batch, settings.n_ubatch = POSITIONS, 512, 512
        settings.n_threads = settings.n_threads_batch = threads
        settings.type_k = settings.type_v = llama_cpp.GGML_TYPE_F32
        settings.flash_attn_type = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED
        self._context = llama_cpp.llama_init_from_model(self._model, settings)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocab = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self._model))
        self._batch = llama_cpp.llama_batch_init(512, 0, 1)

    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        return self._write(prompt, count, None, lambda written: [])

    def edit(self, prompt: Ids, truth: Ids, source: Ids) -> GenerationTimes:
        from llama_cpp.llama_speculative import LlamaPromptLookupDecoding

        lookup = LlamaPromptLookupDecoding(max_ngram_size=LOOKUP_NGRAM, num_pred_tokens=LOOKUP_TOKENS)
        before = np.array(prompt, np.intc)
        return self._write(
            prompt,
            len(truth),
            truth,
            lambda written: lookup(np.concatenate([before, np.array(written, np.intc)])).tolist(),
        )

    def _write(
        self, prompt: Ids, count: int, truth: Ids | None, draft: Callable[[list[int]], list[int]]
    ) -> GenerationTimes:
        c = self._c
        c.llama_memory_clear(self._memory, True)
        watch = Stopwatch()
        for start in range(0, len(prompt), 512):
            piece = prompt[start : start + 512]
            self._run(piece, start, logits=start + 512 >= len(prompt), all_rows=False)
        written = [self._choose(-1, truth, 0)]
        watch.mark()
        passes = 0
        while len(written) < count:
            guessed = draft(written)[: count - len(written) - 1]
            place = len(prompt) + len(written) - 1
            self._run([written[-1], *guessed], place, logits=True, all_rows=True)
            passes += 1
            for row in range(len(guessed) + 1):
                written.append(self._choose(row, truth, len(written)))
                if row == len(guessed) or written[-1] != guessed[row]:
                    break
            if guessed:
                c.llama_memory_seq_rm(self._memory, 0, len(prompt) + len(written) - 1, -1)
        return watch.took(written, passes)

    def _run(self, ids: Sequence[int], place: int, *, logits: bool, all_rows: bool) -> None:
        batch = self._batch
        batch.n_tokens = len(ids)
        for row, token in enumerate(ids):
            batch.token[row], batch.pos[row] = token, place + row
            batch.n_seq_id[row] = 1
            batch.seq_id[row][0] = 0
            batch.logits[row] = logits and (all_rows or row == len(ids) - 1)
        if self._c.llama_decode(self._context, batch):
            raise RuntimeError("llama_decode failed")

    def _choose(self, row: int, truth: Ids | None, place: int) -> int:
        pointer = self._c.llama_get_logits_ith(self._context, row)
        best = int(np.ctypeslib.as_array(pointer, (self._vocab,)).argmax())
        return best if truth is None else truth[place]


class CTranslate2(Contender):
    """Its generator; it has no prompt lookup, so an edit is written token by token."""

    def __init__(self, place: str, threads: int, kind: str) -> None:
        import ctranslate2

        self._generator = ctranslate2.Generator(
            place, device="cpu", compute_type=kind, intra_threads=threads, inter_threads=1
        )

    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        watch = Stopwatch()

        def note(step: Any) -> bool:
            watch.mark()
            return False

        (result,) = self._generator.generate_batch(
            [[f"t{token}" for token in prompt]],
            max_length=count,
            min_length=count,
            sampling_topk=1,
            beam_size=1,
            end_token=[],
            include_prompt_in_result=False,
            callback=note,
        )
        watch.mark()
        return watch.took([int(token[1:]) for token in result.sequences[0]])


class OnnxRuntime(Contender):
    """A session with the cache bound in place."""

    def __init__(self, place: str, threads: int) -> None:
        import onnxruntime

        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads, settings.inter_op_num_threads = threads, 1
        settings.add_session_config_entry("session.intra_op.allow_spinning", "0" if threads == 1 else "1")
        self._session = onnxruntime.InferenceSession(place, settings, providers=["CPUExecutionProvider"])
        (shape,) = [entry.shape for entry in self._session.get_outputs() if entry.name == "logits"]
        self._logits = onnxruntime.OrtValue.ortvalue_from_numpy(np.zeros(shape, np.float32))
        self._caches = {
            entry.name: onnxruntime.OrtValue.ortvalue_from_numpy(np.zeros(entry.shape, np.float32))
            for entry in self._session.get_inputs()
            if entry.name.startswith("past.")
        }

    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        watch = Stopwatch()
        written = [self._run(prompt, 0)]
        watch.mark()
        while len(written) < count:
            written.append(self._run(written[-1:], len(prompt) + len(written) - 1))
        return watch.took(written)

    def _run(self, ids: Sequence[int], place: int) -> int:
        binding = self._session.io_binding()
        binding.bind_cpu_input("ids", np.array([ids], np.int64))
        total = place + len(ids)
        binding.bind_cpu_input("seqlens_k", np.array([total - 1], np.int32))
        binding.bind_cpu_input("total", np.array([total], np.int32))
        for name, value in self._caches.items():
            binding.bind_ortvalue_input(name, value)
            binding.bind_ortvalue_output(name.replace("past.", "present."), value)
        binding.bind_ortvalue_output("logits", self._logits)
        self._session.run_with_iobinding(binding)
        return int(self._logits.numpy().argmax())
