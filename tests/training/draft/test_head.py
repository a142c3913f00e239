"""A head is what Qwen's checkpoints hold, and guesses in training what it guesses in decoding."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from components.errors import UserError
from components.training.draft import Rollout

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

    from components.training.draft.head import DraftHead

OWN = {"mtp.fc.weight", "mtp.norm.weight", "mtp.pre_fc_norm_embedding.weight", "mtp.pre_fc_norm_hidden.weight"}
LAYER = {"input_layernorm", "post_attention_layernorm", *(f"self_attn.{name}_proj" for name in "qkvo")}
LLAMA = LAYER | {f"mlp.{name}_proj" for name in ("gate", "up", "down")}
QWEN = LAYER | {
    *("self_attn.q_norm", "self_attn.k_norm", "mlp.gate", "mlp.shared_expert_gate"),
    *(f"mlp.shared_expert.{name}_proj" for name in ("gate", "up", "down")),
}
EXPERTS = {"mtp.layers.0.mlp.experts.gate_up_proj", "mtp.layers.0.mlp.experts.down_proj"}


def load(directory: Path) -> PreTrainedModel:
    import torch
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(directory, dtype=torch.float32).eval()


def random_head(main: PreTrainedModel) -> DraftHead:
    """Its weights are all its own, so that its guesses vary."""
    import torch

    from components.training.draft.head import DraftHead

    torch.manual_seed(3)
    head = DraftHead(main)
    for parameter in head.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    head.eval()
    return head


@pytest.fixture(scope="module", params=["singer", "moe"])
def main(request: pytest.FixtureRequest) -> PreTrainedModel:
    return load(request.getfixturevalue(request.param))


def hidden_states(main: PreTrainedModel, ids: torch.Tensor) -> torch.Tensor:
    import torch

    with torch.no_grad():
        return main.get_decoder()(input_ids=ids).last_hidden_state


@pytest.mark.parametrize(("model", "layer", "experts"), [("singer", LLAMA, set()), ("moe", QWEN, EXPERTS)])
def test_tensors_are_named_as_in_qwens_checkpoints(
    model: str, layer: set[str], experts: set[str], request: pytest.FixtureRequest
) -> None:
    from components.training.draft.head import DraftHead

    names = {f"mtp.{name}" for name in DraftHead(load(request.getfixturevalue(model))).state_dict()}
    assert names == OWN | {f"mtp.layers.0.{name}.weight" for name in layer} | experts


def test_the_layer_is_fed_embedding_and_hidden_state_each_normed_and_projected(singer: Path) -> None:
    import torch

    main = load(singer)
    head = random_head(main)
    ids = torch.tensor([[41, 60, 70, 80]])
    hidden = hidden_states(main, ids[:, :-1])
    fed: list[np.ndarray] = []
    head.layers[0].register_forward_pre_hook(lambda _, inputs: fed.append(inputs[0].detach().numpy()))
    with torch.no_grad():
        head(main, hidden, ids[:, 1:], torch.arange(3)[None], torch.ones(3, 3, dtype=torch.bool).tril()[None, None])

    weights = {name: tensor.numpy() for name, tensor in head.state_dict().items()}

    def normed(values: np.ndarray, name: str) -> np.ndarray:
        scale = np.sqrt((values**2).mean(axis=-1, keepdims=True) + main.config.rms_norm_eps)
        return values / scale * weights[name]  # type: ignore[no-any-return]

    embedded = main.get_input_embeddings().weight.detach().numpy()[ids[:, 1:].numpy()]
    both = np.concatenate(
        [normed(embedded, "pre_fc_norm_embedding.weight"), normed(hidden.numpy(), "pre_fc_norm_hidden.weight")], axis=-1
    )
    np.testing.assert_allclose(fed[0], both @ weights["fc.weight"].T, rtol=1e-4, atol=1e-5)


def test_a_grafted_head_is_a_copy_that_leaves_the_model_alone(singer: Path) -> None:
    import torch

    from components.training.draft.head import DraftHead

    main = load(singer)
    before = {name: tensor.clone() for name, tensor in main.state_dict().items()}
    head = DraftHead(main)
    for name, tensor in head.layers[0].state_dict().items():
        assert torch.equal(tensor, before[f"model.layers.1.{name}"])
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
    assert all(torch.equal(tensor, before[name]) for name, tensor in main.state_dict().items())


def test_guesses_are_the_same_however_the_text_is_cut_into_calls(main: PreTrainedModel) -> None:
    import torch
    from transformers.cache_utils import DynamicCache

    head = random_head(main)
    ids = torch.randint(3, 200, (1, 14), generator=torch.Generator().manual_seed(1))
    hidden = hidden_states(main, ids[:, :-1])
    whole = DynamicCache()
    expected = head.draft(main, hidden, ids[:, 1:], whole, 4)
    cut, guesses = DynamicCache(), []
    for start, end in ((0, 6), (6, 7), (7, 13)):
        guesses = head.draft(main, hidden[:, start:end], ids[:, start + 1 : end + 1], cut, 4)
    assert guesses == expected and len(set(guesses)) > 1
    assert whole.get_seq_length() == cut.get_seq_length() == 13
    torch.testing.assert_close(whole.layers[0].keys, cut.layers[0].keys, rtol=1e-4, atol=1e-4)


def chain_logits(main: PreTrainedModel, head: DraftHead, ids: list[int], start: int, depth: int) -> np.ndarray:
    """As decoding makes them, one token after the other: what the head says at the end of the chain that starts at `start`."""
    import torch
    from transformers.cache_utils import DynamicCache

    text, cache = torch.tensor([ids]), DynamicCache()
    state = hidden_states(main, text)[:, : start + 1]
    with torch.no_grad():
        for place in range(start + 1):
            last = head(main, state[:, place : place + 1], text[:, place + 1 : place + 2], torch.tensor([[place]]), None, cache)
        for step in range(depth):
            place = start + step + 1
            last = head(main, last, text[:, place + 1 : place + 2], torch.tensor([[place]]), None, cache)
        logits: np.ndarray = main.get_output_embeddings()(last)[0, 0].double().numpy()
    return logits


def test_the_loss_is_that_of_the_chains_of_decoding(main: PreTrainedModel) -> None:
    """Two rows of unlike length with two turns; the reference follows every chain by itself and sums in NumPy."""
    import torch

    from components.training.draft.losses import DraftTask
    from components.training.draft.trainer import Rows

    head, random, depths = random_head(main), np.random.default_rng(4), 3
    rows = [
        Rollout("a", random.integers(3, 200, 15).tolist(), [0] * 4 + [1] * 5 + [0] * 3 + [1] * 3),
        Rollout("b", random.integers(3, 200, 9).tolist(), [0] * 3 + [1] * 2 + [0] * 3 + [1]),
    ]
    expected, agreed, guessed = 0.0, [0] * depths, [0] * depths
    for row in rows:
        with torch.no_grad():
            choices = main(input_ids=torch.tensor([row.tokens])).logits[0].argmax(dim=-1).tolist()
        for start in range(len(row.tokens)):
            for depth in range(depths):
                if not all(row.written[start + 1 : start + depth + 3]) or start + depth + 2 >= len(row.tokens):
                    break
                logits = chain_logits(main, head, row.tokens, start, depth)
                choice = choices[start + depth + 1]
                expected += float(np.log(np.exp(logits - logits.max()).sum()) + logits.max() - logits[choice])
                agreed[depth] += int(logits.argmax() == choice)
                guessed[depth] += 1
    # Of each run of n written tokens, n - 1 start a chain.
    assert guessed == [4 + 2 + 1, 3 + 1, 2]
    with torch.no_grad():
        outputs = DraftTask(head, main, depths, None)(**Rows.collate(rows))
    items = sum(sum(row.written) for row in rows)
    assert float(outputs["loss"]) == pytest.approx(expected / depths / items, rel=1e-4)
    assert (outputs["agreed"].tolist(), outputs["guessed"].tolist()) == (agreed, guessed)


def test_where_the_main_model_learns_along_it_learns_rewarded_rollouts_and_nothing_of_the_head(singer: Path) -> None:
    import torch

    from components.training.draft.head import DraftHead
    from components.training.draft.losses import DraftTask
    from components.training.draft.trainer import Rows

    ids, written = [41, 60, 61, 62, 63, 64], [0, 0, 1, 1, 0, 1]
    rows = [Rollout("good", ids, written, 0.5), Rollout("bad", ids[::-1], written, 0.0), Rollout("unjudged", ids, written)]
    main = load(singer)
    DraftTask(DraftHead(main), main, 2, 3.0)(**Rows.collate(rows))["loss"].backward()

    alone = load(singer)
    logits = alone(input_ids=torch.tensor([ids])).logits[0].log_softmax(dim=-1)
    said = sum(-logits[place - 1, ids[place]] for place in (2, 3, 5))
    (3.0 * 0.5 * said / 9).backward()
    for (name, one), (_, other) in zip(main.named_parameters(), alone.named_parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-6, msg=name)


def test_a_model_whose_last_layer_is_linear_attention_is_refused(moe: Path) -> None:
    from components.training.draft.head import DraftHead

    main = load(moe)
    del main.get_decoder().layers[-1]
    with pytest.raises(UserError, match="expected full attention in the last layer"):
        DraftHead(main)
