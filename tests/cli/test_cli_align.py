"""`align`: links by forced decoding, and their error rate."""

import pytest

from attn_core.data.alignments import alignment_error_rate, parse_alignment
from attn_core.data.tokenizer import Tokenizer
from attn_core.decoding.translate import force
from attn_core.models.checkpoint import load, save
from attn_core.models.config import ModelConfig
from attn_core.models.recipe import TrainConfig
from attn_core.models.translator import Translator
from tests.cli.conftest import REFERENCES, SOURCES
from tests.helpers.support import VARIANTS, tiny
from tests.helpers.terminal import lines, run, saved


@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("name", ["local", "reads_eos"])
def test_links_are_the_largest_weights_of_forced_decoding(name, texts, shift, request):
    folder = request.getfixturevalue(name)
    model = load(folder)
    found = run("align", folder, "--source", texts[0], "--target", texts[1], "--tokenized", "--shift", shift)
    assert (found.status, found.err) == (0, "")
    for line, source, target in zip(found.out.splitlines(), SOURCES, REFERENCES, strict=True):
        weights = force(model, source, target, tokenized=True).weights()
        best = weights.argmax(1).tolist()[shift : shift + len(target.split())]
        # The largest weight may be on the source's </s>, to which no word is linked.
        assert line.split() == sorted(f"{i}-{j}" for j, i in enumerate(best) if i < len(source.split()))


def test_one_head_of_several_aligns(texts, tmp_path):
    """The head is named as in the dashboard: layer and head, counted from 0."""
    folder = saved(tmp_path / "transformer", **VARIANTS["transformer-pre"])
    model = load(folder)
    pairs = list(zip(SOURCES, REFERENCES, strict=True))
    outputs = set()
    for named, look in (((0, 1), 1), ((1, 2), 5), (None, None)):
        chosen = ["--layer", named[0], "--head", named[1]] if named else []
        found = run("align", folder, "--source", texts[0], "--target", texts[1], "--tokenized", *chosen)
        best = [force(model, *pair, tokenized=True).weights(look)[:-1].argmax(1).tolist() for pair in pairs]
        assert [line.split() for line in found.out.splitlines()] == [
            sorted(f"{i}-{j}" for j, i in enumerate(links) if i < len(source.split()))
            for links, source in zip(best, SOURCES, strict=True)
        ]
        outputs.add(found.out)
    assert len(outputs) == 3


@pytest.mark.parametrize("order", [1, -1])
def test_an_ensemble_aligns_by_the_member_with_attention(order, texts, tmp_path):
    """In either order; forced decoding gives the weights of the member with attention."""
    for name in ("fixed-vector", "bahdanau"):
        save(tiny(name=name, **VARIANTS[name]).float(), TrainConfig(), tmp_path / name)
    pair = "+".join([str(tmp_path / "fixed-vector"), str(tmp_path / "bahdanau")][::order])
    alone, both = (
        run("align", model, "--source", texts[0], "--target", texts[1], "--tokenized")
        for model in (tmp_path / "bahdanau", pair)
    )
    assert (both.status, both.err) == (0, "")
    assert both.out == alone.out
    assert any(alone.out.split())


def test_a_pair_with_an_empty_side_has_an_empty_line(local, tmp_path):
    source, target = lines(tmp_path / "s", "a", "", "b", ""), lines(tmp_path / "t", "n", "o", " ", "")
    found = run("align", local, "--source", source, "--target", target)
    assert found.out == "0-0\n\n\n\n"


def test_links_of_pieces_are_links_of_words(tmp_path):
    text = ["abab abab cd", "cd abab", "ef cd"]
    tokenizers = [Tokenizer.train(text * 3, lang, "bpe", 1, 14) for lang in ("de", "en")]
    config = ModelConfig.of(embedding=4, attentional=4, **{"encoder.hidden": 3, "decoder.hidden": 6}, dropout=0.0)
    folder = tmp_path / "bpe"
    folder.mkdir()
    save(Translator(config, *tokenizers, "bpe"), TrainConfig(subword="bpe"), folder)
    assert len(tokenizers[0].tokens("fefe abab", tokenized=True)) > 3
    found = run(
        "align", folder, "--source", lines(tmp_path / "s", "fefe abab"), "--target", lines(tmp_path / "t", "dada")
    )
    links = parse_alignment(found.out.strip()).sure
    assert {j for _, j in links} == {0}
    assert {i for i, _ in links} <= {0, 1}
    trace = force(load(folder), "fefe abab", "dada")
    pieces = trace.weights()[:-1].argmax(1).tolist()
    first = trace.source.index("▁" + trace.source[0][1:])
    second = [i for i, piece in enumerate(trace.source) if piece.startswith("▁")][1]
    assert {i for i, _ in links} == {int(piece >= second) for piece in pieces if piece >= first}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("source_eos", [False, True])
@pytest.mark.parametrize("tokenized", [True, False])
@pytest.mark.parametrize("kind", ["word", "bpe"])
def test_links_are_positions_of_the_words_of_the_file(kind, tokenized, source_eos, reverse, tmp_path):
    """Where a word is several tokens (characters or pieces), each link is that of the token with the largest weight."""
    pair = ["足球 运动员 踢球 。", "足球 。"], ["football player kicks .", "usw. Kicks"]
    tokenizers = [Tokenizer.train(text, lang, kind, 1) for text, lang in zip(pair, ("zh", "de"), strict=True)]
    config = ModelConfig.of(
        embedding=4, attentional=4, **{"encoder.hidden": 3, "decoder.hidden": 6}, dropout=0.0, source_eos=source_eos
    )
    model = Translator(config, *tokenizers, "own")
    save(model, TrainConfig(), tmp_path)
    files = [lines(tmp_path / name, *text) for name, text in zip("st", pair, strict=True)]
    options = [*(["--tokenized"] if tokenized else []), *(["--reverse"] if reverse else [])]
    words = ("align", tmp_path, "--source", files[0], "--target", files[1], *options)
    found = run(*words)
    assert found.status == 0, found.err
    links = [parse_alignment(line).sure for line in found.out.splitlines()]
    for one, *texts in zip(links, *pair, strict=True):
        own = {(j, i) for i, j in one} if reverse else one
        trace = force(load(tmp_path), *texts, tokenized=tokenized)
        sides = []
        for text, tokenizer in zip(texts, tokenizers, strict=True):
            characters = tokenizer.of_characters and not tokenized
            whole = text.split() if tokenized else list(text.replace(" ", "")) if characters else None
            whole = whole or tokenizer.moses(text).split()
            # The tokens are those of the words one by one, because no token spans two words.
            sides.append([i for i, word in enumerate(whole) for _ in tokenizer.tokens(word, tokenized=True)])
        best = trace.weights()[:-1].argmax(1).tolist()
        assert own == {(sides[0][i], sides[1][j]) for j, i in enumerate(best) if i < len(sides[0])}
    gold = lines(tmp_path / "gold", *(" ".join(f"{i}-{j}" for i, j in one) for one in links))
    assert "AER 0.0000 " in run(*words, "--gold", gold).err


def test_gold_alignments_give_the_error_rate(local, texts, tmp_path):
    gold = lines(tmp_path / "gold", "0-0 1p1", "0-0 4-2", "", "0-3", "0-0 1-1")
    found = run("align", local, "--source", texts[0], "--target", texts[1], "--tokenized", "--gold", gold)
    links = [parse_alignment(line).sure for line in found.out.split("\n")[:-1]]
    scores = alignment_error_rate([parse_alignment(line) for line in gold.read_text().splitlines()], links)
    assert f"AER {scores.aer:.4f} " in found.err


def test_gold_that_counts_from_1_gives_the_same_error_rate(local, texts, tmp_path):
    words = ("align", local, "--source", texts[0], "--target", texts[1], "--tokenized", "--gold")
    by_0 = run(*words, lines(tmp_path / "from-0", "0-0 1p1", "0-0 4-2", "", "0-3", "0-0 1-1"))
    by_1 = run(*words, lines(tmp_path / "from-1", "1-1 2p2", "1-1 5-3", "", "1-4", "1-1 2-2"), "--gold-base", 1)
    assert (by_1.status, by_1.err, by_1.out) == (0, by_0.err, by_0.out)


def test_gold_links_can_all_be_taken_as_sure_or_as_possible(local, texts, tmp_path):
    gold = lines(tmp_path / "gold", "0-0 1p1", "0-0 4-2", "", "0-3", "0-0 1-1")
    words = ("align", local, "--source", texts[0], "--target", texts[1], "--tokenized", "--gold", gold, "--gold-as")
    assert "6 sure, 7 possible" in run(*words, "marked").err
    assert "7 sure, 7 possible" in run(*words, "sure").err
    assert "0 sure, 7 possible" in run(*words, "possible").err


def test_reversed_links_have_their_sides_swapped(local, texts, tmp_path):
    words = ("align", local, "--source", texts[0], "--target", texts[1], "--tokenized")
    links = [parse_alignment(line).sure for line in run(*words).out.split("\n")[:-1]]
    swapped = [parse_alignment(line).sure for line in run(*words, "--reverse").out.split("\n")[:-1]]
    assert swapped == [{(j, i) for i, j in one} for one in links]
    gold = lines(tmp_path / "gold", *(" ".join(f"{j}-{i}" for i, j in one) for one in links))
    assert "AER 0.0000 " in run(*words, "--reverse", "--gold", gold).err
