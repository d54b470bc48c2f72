"""Games as text in TRL: its GRPO trainer plays and learns, with a model and a tokenizer made here."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from sixplane.text import GomokuText, GoText, ReversiText, TextGame

#: TRL warns of itself that this is experimental, and transformers of what TRL asks of it.
pytestmark = pytest.mark.filterwarnings("default")

PAGE = Path(__file__).parents[2] / "docs/tutorials/language-models.md"

STEPS, ROLLOUTS = 3, 4
END, PAD = "<|im_end|>", "<|endoftext|>"


def call(tool: str, **arguments: str) -> str:
    """A call of a tool, as the model writes it."""
    given = ", ".join(f'"{name}": "{value}"' for name, value in arguments.items())
    return f'<tool_call>\n{{"name": "{tool}", "arguments": {{{given}}}}}\n</tool_call>'


#: What the model can say: each is one token.
CALLS = [
    *(call("play", move=f"{column}{row}") for column in "ABCDEF" for row in range(1, 7)),
    *(call("play", move=words) for words in ("pass", "the corner")),
    call("board"),
]


def tokenizer_of(texts: list[str]) -> PreTrainedTokenizerFast:
    """A tokenizer trained on these texts, with the chat template of Qwen3 as TRL has it."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=800, initial_alphabet=alphabet))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, pad_token=PAD)
    tokenizer.add_tokens(["<|im_start|>"], special_tokens=True)
    tokenizer.add_tokens(CALLS)
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates/qwen3.jinja").read_text()
    return tokenizer


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> Qwen2ForCausalLM:
    torch.manual_seed(1)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=8192,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return Qwen2ForCausalLM(config)


class Small(NamedTuple):
    """A model of random weights, its tokenizer, and the options of a short training."""

    model: Qwen2ForCausalLM
    tokenizer: PreTrainedTokenizerFast
    options: dict[str, Any]

    def has_changed(self) -> bool:
        """Whether training has changed any of the weights."""
        new = tiny_model(self.tokenizer).state_dict()
        return any(not torch.equal(tensor, new[name]) for name, tensor in self.model.state_dict().items())


def small(texts: list[str], folder: Path) -> Small:
    tokenizer = tokenizer_of(texts)
    end = tokenizer.eos_token_id
    # Of random weights only this makes a player: what is no call of a tool is never sampled.
    others = sorted({*range(len(tokenizer))} - {*tokenizer.convert_tokens_to_ids(CALLS), end})
    options = {
        "output_dir": str(folder),
        "max_steps": STEPS,
        "per_device_train_batch_size": ROLLOUTS,
        "num_generations": ROLLOUTS,
        "max_completion_length": 1500,
        "max_tool_calling_iterations": 6,
        "learning_rate": 1e-2,
        "logging_steps": 1,
        "report_to": "none",
        "save_strategy": "no",
        "use_cpu": True,
        "bf16": False,
        "seed": 1,
        "generation_kwargs": {"suppress_tokens": others, "sequence_bias": [[[end], 3.0]]},
    }
    return Small(tiny_model(tokenizer), tokenizer, options)


def logs_of(trainer: Any) -> list[dict[str, float]]:
    """What was logged of each step, which called tools without fault."""
    logs = [log for log in trainer.state.log_history if "reward" in log]
    assert len(logs) == STEPS
    assert all(log["tools/call_frequency"] > 0 for log in logs)
    assert [log["tools/failure_frequency"] for log in logs] == [0.0] * STEPS
    return logs


def test_three_steps_of_grpo(tmp_path: Path) -> None:
    factory = partial(GoText, size=6, komi=0.5, turns=2, max_illegal=None, symmetry=True)
    made = small([factory().reset(seed=seed) for seed in range(3)], tmp_path)
    played: list[tuple[Any, Any, float]] = []

    def watch(prompts: Any, completions: Any, environments: list[TextGame], **_columns: Any) -> list[float]:
        rewards = [env.get_reward() for env in environments]
        played.extend(zip(prompts, completions, rewards, strict=True))
        return [0.0] * len(rewards)

    rows = [
        {"prompt": [{"role": "user", "content": ""}], "seed": seed, "color": color}
        for seed in range(STEPS)
        for color in ("black", "white")
    ]
    trainer = GRPOTrainer(
        model=made.model,
        args=GRPOConfig(**made.options),
        processing_class=made.tokenizer,
        train_dataset=Dataset.from_list(rows),
        reward_funcs=watch,
        environment_factory=factory,
    )
    trainer.train()

    for step, log in enumerate(logs_of(trainer)):
        group = played[step * ROLLOUTS : (step + 1) * ROLLOUTS]
        rewards = [reward for *_, reward in group]
        assert {*rewards} <= {-1.0, 1.0}
        assert log["reward"] == pytest.approx(sum(rewards) / ROLLOUTS, abs=1e-6)
        assert log["rewards/GoText/mean"] == log["reward"]
        prompts = [prompt[-1]["content"] for prompt, *_ in group]
        assert prompts == [prompts[0]] * ROLLOUTS, "a group begins alike"
        assert prompts[0].startswith("You play Go on a board of 6 columns and 6 rows.")
    assert len(played) == STEPS * ROLLOUTS
    told = [
        message["content"]
        for _, completion, _ in played
        for message in completion
        if message["role"] == "tool"
    ]
    for words in ("You played ", "Nothing was played. The game is over", "you have played all your moves"):
        assert any(words in text for text in told), words
    assert made.has_changed()


def test_the_program_of_the_tutorial_trains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(), re.S | re.M)
    made = small([ReversiText(size=6).reset()], tmp_path)
    trainers: list[Any] = []

    def trainer_of(model: str, **given: object) -> Any:
        assert "/" in model
        trainers.append(GRPOTrainer(made.model, processing_class=made.tokenizer, **given))
        return trainers[0]

    monkeypatch.setattr(trl, "GRPOConfig", lambda **given: GRPOConfig(**given | made.options))
    monkeypatch.setattr(trl, "GRPOTrainer", trainer_of)
    exec(compile(code, str(PAGE), "exec"), {})  # noqa: S102 - the page's own program
    logs = logs_of(trainers[0])
    assert all(-1.0 <= log["reward"] <= 0.0 for log in logs)
    assert any(log["reward_std"] > 0.0 for log in logs)
    assert made.has_changed()


@pytest.mark.parametrize("make", [GoText, GomokuText, ReversiText])
def test_the_tools_have_a_schema(make: type[TextGame]) -> None:
    env = make()
    play, board = get_json_schema(env.play)["function"], get_json_schema(env.board)["function"]
    assert (play["name"], board["name"]) == ("play", "board")
    assert play["description"] == "Plays your move, and then the move of your opponent."
    assert play["parameters"]["required"] == ["move"]
    assert play["parameters"]["properties"]["move"]["type"] == "string"
    assert board["parameters"]["properties"] == {}
