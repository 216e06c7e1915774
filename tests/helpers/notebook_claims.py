"""Statements in the notebooks' readings as expressions over the notebooks' variables, and the translated sentences."""

from tests.helpers.score_claims import SCORES
from tests.helpers.transformer_claims import TRANSFORMER

# Statements about the shipped models, as expressions in the notebook's names. If a retrained model makes a reading
# false, the failing key names it.
CLAIMS = {
    "01-fixed-vector": {
        "with one part the intervals overlap": """
            scores[0]["low"] < scores[6]["high"] and scores[6]["low"] < scores[0]["high"]""",
        "from four parts on they do not": """
            all(a["high"] < b["low"] for a, b in zip(scores[3:6], scores[9:]))""",
        "the gap in perplexity widens with every part": """
            (gaps := [a["perplexity"] - b["perplexity"] for a, b in zip(scores[:6], scores[6:])]) == sorted(gaps)""",
        "the model with attention gets worse too": """
            scores[11]["BLEU"] < scores[6]["BLEU"] and scores[11]["perplexity"] > scores[6]["perplexity"]""",
        "but later: with three parts it is 33 BLEU better": """
            scores[8]["source words"] == scores[2]["source words"]
            and round(scores[8]["BLEU"] - scores[2]["BLEU"]) == 33""",
        "the other pair differs in attention alone": """
            (flat := [model.config.flat() for model in (base_long, general_long)])
            and all(key.startswith("attention") for key in flat[0].keys() | flat[1].keys()
                    if flat[0].get(key) != flat[1].get(key))
            and base_long.config.attention is None and general_long.config.attention is not None
            and read_config(find(base_long.name))["train"] == read_config(find(general_long.name))["train"]""",
        "with attention it makes no difference how many captions are joined": """
            all(42 < row["BLEU"] < 45 and 2.9 < row["perplexity"] < 3.4 for row in joined[4:])""",
        "without it perplexity nearly doubles, and BLEU is low throughout": """
            [round(joined[i]["perplexity"]) for i in (0, 3)] == [16, 31]
            and max(row["BLEU"] for row in joined[:4]) < 11""",
        "it keeps the sentence that comes first": """
            translations[0].startswith("Two dogs run through the snow.") and "fish" not in translations[0]
            and translations[2].startswith("An old man selling food at the market. A young girl")
            and "dogs" not in translations[2]""",
        "with attention all three are right in both orders": """
            all(word in translations[k] for k in (1, 3)
                for word in ("dogs run through the snow", "catch a fish", "selling fresh flowers"))""",
        "the two models differ in the encoder's direction, the step and the start, too": """
            {key: (one[key], other[key]) for key in one.keys() & other.keys() if one[key] != other[key]}
            == {"attention.score": (None, "additive"), "encoder.bidirectional": (False, True),
                "encoder.hidden": (256, 128), "decoder.update": ("printed", "groundhog"),
                "decoder.first_word": ("bos", "zero"), "init": ("glorot", "large-embeddings")}""",
        "the captions have about 12 words": """
            11.5 < test["mean_source_length"] < 12.5""",
        "the lead of the model with attention grows from about 7 BLEU to 16; in the last group it is 13": """
            [round(b["BLEU"] - a["BLEU"]) for a, b in zip(captions[:5], captions[5:])] == [7, 8, 13, 16, 13]
            and "15 to 18" == captions[8]["source words"]""",
        "without attention BLEU falls from 12 words on": """
            (falls := [row["BLEU"] for row in captions[1:5]]) == sorted(falls, reverse=True)
            and "12 to 14" == captions[2]["source words"]""",
        "with attention it falls only in the last group, of 68 sentences, by 10": """
            captions[8]["BLEU"] > captions[6]["BLEU"] and round(captions[8]["BLEU"] - captions[9]["BLEU"]) == 10
            and tested()["rows"]["RNNsearch"]["by_length"][-1]["sentences"] == 68""",
    },
    "02-bahdanau": {
        "the word in the record is the best one": """
            model.target.token(best) == word.token and abs(log_p[best].item() - word.log_prob) < 1e-5""",
        "each score is the difference of two large sums": """
            (terms.abs().sum(dim=1) > 3 * energies.abs()).all()""",
        "without tanh the query has no effect on the weights, and with tanh it has": """
            ((inner @ score.v_a).softmax(-1).diff(dim=0).abs().max() < 1e-4)
            and (torch.tanh(inner) @ score.v_a).softmax(-1).diff(dim=0).abs().max() > 0.1""",
    },
    "03-luong-scores": SCORES,
    "04-local-windows": {
        "the window reaches to eine alte Frau": """
            all(right.words[t].step.looks[0].focus.inside[j] for t, j in ((0, 4), (1, 5), (2, 6)))""",
        "it has passed Auf dem Markt": """
            not any(right.words[t].step.looks[0].focus.inside[j] for t, j in ((6, 0), (7, 1), (8, 2)))""",
        "p_t is that of the record": """
            abs(p - look.focus.center.item()) < 1e-5""",
        "p_t is usually between two positions": """
            all(w.step.looks[0].focus.center % 1 != 0 for w in trace.words)""",
        "the attention weights do not sum to 1": """
            weights.sum() < 0.99""",
        "between 0.42 and 0.6 of uniform alignment weights is left": """
            [round(uniform[d - 1]["mass left"], 3) for d in (1, 2, 10)] == [0.424, 0.497, 0.576] and
            all(0.48 < r["mass left"] < 0.6 for r in uniform[1:])""",
        "local-m is as good as any in monotone sentences": """
            (e := [r["alignment error rate"] for r in errors])[2] <= min(e[0], e[4]) + 0.02""",
        "and loses most in reordered ones": """
            (e := [r["alignment error rate"] for r in errors])[3] > max(e[1], e[5])""",
        "in reordered sentences p_t goes 28% of the way": """
            f"{followed:.0%}" == "28%" and f"{long['followed']:.0%}" == "32%" """,
        "p_t is no closer to the words than a straight line, the largest weight is": """
            (far := [r["words"] for r in tracks])[0] > far[1] and abs(far[3] - far[4]) < 0.3 and 1.5 < far[3] < 2.5
            and far[2] < far[0] - 0.5 and far[5] < far[3] - 0.5""",
        "the right word is nearly always inside the window, and the captions have about eleven words": """
            sum(bool(one.words[i].step.looks[0].focus.inside[j]) for pair, one in zip(pairs, moved)
                for j, i in pair.sure) > 0.9 * sum(len(pair.sure) for pair in pairs)
            and 10.5 < sum(len(pair.de_tokens) for pair in pairs) / len(pairs) < 11.5""",
        "BLEU rises up to D = 3, and differs by 0.2 from there on": """
            (b := [one["bleu"] for one in study["widths"]])[1] > b[0] + 1 and b[2] > b[1] + 0.5
            and study["widths"][2]["half_width"] == 3 and f"{max(b[2:]) - min(b[2:]):.1f}" == "0.2" """,
        "from D = 3 on, p_t is farther from the words the wider the window is": """
            (far := [one["p_t"] for one in study["widths"]])[2:] == sorted(far[2:])""",
        "D = 3 is as good as D = 4, which has the word in the window more often": """
            (three := study["widths"][2]) and (four := study["widths"][3])["half_width"] == model.config["half_width"]
            and abs(three["bleu"] - four["bleu"]) < 0.2 and abs(three["p_t"] - four["p_t"]) < 0.1
            and [f"{one['in window']:.0%}" for one in (four, three)] == ["95%", "87%"]""",
        "at no D is p_t closer than the line": """
            all(one["p_t"] > one["straight line"] for one in study["widths"])""",
        "in the long model the distances are 2.1 and 1.8, and within a word 85% and 31%": """
            [f"{long[name]:.1f}" for name in ("p_t", "straight line")] == ["2.1", "1.8"] and long["half_width"] == 10
            and [f"{long[name + ' within a word']:.0%}" for name in ("largest weight", "p_t")] == ["85%", "31%"]""",
        "one shipped model does better, with 1.4 against 1.6": """
            [name for name, one in study["models"].items() if one["p_t"] < one["straight line"]] == ["bahdanau-local-p"]
            and (own := study["models"]["bahdanau-local-p"])
            and [f"{own[name]:.1f}" for name in ("p_t", "straight line")] == ["1.4", "1.6"]""",
        "all intervals overlap": """
            max(r["low"] for r in ladder) < min(r["high"] for r in ladder)""",
        "each filter sums to 1": """
            torch.allclose(F.sum(dim=1), torch.ones(1))""",
    },
    "05-two-paths": {
        "the first query never changes": """
            all(r["change of the query"] == 0 for r in changes if r["step"] == 0)""",
        "those of Luong without feeding never change": """
            all(r["change of the query"] == 0 for r in changes if r["model"] == luong.name)""",
        "all others change": """
            all(r["change of the query"] > 0.01 for r in changes if r["step"] and r["model"] != luong.name)""",
        "the interval of luong-base lies below all others": """
            ladder[0]["high"] < min(r["low"] for r in ladder[1:])""",
        "each of the first three steps changes one setting": """
            list(rungs.values())[:3] == [["attention.score"], ["decoder.feeding"], ["attention.window"]]""",
        "the first gap is almost 9 BLEU": """
            8.5 < ladder[1]["BLEU"] - ladder[0]["BLEU"] < 9""",
        "the fourth step changes order, score, sizes, dropout, vocabulary and training": """
            {"decoder", "attention.score", "embedding", "decoder.hidden", "dropout", "subword", "vocabulary", "epochs"}
            <= set(list(rungs.values())[3])""",
        "in the last step, the model has three teachers and less dropout": """
            list(rungs.values())[4] == ["dropout", "output_dropout", "teacher"]
            and settings["best-de-en"]["teacher"].count("+") == 2
            and settings["best-de-en"]["dropout"] < settings["bahdanau-bpe"]["dropout"]""",
        "the pair that we train differs in attention alone": """
            all(key.startswith("attention.") for key in differing) and "attention.score" in differing""",
        "without attention fewer words are right with every letter": """
            (base_exact := [r["exact"] for r in reversals[:8]]) == sorted(base_exact, reverse=True)
            and base_exact[0] > base_exact[-1] + 0.5""",
        "with attention nearly all words are right": """
            min(r["exact"] for r in reversals[8:]) > 0.8""",
        "the intervals of the three small models with attention overlap": """
            max(r["low"] for r in ladder[1:4]) < min(r["high"] for r in ladder[1:4])""",
        "greedy search is ahead after the first word, and behind at the end": """
            (g := [r["log p so far"] for r in sums if r["search"] == "greedy"])
            and (b := [r["log p so far"] for r in sums if r["search"] != "greedy"])
            and g[0] > b[0] and g[-1] < b[-1] - 3
            and [" ".join(said.target[:4]) for said in searches.values()] == ["a man is swimming",
                                                                              "no fish is swimming"]""",
        "for four words the two stay close, and then the beam's sum hardly falls": """
            all(abs(one - other) < 1.3 for one, other in zip(g[:4], b[:4])) and b[3] - b[-1] < 1 < g[3] - g[-1] - 3""",
        "the two rules choose differently": """
            by_rule["none"][0] > by_rule["length"][0] and by_rule["none"][1] < by_rule["length"][1]""",
        "beam search improves every model": """
            all(one["BLEU"] < other["BLEU"] for one, other in zip(worth[::2], worth[1::2]))""",
        "each of the two words is copied": """
            [text_of(bahdanau, one).split()[-1] for one in replaced.values()] == ["heidelberg.", "waschbären."]""",
        "at most ln 2 more than the better one": """
            all(c["nats"] <= min(a["nats"], b["nats"]) + 0.6932
                for a, b, c in zip(costs[:11], costs[11:22], costs[22:], strict=True))""",
        "over the words of all sentences less than either, though not on this one": """
            all(surprise["both"][1] < surprise[name][1] for name in surprise if name != "both")
            and surprise["bahdanau"][0] > surprise["both"][0] > surprise["luong-concat-global"][0]""",
        "the words blows and out are much less probable to one model than to the other": """
            [forced["both"].target[i] for i in (2, 3)] == ["blows", "out"]
            and all(abs(costs[i]["nats"] - costs[11 + i]["nats"]) > 1.9 for i in (2, 3))""",
    },
    "06-other-ways": {
        "the mean of the samples is the soft result": """
            abs(drawn.mean().item() - 18) < 0.5 and set(drawn.tolist()) == {10.0, 20.0, 60.0}""",
        "hard attention costs something": """
            quality[0]["BLEU"] > quality[1]["BLEU"] > quality[2]["BLEU"]""",
        "the intervals of soft and hard (argmax) attention overlap": """
            quality[0]["low"] < quality[1]["high"]""",
        "the estimate is unbiased": """
            all(errors[i]["error"] / errors[i + 6]["error"] > 20 for i in (0, 7))""",
        "without a baseline it takes a hundred times as many samples": """
            0.5 < errors[4]["error"] / errors[7]["error"] < 2""",
        "the context vector is close to the second value": """
            abs(look.context.item() - 5) < 0.5""",
        "the heads end with different maps": """
            (said.weights(0) - said.weights(1)).abs().max().item() > 0.2""",
        "it starts at another corner than the reference and goes in the same direction": """
            walked[0] != true[0] and walked[begun:] + walked[:begun] == list(true)""",
        "beyond the lengths of its training it gets worse": """
            all(reach[i + 2]["exact"] > 1.5 * reach[i + 5]["exact"] for i in (0, 6))""",
        "dot has the most spread weights, comes closest to 1 per word, and overlaps most": """
            all(sorted((r for r in looked if r["measure"].startswith(m)), key=lambda r: sign * r["mean"])[0]["model"]
                == "luong-dot-global" for m, sign in (("entropy", -1), ("doubly", 1), ("coverage", -1)))""",
        "local-m is the sharpest and farthest from 1 per word": """
            all(sorted((r for r in looked if r["measure"].startswith(m)), key=lambda r: sign * r["mean"])[0]["model"]
                == "luong-general-local-m" for m, sign in (("entropy", 1), ("doubly", -1)))""",
        "the two models with a window overlap least": """
            {r["model"] for r in sorted((r for r in looked if r["measure"].startswith("coverage")),
                                        key=lambda r: r["mean"])[:2]}
            == {"luong-general-local-m", "luong-general-local-p"}""",
        "the English sentences are longer": """
            sum(len(one.en_tokens) + 1 for one in captions()) > sum(len(one.de_tokens) for one in captions())""",
        "both give eine a total well below 1, and verkauft one of about 2": """
            all(r["1 - total"] > 0.3 for r in missing if r["word"] == "4 eine")
            and all(-1.2 < r["1 - total"] < -0.7 for r in missing if r["word"] == "3 verkauft")""",
        "is and selling both attend to verkauft": """
            all(one.source[one.words[one.target.index(w)].step.looks[0].weights.argmax()] == "verkauft"
                for one in once.values() for w in ("is", "selling"))""",
    },
    "07-transformer": TRANSFORMER,
    "08-train-your-own": {
        "after the first epoch the weights are spread": """
            diary.traces["after epoch 1"].weights().max().item() < 0.5""",
        "then the diagonal appears": """
            diary.traces["after epoch 6"].weights()[:-1].argmax(1).tolist() == list(range(7, -1, -1))""",
        "alignment is higher in the first epochs": """
            all(r["alignment"] > r["exact"] for r in diary.scores[:4]) and diary.scores[2]["alignment"] > 0.6""",
        "for most of the first epoch the weights stay, and the loss falls a little": """
            (taken := course.read(runs / "reverse")).per_epoch == 63
            and max(w for u, w in taken.largest_weights() if u < 50) < taken.largest_weights()[0][1] + 1
            and min(loss for u, loss in taken.training() if u < 50) > 0.8 * taken.training()[0][1]""",
        "then the weights grow and the loss drops in little more than a hundred updates": """
            dict(taken.largest_weights())[62] < 20 and min(w for u, w in taken.largest_weights() if u > 170) > 50
            and max(loss for u, loss in taken.training() if u > 180) < 0.7""",
        "the fixed vector is enough for four letters and fails on nearly all words of eight": """
            lengths[9]["exact"] > 0.7 and lengths[11]["exact"] < 0.3""",
        "with attention eight letters work, and beyond ten it gets worse": """
            lengths[3]["exact"] > 0.9 and lengths[6]["exact"] < 0.5""",
        "local-m is right more often than it attends to the right letter": """
            found_by["local-m", "exact"] > found_by["local-m", "alignment"] < 0.5""",
        "local-p learns the right positions": """
            min(found_by["local-p", key] for key in ("exact", "alignment")) > 0.9""",
        "the dark cells are seven days apart": """
            found["season"] > 0.95""",
        "the forecast beats last week, and not the series without noise": """
            found["floor"] < found["mae"] < 0.8 * found["naive"]""",
    },
    "09-variants": {
        "with a mask the two words share all the weight": """
            all(abs(r["weight of the two words"] - 1) < 1e-6 for r in rows[:11])""",
        "without a mask they have less, the longer another sentence is": """
            (w := [r["weight of the two words"] for r in rows[11:]]) == sorted(w, reverse=True)""",
        "a padding position counts as much as a word": """
            abs(rows[-1]["weight of the two words"] - 2 / 12) < 0.05""",
        "GroundHog changes one setting, scaled_luong two, bentrevett nine": """
            [len(VARIANTS[name].differences()) for name in ("groundhog", "tf-nmt-scaled-luong", "bentrevett")]
            == [1, 2, 9]""",
        "they gain about 2, 3 and -2.4, and their intervals exclude 0": """
            [round(d["mean"], 1) for name in ("groundhog", "tf-nmt-scaled-luong", "bentrevett")
             if not undecided(d := found["rows"][name]["difference"])] == [2.2, 3.2, -2.4]""",
        "no other interval excludes 0": """
            sum(not undecided(row) for row in shown) == 3""",
        "one seed of OpenNMT had not learned to align": """
            [round(p) for p in sorted(found["rows"]["opennmt-general"]["perplexity"].values())] == [7, 7, 12]""",
        "two claims hold, the others are undecided": """
            {claim.says: verdict for claim, verdict in zip(CLAIMS, verdicts(CLAIMS, tested()["rows"]))
             if verdict != "undecided"} ==
            {"Attention helps.": "supported", "With global attention, location is worse than dot.": "supported"}""",
        "without dropout all three seeds are better": """
            (dry := next(claim.margin(d)["each"] for claim, d in pairs.items() if claim.model == "no-dropout"))
            and len(dry) == 3 and max(dry) < 0""",
        "the claim on reversal is not among those that were measured": """
            not any("backwards" in claim.says for claim in pairs)""",
        "reversal only swaps the halves of a bidirectional encoder's states": """
            torch.allclose(forwards, torch.cat([second, first], -1)) and not torch.allclose(forwards, backwards)""",
        "our intervals are wider than most of Luong's differences": """
            all(d["high"] - d["low"] > 1.4 for d in pairs.values())""",
        "with feeding one seed is 0.8 better, another 1.8 worse": """
            (fed := next(claim.margin(d)["each"] for claim, d in pairs.items() if claim.model == "input-feeding"))
            and [round(end, 1) for end in (max(fed), min(fed))] == [0.8, -1.8]""",
        "it follows the authors' program": """
            ours.differences().keys() == {"update"}""",
        "the pair differs in the step and in what its first step starts from": """
            {key for key, value in bahdanau.config.flat().items() if printed.config.flat()[key] != value}
            == {"decoder.update", "decoder.first_word"}
            and read_config(find("bahdanau"))["train"] == read_config(find("bahdanau-printed"))["train"]""",
        "the error rate is almost twice as high": """
            1.7 < aligned["bahdanau-printed"] / aligned["bahdanau"] < 2""",
        "BLEU on the test captions is nearly the same": """
            abs(read_config(find("bahdanau"))["about"]["test"]["bleu"]
                - read_config(find("bahdanau-printed"))["about"]["test"]["bleu"]) < 0.3""",
    },
    "10-papers-tables": {
        "in the paper every step goes up, attention by 2.8 BLEU; here all but dropout do, attention by 18": """
            (steps := [row for row in ladder.rows[:7] if row.name != "general"])
            and (here := [found[row.name]["bleu"]["mean"] for row in steps])
            and (paper := [row.paper["bleu"] for row in steps]) == sorted(paper)
            and [k for k in range(1, 6) if here[k] < here[k - 1]] == [2]
            and (round(paper[3] - paper[2], 1), round(here[3] - here[2])) == (2.8, 18)""",
        "the score brings 4.1 of the 4.3 BLEU and the window 0.3; in the paper it is the window": """
            (bleu := {name: found[name]["bleu"]["mean"] for name in ("feed", "general", "local")})
            and [f"{bleu[a] - bleu[b]:.2f}" for a, b in (("general", "feed"), ("local", "feed"), ("local", "general"))]
            == ["4.09", "4.34", "0.25"]
            and (paper := {name: ladder.row(name).paper["bleu"] for name in bleu})
            and paper["general"] < paper["feed"] < paper["local"]""",
        "the sentences contribute about twice as much as the runs": """
            1.7 < from_sentences / from_runs < 2.5""",
        "with four times as many runs, the interval would be about an eighth narrower": """
            1 / 9 < 1 - ((from_runs / 4 + from_sentences) / (from_runs + from_sentences)) ** 0.5 < 1 / 7""",
        "five claims are reproduced, dropout and the window alone are undecided, the ensemble has one run": """
            [verdict(own).split()[0] for claim, own in claims]
            == ["reproduced", "undecided:", *["reproduced"] * 3, "undecided:", "reproduced", "too"]""",
        "trained on short sentences, RNNsearch keeps 34% of its BLEU with length, RNNencdec 32%": """
            [f"{ends[-1]['mean'] / ends[0]['mean']:.0%}" for row in ("search-short", "encdec-short")
             for ends in [measured(TABLES["length"])["rows"][row]["groups"]]] == ["34%", "32%"]""",
        "no number of runs would settle dropout": """
            claims[1][1]["needed"] is None and "only a larger test set" in verdict(claims[1][1])""",
        "the ensemble gains 2.6 over its members, the paper's 2.1": """
            (paper := [ladder.row(name).paper["bleu"] for name in ("ensemble", "unk")])
            and (round(claims[7][1]["mean"], 1), round(paper[0] - paper[1], 1)) == (2.6, 2.1)""",
        "for dropout sixteen pairs say that it helps and 48 that it does harm": """
            (signs := [a > b for a in found["dropout"]["bleu"]["each"] for b in found["reverse"]["bleu"]["each"]])
            and (sum(signs), len(signs)) == (16, 64)""",
        "16 of 64 pairs are against the window alone": """
            sum(a < b for a in found["local"]["bleu"]["each"] for b in found["general"]["bleu"]["each"]) == 16""",
        "for the other steps every pair says that they help": """
            all(min(found[a]["bleu"]["each"]) > max(found[b]["bleu"]["each"]) for a, b in
                (("reverse", "base"), ("attention", "dropout"), ("feed", "attention"), ("local", "feed")))""",
        "dropout's interval excludes the paper's gain": """
            claims[1][1]["high"] < 1 < ladder.row("dropout").paper["bleu"] - ladder.row("reverse").paper["bleu"]""",
        "the interval of unknown-word replacement is narrow": """
            round((claims[6][1]["high"] - claims[6][1]["low"]) / 2, 1) == 0.2""",
        "one BLEU needs five seeds, or more than twenty": """
            seeds_needed(1.0, 2 * 0.5**2, from_sentences) == 5
            and 20 < seeds_needed(1.0, 2 * 1.5**2, from_sentences) < 30""",
        "0.9 BLEU would need four": """
            3 < 2 * 0.5**2 / ((0.9 / 1.96)**2 - 0.25**2) <= 4""",
        "no number of runs can decide a difference below about half a BLEU": """
            0.4 < 1.96 * from_sentences**0.5 < 0.55""",
        "with dropout the curve is above the one without": """
            all(a[0] > b[0] for a, b in zip(found["dropout"]["curve"], found["reverse"]["curve"]))""",
        "with attention one epoch is enough; of these local-p starts highest and ends below location scores": """
            (curve := {row.name: [perplexity for perplexity, bleu in found[row.name]["curve"]]
                       for row in ladder.rows[:7]})
            and (looking := [curve.pop(name) for name in ("attention", "feed", "general", "local")])
            and max(one[0] for one in looking) < min(one[-1] for one in curve.values())
            and max(looking) == looking[3]
            and looking[2][-1] < looking[3][-1] < min(one[-1] for one in looking[:2])""",
        "by the own step location aligns better; the control aligns as local-p does, and worse than local-m": """
            aligned["location-global"]["aer_own"]["mean"] < aligned["general-local-p"]["aer_own"]["mean"]
            and abs(aligned["general-global"]["aer"]["mean"] - aligned["general-local-p"]["aer"]["mean"]) < 0.01
            and aligned["general-local-m"]["aer"]["mean"] < aligned["general-global"]["aer"]["mean"]""",
        "general scores align far better, by the weights of the next step; the aligner is far better still": """
            aligned["general-local-p"]["aer"]["mean"] < aligned["location-global"]["aer"]["mean"] / 2
            and aligned["general-local-p"]["aer_own"]["mean"] > 0.85 and aligned["aligner"]["aer"]["mean"] < 0.1""",
        "a few dozen sentences in each direction, and a rate in each": """
            all(24 < row.pairs < 96 and any(row.rates.values()) for row in rates)""",
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
}  # notebooks that show no shipped model have no entry
