"""Statements of notebook 07 about the shipped Transformer; see CLAIMS in notebook_claims.py."""

TRANSFORMER = {
    "the third word gives itself the largest weight": """
        looks[0].weights[0, 2].argmax() == 2 and looks[0].weights[0, 2, 2] > 0.5""",
    "four heads have no more weights than one": """
        sum(p.numel() for p in MultiHeadAttention(replace(shipped, heads=1)).parameters())
        == sum(p.numel() for p in own.parameters()) == 4 * d * d""",
    "without the root little gradient passes through large heads": """
        slopes[18]["trace of the Jacobian"] < 0.2 * slopes[0]["trace of the Jacobian"]
        and slopes[19]["trace of the Jacobian"] > 0.9 * slopes[1]["trace of the Jacobian"]""",
    "without the root after training all weights are too sharp": """
        all(a["entropy in nats"] > 3 * b["entropy in nats"] for a, b in zip(means[::2], means[1::2]))""",
    "from a fifth to almost half of each head's weight lies elsewhere than in the mean map": """
        0.19 < min(r["share of the weight"] for r in moved) < 0.25
        and 0.4 < max(r["share of the weight"] for r in moved) < 0.5""",
    "the mean map has a clear diagonal": """
        shown["mean of all"].diagonal().mean() > 3 * shown["mean of all"].mean()""",
    "in 12 of 16 heads the word itself gets the largest share, in 6 more than half": """
        (by_head := {h: p for h, p in places.items() if h != "uniform"}) and len(by_head) == len(record) == 16
        and sum(p.argmax().item() == 0 for p in by_head.values()) == 12
        and sum((p[0] / rows).item() > 0.5 for p in by_head.values()) == 6""",
    "one gives almost half of its weight to the previous word": """
        0.4 < (before_it := {h: (p[1] / rows).item() for h, p in places.items()})["1.3"] < 0.5
        and max(before_it, key=before_it.get) == "1.3" """,
    "none attends mainly to the next word or the last token": """
        all(max(p[2], p[3]) < max(p[0], p[1]) for h, p in places.items() if h != "uniform")""",
    "most heads can be removed at almost no cost, some with a gain": """
        (found := sorted(r["nats per token"] for r in costs)) and found[len(found) // 2] < 0.02 and found[0] < 0""",
    "the three most important heads attend to the source in the last layer": """
        {(r["attends to"], r["head"][0]) for r in sorted(costs, key=lambda r: -r["nats per token"])[:3]}
        == {("source", "3")}""",
    "a head without a rule, 0.3, is worth more than 1.3": """
        (of := {r["head"]: r["nats per token"] for r in costs if r["attends to"] == "encoder"})["1.3"] < of["0.3"]
        and max(places["0.3"][:4]) < places["1.3"][1]""",
    "all four heads attend to großen at large": """
        [trace.weights(h).argmax(1)[said.index("large")].item() for h in last] == [words.index("großen")] * 4""",
    "three heads attend to durch at through, and head 1 to the full stop": """
        [words[trace.weights(h)[said.index("through")].argmax()] for h in last]
        == ["durch", ".", "durch", "durch"]""",
    "in the encoder every state changes": """
        all(r["change of the state"] > 0.01 for r in moves if r["side"].startswith("encoder"))""",
    "in the decoder those up to step 7 do not change": """
        [r["change of the state"] > 1e-5 for r in moves if r["side"].startswith("decoder")]
        == [False] * 8 + [True] * 4 and one_said[7].token != other_said[7].token""",
    "no two rows of P are equal": """
        torch.cdist(P, P).add(9 * torch.eye(40)).min() > 0.5 and P[:, -2:].std(0).max() < 0.01""",
    "without P each word gets the same state": """
        all(r["change of the state"] < 1e-6 for r in changes[:6])""",
    "with P every state differs": """
        all(r["change of the state"] > 0.05 for r in changes[6:])""",
    "without P the two dogs have the same row, with equal weights on both": """
        torch.allclose(*(torch.tensor([r["weight"] for r in dogs[k * n : (k + 1) * n]]) for k in (0, 1)), atol=1e-6)
        and abs(dogs[two_dogs[0]]["weight"] - dogs[two_dogs[1]]["weight"]) < 1e-6""",
    "without a mask or with one layer, two orders are alike without P, and with two masked layers they are not": """
        max(r["change of c"] for r in told[:3]) < 1e-5 and told[3]["change of c"] > 0.01
        and [(r["view"], r["layers"]) for r in told][3] == ("causal mask", "2 layer(s)")""",
    "with P each dog attends mostly to itself": """
        min(dogs[2 * n + two_dogs[0]]["weight"], dogs[3 * n + two_dogs[1]]["weight"]) > 0.7""",
    "post-norm's gradients in the last layer are about three times as large": """
        2.5 < fresh[11]["gradient"] / fresh[23]["gradient"] < 3.5
        and fresh[11]["gradient"] > 0.8 * fresh[5]["gradient"]""",
    "post-norm keeps the norm of the states, with pre-norm it grows": """
        abs(fresh[0]["state"] - fresh[11]["state"]) < 0.01
        and all(a["state"] < b["state"] for a, b in zip(fresh[12:], fresh[13:]))""",
    "our peak is lower than eq. 3 gives": """
        recipe.rate < (d * recipe.warmup) ** -0.5""",
    "with smoothing the loss is lowest at about 0.9": """
        all(abs(min((r for r in loss if r["epsilon"] == epsilon), key=lambda r: r["loss above its minimum"])
                ["p of the right word"] - p) < 0.01 for epsilon, p in (("0.0", 1.0), ("0.1", 0.9)))""",
    "the intervals of the last four overlap": """
        max(r["low"] for r in ladder[3:]) < min(r["high"] for r in ladder[3:])""",
    "the last two have the same pieces": """
        [r["units"] for r in ladder[-2:]] == ["pieces"] * 2
        and load(ladder[-2]["model"]).target.shares(load(ladder[-1]["model"]).target)""",
    "there the recurrent one has the higher BLEU, and the Transformer the better perplexity": """
        ladder[-2]["BLEU"] > ladder[-1]["BLEU"] and ladder[-2]["perplexity"] > ladder[-1]["perplexity"]""",
    "with fewer than half as many weights and more than three times the training time": """
        2 * ladder[-1]["millions"] < ladder[-2]["millions"] and ladder[-1]["minutes"] > 3 * ladder[-2]["minutes"]""",
}
