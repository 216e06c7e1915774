"""The Transformer compared with torch's modules and the paper's formulas; padding and later words have no effect."""

import json
import math

import pytest
import torch
from torch import nn

from attn_core.attention.attention import Attention
from attn_core.attention.multihead import MultiHead
from attn_core.attention.scores import SCORES
from attn_core.attention.settings import HEAD_SCORES
from attn_core.attention.windows import WINDOWS
from attn_core.data.corpus import make_batch, pad
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.translate import force, translate
from attn_core.models.checkpoint import load, save
from attn_core.models.config import ModelConfig
from attn_core.models.presets import PRESETS
from attn_core.models.recipe import TrainConfig
from attn_core.models.transformer_layers import DecoderLayer, EncoderLayer, MultiHeadAttention, Shape, sinusoids
from attn_core.models.translator import Translator
from attn_core.trace import dump
from attn_core.trace.reading import parse
from tests.helpers.support import ROUNDING, TRANSFORMER, both_sides, close, sentences, tiny

D, HEADS, INNER = 6, 3, 11  # of TRANSFORMER
VARIANTS = {
    "post": TRANSFORMER,
    "pre": TRANSFORMER | both_sides(norm="pre"),
    "dot": TRANSFORMER | {"score": "dot"},
    "learned": TRANSFORMER | both_sides(positions="learned", longest=9),
    "eos-tied": TRANSFORMER | {"tied": True, "source_eos": True},
}
each = pytest.mark.parametrize("settings", VARIANTS.values(), ids=VARIANTS)
kinds = pytest.mark.parametrize(("dtype", "atol"), [(torch.float32, ROUNDING[torch.float32]), (torch.float64, 1e-12)])


def config(**settings) -> ModelConfig:
    return ModelConfig.of({"dropout": 0.0, "output_dropout": 0.0, "tied": False} | TRANSFORMER | settings)


def copy_attention(theirs: nn.MultiheadAttention, ours: MultiHeadAttention) -> None:
    """Torch keeps W_Q, W_K and W_V in one matrix and adds biases, which the paper does not have; they are set to 0."""
    theirs.in_proj_weight.data = torch.cat([ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]).data.clone()
    theirs.out_proj.weight.data = ours.W_O.weight.data.clone()


def drawn(module: nn.Module, dtype: torch.dtype) -> nn.Module:
    """Every parameter from N(0, 0.25), so that no norm is the identity and no bias is zero by accident."""
    dice = torch.Generator().manual_seed(3)
    for parameter in module.to(dtype).parameters():
        parameter.data = torch.randn(parameter.shape, generator=dice, dtype=torch.float64).to(dtype) / 4
    return module


def numbers(*shape: int, dtype: torch.dtype, seed: int = 1) -> torch.Tensor:
    dice = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=dice, dtype=torch.float64).to(dtype).requires_grad_()


def mask() -> torch.Tensor:
    return torch.tensor([[True] * 5, [True] * 2 + [False] * 3])


@kinds
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "fast"])
def test_multi_head_is_torchs_with_its_gradients(recorded, dtype, atol):
    ours = drawn(MultiHeadAttention(Shape.of_encoder(config())), dtype).train(not recorded)
    theirs = nn.MultiheadAttention(D, HEADS, batch_first=True).to(dtype)
    copy_attention(theirs, ours)
    queries, states = numbers(2, 4, D, dtype=dtype), numbers(2, 5, D, dtype=dtype, seed=2)
    found, looks = ours(queries, ours.keys(states), ours.values(states), mask().unsqueeze(1), 7)
    wanted, weights = theirs(queries, states, states, key_padding_mask=~mask(), average_attn_weights=False)
    close(found, wanted, atol)
    assert len(looks) == (HEADS if recorded else 0)
    for head, look in enumerate(looks):
        close(look.weights, weights[:, head], atol)
        assert (look.layer, look.head) == (7, head)
    reference = torch.autograd.grad(wanted.square().sum(), [queries, states, theirs.in_proj_weight])
    parts = [ours.W_Q.weight, ours.W_K.weight, ours.W_V.weight]
    got = torch.autograd.grad(found.square().sum(), [queries, states, *parts])
    close(got[0], reference[0], 20 * atol)
    close(got[1], reference[1], 20 * atol)
    close(torch.cat(got[2:]), reference[2], 50 * atol)


@pytest.mark.parametrize("score", HEAD_SCORES)
def test_training_without_records_computes_the_same_contexts(score):
    """Scaled by the factor that the score states, or scored by the score itself."""
    both = drawn(MultiHeadAttention(Shape.of_encoder(config(score=score))), torch.float64)
    queries, states = numbers(2, 4, D, dtype=torch.float64), numbers(2, 5, D, dtype=torch.float64, seed=2)
    arguments = (queries, both.keys(states), both.values(states), mask().unsqueeze(1), 0)
    close(both.train()(*arguments)[0], both.eval()(*arguments)[0], 1e-12)


def test_multi_head_is_that_of_the_recurrent_models():
    """All heads in one product equal the heads one by one through a window."""
    ours = drawn(MultiHeadAttention(Shape.of_encoder(config())), torch.float64).eval()
    size = D // HEADS
    attentions = (Attention(SCORES.build("scaled_dot", size, size), None) for _ in range(HEADS))
    theirs = MultiHead(attentions, WINDOWS.build("global", D), D, D, size).double()
    theirs.W_o.weight.data = ours.W_O.weight.data
    for m, head in enumerate(theirs.heads):
        for copy, whole in ((head.W_q, ours.W_Q), (head.W_k, ours.W_K), (head.W_v, ours.W_V)):
            copy.weight.data = whole.weight.data[m * size : (m + 1) * size]
    queries, states = numbers(2, 4, D, dtype=torch.float64), numbers(2, 5, D, dtype=torch.float64, seed=2)
    looks, wanted = theirs.looks(queries, theirs.memory(states, mask()), 0)
    found, same = ours(queries, ours.keys(states), ours.values(states), mask().unsqueeze(1), 0)
    close(found, wanted, 1e-12)
    for look, other in zip(looks, same, strict=True):
        assert look.head == other.head
        for part in ("query", "scores", "alignment", "weights", "context"):
            close(getattr(look, part)[0], getattr(other, part)[0], 1e-12)


def test_sinusoids_are_the_papers():
    found = sinusoids(torch.tensor([0, 1, 5]), 4)
    wanted = [[f(pos / 10_000 ** (2 * i / 4)) for i in (0, 1) for f in (math.sin, math.cos)] for pos in (0, 1, 5)]
    close(found, wanted)


@each
def test_training_computes_the_values_of_the_record(settings):
    model = tiny(std=0.5, **settings)
    batch = make_batch(sentences(3, 5), sentences(4, 2))
    recorded, fast = model.steps(batch), model.train().steps(batch)
    close(fast.attentional, recorded.attentional)
    assert not fast.looks
    assert len(recorded.looks) == 2 * HEADS


@each
def test_a_word_at_a_time_is_all_at_once(settings):
    model = tiny(std=0.5, **settings)
    batch = make_batch(sentences(3, 5), sentences(6, 6))
    whole = model.steps(batch)
    memory, carry = model.encode(batch.source, batch.source_mask)
    for t in range(7):
        step, carry = model.decoder(batch.inputs[:, t : t + 1], carry, memory)
        close(step.attentional[:, 0], whole.attentional[:, t])
        for one, other in zip(step.own + step.looks, whole.own + whole.looks, strict=True):
            n = one.weights.size(-1)
            close(one.weights[:, 0], other.weights[:, t, :n])
            close(one.context[:, 0], other.context[:, t])


@each
def test_later_words_change_nothing(settings):
    model = tiny(std=0.5, **settings)
    source, (target,) = sentences(5), sentences(6)
    other = [*target[:3], 4 + (target[3] - 3) % 7, *target[4:]]
    one, two = model.steps(make_batch(source, [target])), model.steps(make_batch(source, [other]))
    close(one.attentional[:, :4], two.attentional[:, :4], atol=0)
    assert (one.attentional[:, 4:] - two.attentional[:, 4:]).abs().amax(-1).min() > 1e-4
    for look in one.own:
        assert (look.weights.triu(1) == 0).all()
        assert (look.weights > 0).sum() == 28


@each
@pytest.mark.parametrize("training", [False, True], ids=["recorded", "fast"])
def test_padding_changes_nothing(training, settings):
    model = tiny(std=0.5, **settings).train(training)
    source, target = sentences(4, 7), sentences(3, 6)
    alone = model.steps(make_batch(source[:1], target[:1]))
    padded = model.steps(make_batch(source, target))
    close(padded.attentional[:1, :4], alone.attentional)
    for look, same in zip(padded.looks, alone.looks, strict=True):
        close(look.weights[:1, :4, :4], same.weights)
        assert (look.weights[0, :, 4:] == 0).all()
    memory, _ = model.encode(*pad(source))
    for look in memory.looks:
        assert (look.weights[0, :, 4:] == 0).all()
        close(look.weights.sum(-1), torch.ones(2, 7))


def pairs_of(ours: EncoderLayer | DecoderLayer, theirs: nn.Module) -> list[tuple[nn.Parameter, nn.Parameter]]:
    """Copies a layer to torch's; returns parameters of each sublayer that correspond."""
    cross = isinstance(ours, DecoderLayer)
    sublayers = [ours.around_own, *([ours.around_cross] if cross else []), ours.around_feed]
    for number, around in enumerate(sublayers, 1):
        getattr(theirs, f"norm{number}").load_state_dict(around.norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed[2].state_dict())
    found = [(ours.feed[0].weight, theirs.linear1.weight)]
    found += [(around.norm.weight, getattr(theirs, f"norm{n}").weight) for n, around in enumerate(sublayers, 1)]
    for own, other in ((ours.own, theirs.self_attn), *([(ours.cross, theirs.multihead_attn)] if cross else [])):
        copy_attention(other, own)
        found.append((own.W_O.weight, other.out_proj.weight))
    return found


@kinds
@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("recorded", [True, False], ids=["recorded", "fast"])
def test_the_stacks_are_torchs_with_their_gradients(recorded, norm, dtype, atol):
    """Encoder, decoder and both masks, with the attention of every layer and head."""
    model = tiny(std=0.3, **TRANSFORMER | both_sides(norm=norm)).to(dtype).train(not recorded)
    kind = {"dim_feedforward": INNER, "dropout": 0.0, "batch_first": True, "norm_first": norm == "pre", "dtype": dtype}
    encoder, decoder, d = model.encoder, model.decoder, math.sqrt(D)
    batch, pairs = make_batch(sentences(5, 2), sentences(3, 4)), []
    source, target = (
        d * table(words) + sinusoids(torch.arange(words.size(1)), D).to(dtype)
        for table, words in ((encoder.embed, batch.source), (decoder.embed, batch.inputs))
    )
    for layer in encoder.layers:
        theirs = nn.TransformerEncoderLayer(D, HEADS, **kind)
        pairs += pairs_of(layer, theirs)
        source = theirs(source, src_key_padding_mask=~batch.source_mask)
    states = encoder.last(source)
    future = ~torch.ones(5, 5, dtype=torch.bool).tril()
    for layer in decoder.layers:
        theirs = nn.TransformerDecoderLayer(D, HEADS, **kind)
        pairs += pairs_of(layer, theirs)
        target = theirs(target, states, tgt_mask=future, memory_key_padding_mask=~batch.source_mask)
    wanted, steps = decoder.last(target), model.steps(batch)
    close(steps.attentional, wanted, 5 * atol)
    pick = numbers(*wanted.shape, dtype=dtype, seed=4).detach()
    inputs = encoder.embed.weight, decoder.embed.weight
    ours, others = zip(*pairs, *((one, one) for one in inputs), strict=True)
    got = torch.autograd.grad((steps.attentional * pick).sum(), ours)
    for one, other in zip(got, torch.autograd.grad((wanted * pick).sum(), others), strict=True):
        close(one, other, 100 * atol)
    places = [(layer, head) for layer in range(2) for head in range(HEADS)] if recorded else []
    memory, _ = model.encode(batch.source, batch.source_mask)
    close(memory.states[batch.source_mask], states[batch.source_mask], 5 * atol)
    for looks in (steps.looks, steps.own, memory.looks):
        assert [(look.layer, look.head) for look in looks] == places


def test_a_trace_has_every_look_of_its_sentence_and_comes_back():
    model = tiny(std=0.5, dtype=torch.float32, **VARIANTS["eos-tied"])  # as JSON has its numbers
    for beam in (1, 3):
        traces = translate(model, ["a b c", "e"], tokenized=True, beam=beam, max_length=5)
        for trace in traces:
            n = len(trace.source)
            assert trace.source[-1] == "</s>"
            assert len(trace.memory.looks) == 2 * HEADS
            close(torch.stack([look.weights.sum(-1) for look in trace.memory.looks]), torch.ones(2 * HEADS, n))
            for word in trace.words:
                assert [look.weights.shape for look in word.step.looks] == [(n,)] * 2 * HEADS
                assert [look.weights.shape for look in word.step.own] == [(word.t + 1,)] * 2 * HEADS
                for look in word.step.looks + word.step.own:
                    close(look.weights, look.scores.softmax(-1))
            mean = sum(trace.weights(look) for look in range(2 * HEADS)) / (2 * HEADS)
            close(trace.weights(), mean)
            for vectors in (False, True):
                text = dump(trace, vectors)
                assert dump(parse(text), vectors) == text
            looks = json.loads(text)
            assert looks["steps"][0]["own"][-1]["weights"] == [1.0]
            assert [(x["layer"], x["head"]) for x in looks["encoder"]] == [(i, j) for i in (0, 1) for j in range(HEADS)]


def test_every_context_follows_from_a_file_with_vectors():
    """c = sum of weights times values, for the looks at the source, at the words so far and of the encoder."""
    model = tiny(std=0.5, dtype=torch.float32, **VARIANTS["eos-tied"])
    for beam in (1, 3):
        trace = parse(dump(translate(model, "a b c", tokenized=True, beam=beam, max_length=5), vectors=True))
        for look in (*trace.memory.looks, *(look for word in trace.words for look in word.step.looks + word.step.own)):
            close(torch.einsum("...s,...sv->...v", look.weights, look.values), look.context, 1e-6)
        first, last = trace.words[0].step, trace.words[-1].step
        assert last.own[0].values.shape[0] == len(trace.words)
        assert torch.equal(first.looks[0].values, last.looks[0].values)


def test_forced_and_free_running_record_the_same():
    model = tiny(std=0.5, **TRANSFORMER)
    free = translate(model, "a b c d", tokenized=True, max_length=5)
    said = [word for word in free.target if word != "</s>"]
    made = force(model, "a b c d", " ".join(said), tokenized=True)
    for one, other in zip(free.words, made.words, strict=False):
        assert one.log_prob == pytest.approx(other.log_prob, abs=1e-5)
        for look, same in zip(one.step.own + one.step.looks, other.step.own + other.step.looks, strict=True):
            close(look.weights, same.weights)
            close(look.query, same.query)


def test_no_window_can_be_set():
    with pytest.raises(ValueError, match="tiny is a Transformer, whose heads attend to all words"):
        translate(tiny(**TRANSFORMER), "a", tokenized=True, window="local-m")


def test_learned_positions_end():
    model = tiny(**VARIANTS["learned"])
    assert len(force(model, "a b", " ".join("nopqrstu"), tokenized=True).words) == 9
    for source, target in (("a", "n o p q r s t u v"), ("a b c d e f g a b c", "n")):
        with pytest.raises(ValueError, match="has 9 learned positions, but the sentence has 10 tokens"):
            force(model, source, target, tokenized=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": "additive"}, "score of a Transformer must be one of scaled_dot, dot, not 'additive'"),
        ({"window": "local-m"}, "a Transformer needs window=global, not local-m"),
        (
            {"decoder.hidden": 5},
            "hidden belongs to order update-then-attend, attend-then-update, gnmt and has no effect",
        ),
        ({"attention.heads": 4}, "must be a multiple of attention.heads, not 6 with 4 heads"),
        ({"encoder.heads": 4}, "must be a multiple of encoder.heads, not 6 with 4 heads"),
        ({"heads": 2}, "several parts have a setting 'heads': use one of attention.heads, encoder.heads"),
        ({"feeding": True}, "feeding belongs to order update-then-attend and has no effect in transformer"),
        ({"bidirectional": True}, "bidirectional belongs to encoder rnn and has no effect in transformer"),
        ({"reverse": True}, "reverse belongs to encoder rnn and has no effect in transformer"),
        ({"type": "hard-sample"}, "a Transformer needs attention.type=soft, not hard-sample"),
        ({"values": 5, "attention.heads": 1}, "a Transformer needs values=none, not 5"),
        ({"head_size": 5}, "a Transformer needs head_size=none, not 5"),
        ({"biases": False}, "biases belongs to encoder rnn and to order update-then-attend, gnmt .* in transformer"),
        ({"readout": "s_cur"}, "readout belongs to order attend-then-update"),
        (both_sides(norm="none"), "norm must be one of post, pre"),
        (both_sides(positions="rotary"), "positions must be one of sinusoidal, learned"),
        (both_sides(feedforward=0), "feedforward must be at least 1"),
    ],
)
def test_an_impossible_config_gives_the_reason(change, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.of(**(TRANSFORMER | {"tied": False} | change))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder.hidden": 5}, r"a single size, d_model: .* 6 units \(embedding\), not 10: .* encoder=transformer"),
        ({"order": "gnmt", "feedforward": 5}, "belongs to encoder transformer and to order transformer and has no"),
    ],
)
def test_a_transformer_beside_another_encoder_or_decoder_gives_the_reason(settings, message):
    with pytest.raises(ValueError, match=message):
        ModelConfig.of({"embedding": 6, "tied": False, "score": "dot", "order": "transformer"} | settings)


def test_the_base_model_has_the_papers_size():
    """Table 3: 65 million parameters, with 37,000 subwords."""
    vocabulary = Tokenizer.train(["a"], "en", min_frequency=1)
    made, _ = PRESETS["transformer-paper"]
    with torch.device("meta"):
        model = Translator(made.set({"init": "none"}), vocabulary, vocabulary.speaking("de"))
    layers = sum(p.numel() for name, p in model.named_parameters() if "embed" not in name and "output" not in name)
    assert abs((layers + 37_000 * 513) / 1e6 - 65) < 2.1


def test_one_vocabulary_and_one_matrix_for_both_languages(tmp_path):
    vocabulary = Tokenizer.train(["a b c d e f g"], "de", min_frequency=1)
    settings = config(shared=True, tied=True)
    model = Translator(settings, vocabulary, vocabulary.speaking("en"), "both").eval()
    assert model.encoder.embed.weight is model.decoder.embed.weight is model.decoder.output.weight
    assert len([name for name, _ in model.named_parameters() if "embed" in name]) == 1
    save(model.half().float(), TrainConfig(), tmp_path)
    found = load(tmp_path)
    assert (found.source.lang, found.target.lang) == ("de", "en")
    batch = make_batch(sentences(3, 5), sentences(4, 2))
    close(found.steps(batch).attentional, model.steps(batch).attentional)
    with pytest.raises(ValueError, match="shared embeddings need the same vocabulary"):
        Translator(settings, vocabulary, Tokenizer.train(["n o"], "en", min_frequency=1))


def test_a_new_models_norms_do_nothing_yet():
    """Initialization: LayerNorm with scale 1, biases 0."""
    vocabulary = Tokenizer.train(["a b c"], "de", min_frequency=1)
    parameters = dict(Translator(config(), vocabulary, vocabulary).named_parameters())
    assert (parameters["encoder.layers.0.around_own.norm.weight"] == 1).all()
    assert (parameters["encoder.layers.0.around_own.norm.bias"] == 0).all()
    bound = (6 / (D + INNER)) ** 0.5
    assert 0.8 * bound < parameters["decoder.layers.1.feed.0.weight"].abs().max() <= bound
