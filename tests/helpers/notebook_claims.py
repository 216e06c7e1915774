"""Statements in the notebooks' readings as expressions over the notebooks' variables, and the translated sentences."""

from tests.helpers.transformer_claims import TRANSFORMER

# Statements about the shipped models, as expressions in the notebook's names. If a retrained model makes a reading
# false, the failing key names it.
CLAIMS = {
    "01-fixed-vector": {
        "one part: the intervals overlap": """
            scores[0]["low"] < scores[6]["high"] and scores[6]["low"] < scores[0]["high"]""",
        "from four parts on they do not": """
            all(a["high"] < b["low"] for a, b in zip(scores[3:6], scores[9:]))""",
        "the gap in perplexity widens with every part": """
            (gaps := [a["perplexity"] - b["perplexity"] for a, b in zip(scores[:6], scores[6:])]) == sorted(gaps)""",
        "attention gets worse too": """
            scores[11]["BLEU"] < scores[6]["BLEU"] and scores[11]["perplexity"] > scores[6]["perplexity"]""",
        "far more slowly": """
            (worse := [scores[last]["perplexity"] / scores[first]["perplexity"] for first, last in ((0, 5), (6, 11))])
            and worse[0] > 2 * worse[1]""",
        "the captions are of about 12 words": """
            11.5 < test["mean_source_length"] < 12.5""",
        "the lead of attention grows from some 7 BLEU to 16": """
            [round(b["BLEU"] - a["BLEU"]) for a, b in zip(captions[:4], captions[5:9])] == [7, 8, 13, 16]
            and "15 to 18" == captions[8]["source words"]""",
        "without it BLEU falls from 12 words on": """
            (falls := [row["BLEU"] for row in captions[1:5]]) == sorted(falls, reverse=True)
            and "12 to 14" == captions[2]["source words"]""",
        "with it hardly before the last group, of 68": """
            captions[8]["BLEU"] > captions[6]["BLEU"] > captions[9]["BLEU"] + 5
            and tested()["rows"]["RNNsearch"]["by_length"][-1]["sentences"] == 68""",
    },
    "02-bahdanau": {
        "the word in the record is the best one": """
            model.target.token(best) == word.token and abs(log_p[best].item() - word.log_prob) < 1e-5""",
        "each score is the difference of two large sums": """
            (terms.abs().sum(dim=1) > 3 * energies.abs()).all()""",
    },
    "03-luong-scores": {
        "entropy of dot falls towards 0": """
            saturation[-2]["entropy in nats"] < 0.3 and saturation[0]["entropy in nats"] > 1.5""",
        "that of scaled_dot stays": """
            max(kept := [r["entropy in nats"] for r in saturation[1::2]]) - min(kept) < 0.35""",
        "the maps agree on most words": """
            (best := torch.stack([one.weights().argmax(1) for one in forced.values()])) is not None
            and (best == best[0]).all(0).float().mean() > 0.5""",
        "the look leaps to the end of the sentence and back": """
            all((w := f.weights().argmax(1).tolist())[f.target.index("catch")] >= 9 > w[f.target.index("fish")]
                for f in forced.values())""",
        "no score is the sharpest for every word": """
            len({min("dot general concat".split(), key=lambda s: next(r["entropy in nats"] for r in sharpness
                 if (r["score"], r["word"]) == (s, word))) for word in {r["word"] for r in sharpness}}) > 1""",
        "the intervals of BLEU overlap": """
            max(r["low"] for r in quality) < min(r["high"] for r in quality)""",
        "no handful of directions stands out": """
            (sigma[:8] ** 2).sum() < 0.3 * (sigma**2).sum()""",
        "the thin model computes what the product of its matrices says": """
            torch.allclose(left[:, :32] * sigma[:32] @ right[:32], thin[32].decoder.attention.score.U_a.weight.T
                           @ thin[32].decoder.attention.score.V_a.weight, atol=1e-4)""",
        "with rank 1 the words stand in the same order or in the reverse one": """
            {tuple(row) for w in force(thin[1], german, english).words
             for row in [w.step.looks[0].scores.argsort().tolist()]} <= {tuple(o), tuple(o[::-1])}
            if (o := force(thin[1], german, english).words[0].step.looks[0].scores.argsort().tolist()) else False""",
        "with 4 numbers a look is mostly wrong": """
            next(r["share"] for r in remains if r["k"] == 4 and r["in the same place"] == "darkest word") < 0.5""",
        "with 32 it is nearly as before": """
            min(r["share"] for r in remains if r["k"] == 32) > 0.8 and thin_aer[32] - quality[1]["AER"] < 0.02""",
        "at 128 nothing is saved": """
            sum(w.numel() for w in thin[128].decoder.attention.score.parameters())
            == sum(w.numel() for w in general.decoder.attention.score.parameters()) == 256 * 256""",
        "the last epoch's rate is 1/16 of the first": """
            (one := [r["rate"] for r in rates if r["training"] == "with dropout"])[0] == 16 * one[-1]""",
        "the three have one recipe, Adam with a cosine": """
            {(r.optimizer, r.schedule) for r in (PRESETS[name][1] for name in names)} == {("adam", "cosine")}""",
    },
    "04-local-windows": {
        "the window reaches to eine alte Frau": """
            all(right.words[t].step.looks[0].focus.inside[j] for t, j in ((0, 4), (1, 5), (2, 6)))""",
        "it has passed Auf dem Markt": """
            not any(right.words[t].step.looks[0].focus.inside[j] for t, j in ((6, 0), (7, 1), (8, 2)))""",
        "p_t is the record's": """
            abs(p - look.focus.center.item()) < 1e-5""",
        "p_t is mostly between two words": """
            all(w.step.looks[0].focus.center % 1 != 0 for w in trace.words)""",
        "the weights do not sum to 1": """
            weights.sum() < 0.99""",
        "hardly more than half of a uniform alignment is left": """
            [round(uniform[d - 1]["mass left"], 3) for d in (2, 10)] == [0.497, 0.576] and
            all(0.48 < r["mass left"] < 0.6 for r in uniform[1:])""",
        "local-m is as good as any in monotone sentences": """
            (e := [r["alignment error rate"] for r in errors])[2] <= min(e[0], e[4]) + 0.02""",
        "and loses most in reordered ones": """
            (e := [r["alignment error rate"] for r in errors])[3] > max(e[1], e[5])""",
        "all intervals overlap": """
            max(r["low"] for r in ladder) < min(r["high"] for r in ladder)""",
        "each filter sums to 1": """
            torch.allclose(F.sum(dim=1), torch.ones(1))""",
    },
    "05-two-paths": {
        "the first query never changes": """
            all(r["change of the query"] == 0 for r in changes if r["step"] == 0)""",
        "those of Luong without feeding never do": """
            all(r["change of the query"] == 0 for r in changes if r["model"] == luong.name)""",
        "all others do": """
            all(r["change of the query"] > 0.01 for r in changes if r["step"] and r["model"] != luong.name)""",
        "the first rung is the large one": """
            ladder[0]["high"] < min(r["low"] for r in ladder[1:])""",
        "between one attention and another the intervals overlap": """
            max(r["low"] for r in ladder[1:5]) < min(r["high"] for r in ladder[1:5])""",
        "only the larger last model is clear of one, that with the window": """
            [(a["model"], b["model"]) for i, a in enumerate(ladder[1:]) for b in ladder[i + 2:] if a["high"] < b["low"]
             or b["high"] < a["low"]] == [("luong-general-local-p", "best-de-en")]""",
        "the best BLEU has not the best perplexity": """
            max(ladder, key=lambda r: r["BLEU"]) is ladder[-1]
            and min(ladder, key=lambda r: r["perplexity"]) is not ladder[-1]""",
        "after the first word greedy search is ahead, and behind at the end": """
            (g := [r["log p so far"] for r in sums if r["search"] == "greedy"])
            and (b := [r["log p so far"] for r in sums if r["search"] != "greedy"])
            and g[0] > b[0] and g[-1] < b[-1] - 5
            and [searches[name].target[0] for name in searches] == ["no", "there"]""",
        "for some words the two stay close": """
            all(abs(one - other) < 1 for one, other in zip(g[:6], b[:6])) and g[5] - g[-1] > 7""",
        "the two rules choose differently": """
            by_rule["none"][0] > by_rule["length"][0] and by_rule["none"][1] < by_rule["length"][1]""",
        "a beam is worth something for every model": """
            all(one["BLEU"] < other["BLEU"] for one, other in zip(worth[::2], worth[1::2]))""",
        "each of the two words is copied": """
            [text_of(bahdanau, one).split()[-1] for one in replaced.values()] == ["heidelberg.", "waschbären."]""",
        "at most ln 2 more than the better one": """
            all(c["nats"] <= min(a["nats"], b["nats"]) + 0.6932
                for a, b, c in zip(costs[:11], costs[11:22], costs[22:], strict=True))""",
        "over all words less than either": """
            all(surprise["both"][1] < surprise[name][1] and surprise["both"][0] > surprise[name][0]
                for name in surprise if name != "both")""",
        "at the words the and out one model is at a loss and the other is not": """
            all(abs(costs[i]["nats"] - costs[11 + i]["nats"]) > 2 for i in (3, 4))""",
    },
    "06-other-ways": {
        "the mean of drawn reads is the soft read": """
            abs(drawn.mean().item() - 18) < 0.5 and set(drawn.tolist()) == {10.0, 20.0, 60.0}""",
        "hard reads cost something": """
            quality[0]["BLEU"] > quality[1]["BLEU"] > quality[2]["BLEU"]""",
        "of the largest weight the interval overlaps": """
            quality[0]["low"] < quality[1]["high"]""",
        "the estimate is right in the mean": """
            all(errors[i]["error"] / errors[i + 6]["error"] > 20 for i in (0, 7))""",
        "a hundred times as many draws": """
            0.5 < errors[4]["error"] / errors[7]["error"] < 2""",
        "the context lies near the second value": """
            abs(look.context.item() - 5) < 0.5""",
        "the heads end at different maps": """
            (said.weights(0) - said.weights(1)).abs().max().item() > 0.2""",
        "it begins at another corner than the list and goes the same way round": """
            walked[0] != true[0] and walked[begun:] + walked[:begun] == list(true)""",
        "beyond what it was trained on it gets worse": """
            all(reach[i + 2]["exact"] > 1.5 * reach[i + 5]["exact"] for i in (0, 6))""",
        "bahdanau and dot have the most spread looks, come nearest to one for each, and overlap most": """
            all({r["model"] for r in sorted((r for r in looked if r["measure"].startswith(m)),
                                            key=lambda r: sign * r["mean"])[:2]} == {"bahdanau", "luong-dot-global"}
                for m, sign in (("entropy", -1), ("doubly", 1), ("coverage", -1)))""",
        "local-m is the sharpest, overlaps least and is the farthest from one for each": """
            all(sorted((r for r in looked if r["measure"].startswith(m)), key=lambda r: sign * r["mean"])[0]["model"]
                == "luong-general-local-m" for m, sign in (("entropy", 1), ("doubly", -1), ("coverage", 1)))""",
        "the English sentences are longer": """
            sum(len(one.en_tokens) + 1 for one in captions()) > sum(len(one.de_tokens) for one in captions())""",
        "both hardly look at eine, and almost twice at verkauft": """
            all(r["1 - looks"] > 0.5 for r in missing if r["word"] == "4 eine")
            and all(-1 < r["1 - looks"] < -0.7 for r in missing if r["word"] == "3 verkauft")""",
        "for is and for selling": """
            all(one.source[one.words[one.target.index(w)].step.looks[0].weights.argmax()] == "verkauft"
                for one in once.values() for w in ("is", "selling"))""",
    },
    "07-transformer": TRANSFORMER,
    "08-train-your-own": {
        "after the first epoch it looks everywhere a little": """
            diary.traces["after epoch 1"].weights().max().item() < 0.5""",
        "then the diagonal appears": """
            diary.traces["after epoch 6"].weights()[:-1].argmax(1).tolist() == list(range(7, -1, -1))""",
        "the alignment is ahead": """
            all(r["alignment"] >= r["exact"] for r in diary.scores) and diary.scores[2]["alignment"] > 0.6""",
        "one vector is enough for four letters and for hardly any of eight": """
            lengths[9]["exact"] > 0.7 and lengths[11]["exact"] < 0.3""",
        "attention finds eight, and gets worse beyond ten": """
            lengths[3]["exact"] > 0.9 and lengths[6]["exact"] < 0.5""",
        "local-m is right more often than it looks at the right letter": """
            found_by["local-m", "exact"] > found_by["local-m", "alignment"] < 0.5""",
        "local-p finds its way": """
            min(found_by["local-p", key] for key in ("exact", "alignment")) > 0.9""",
        "the dark cells lie seven days apart": """
            found["season"] > 0.95""",
        "the forecast beats as last week, and not the noise": """
            found["floor"] < found["mae"] < 0.8 * found["naive"]""",
    },
    "09-variants": {
        "with a mask the two words share all the weight": """
            all(abs(r["weight of the two words"] - 1) < 1e-6 for r in rows[:11])""",
        "the less of it, the longer another sentence is": """
            (w := [r["weight of the two words"] for r in rows[11:]]) == sorted(w, reverse=True)""",
        "padding counts as much as a word": """
            abs(rows[-1]["weight of the two words"] - 2 / 12) < 0.05""",
        "GroundHog changes one setting, scaled_luong two, bentrevett nine": """
            [len(VARIANTS[name].differences()) for name in ("groundhog", "tf-nmt-scaled-luong", "bentrevett")]
            == [1, 2, 9]""",
        "they bring some 2, 3 and -2.4, and their intervals leave out 0": """
            [round(d["mean"], 1) for name in ("groundhog", "tf-nmt-scaled-luong", "bentrevett")
             if not undecided(d := found["rows"][name]["difference"])] == [2.2, 3.2, -2.4]""",
        "no other does": """
            sum(not undecided(row) for row in shown) == 3""",
        "one seed of OpenNMT's had not found where to look": """
            [round(p) for p in sorted(found["rows"]["opennmt-general"]["perplexity"].values())] == [7, 7, 12]""",
        "two claims hold, one is the other way, the others are not seen": """
            {claim.says: verdict for claim in CLAIMS if (verdict := claim.verdict(pairs[claim])) != "not seen"} ==
            {"Attention helps.": "holds", "A location score falls behind dot.": "holds",
             "Dropout helps.": "the other way"}""",
        "our intervals are wider than most of Luong's differences": """
            all(d["high"] - d["low"] > 1.4 for d in pairs.values())""",
        "with feeding one seed is 0.8 better, another 1.8 worse": """
            (fed := next(claim.margin(d)["each"] for claim, d in pairs.items() if claim.model == "input-feeding"))
            and [round(end, 1) for end in (max(fed), min(fed))] == [0.8, -1.8]""",
        "it follows the authors' code": """
            ours.differences().keys() == {"update", "first_word"}""",
    },
}

# The sentence of the notebook's variable `trace`.
SENTENCES = {
    "01-fixed-vector": 'scene[2]["de"]',
    "02-bahdanau": "sentence",
    "03-luong-scores": "german",
    "04-local-windows": "sentence",
    "05-two-paths": "sentence",
    "06-other-ways": "sentence",
    "07-transformer": "sentence",
    "09-variants": "sentence",
}  # notebooks that train their own models are left out
