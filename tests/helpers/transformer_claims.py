"""Statements of notebook 07 about the shipped Transformer; see CLAIMS in notebook_claims.py."""

TRANSFORMER = {
    "the third word reads mostly its own value": """
        looks[0].weights[0, 2].argmax() == 2 and looks[0].weights[0, 2, 2] > 0.5""",
    "four heads cost no more matrices than one": """
        sum(p.numel() for p in MultiHeadAttention(Shape.of_encoder(shipped.set({"heads": 1}))).parameters())
        == sum(p.numel() for p in own.parameters()) == 4 * d * d""",
    "without the root little gradient comes through large heads": """
        slopes[18]["sum of derivatives"] < 0.2 * slopes[0]["sum of derivatives"]
        and slopes[19]["sum of derivatives"] > 0.9 * slopes[1]["sum of derivatives"]""",
    "taken away after training it makes every look too sharp": """
        all(a["entropy in nats"] > 3 * b["entropy in nats"] for a, b in zip(means[::2], means[1::2]))""",
    "each head's map moves with the sentence by a fifth to almost a half": """
        0.19 < min(r["share of the weight"] for r in moved) < 0.25
        and 0.4 < max(r["share of the weight"] for r in moved) < 0.5""",
    "the mean map has a clear diagonal": """
        shown["mean of all"].diagonal().mean() > 3 * shown["mean of all"].mean()""",
    "most heads look first of all at the word itself": """
        sum(parts[:4].argmax().item() == 0 for parts in places.values()) - 1 > len(record) / 2""",
    "one gives almost half to the word before": """
        0.4 < (before_it := {h: (p[1] / rows).item() for h, p in places.items()})["2.4"] < 0.5
        and max(before_it, key=before_it.get) == "2.4" """,
    "none looks mostly at the next word or the last token": """
        all(max(p[2], p[3]) < max(p[0], p[1]) for h, p in places.items() if h != "alike")""",
    "most heads can be taken out for next to nothing, some with gain": """
        (found := sorted(r["nats a token"] for r in costs)) and found[len(found) // 2] < 0.02 and found[0] < 0""",
    "the three dearest look at the source in the last layer": """
        {(r["looks"], r["head"][0]) for r in sorted(costs, key=lambda r: -r["nats a token"])[:3]}
        == {("source", "4")}""",
    "heads without a rule are worth more than 2.4": """
        (of := {r["head"]: r["nats a token"] for r in costs if r["looks"] == "encoder"})["2.4"] < of["1.4"]
        and max(places["1.4"][:4]) < places["2.4"][1]""",
    "large is said from großen by all four": """
        [trace.weights(h).argmax(1)[said.index("large")].item() for h in last] == [words.index("großen")] * 4""",
    "through from durch by three, and from the full stop by the second": """
        [words[trace.weights(h)[said.index("through")].argmax()] for h in last]
        == ["durch", ".", "durch", "durch"]""",
    "in the encoder every state moves": """
        all(r["change of the state"] > 0.01 for r in moves if r["side"].startswith("encoder"))""",
    "in the decoder those up to step 7 do not": """
        [r["change of the state"] > 1e-5 for r in moves if r["side"].startswith("decoder")]
        == [False] * 8 + [True] * 4 and one_said[7].token != other_said[7].token""",
    "no two rows of P are equal": """
        torch.cdist(P, P).add(9 * torch.eye(40)).min() > 0.5 and P[:, -2:].std(0).max() < 0.01""",
    "without P each word gets the same state": """
        all(r["change of the state"] < 1e-6 for r in changes[:6])""",
    "with P every state differs": """
        all(r["change of the state"] > 0.05 for r in changes[6:])""",
    "without P the two dogs have one row, and look at both alike": """
        torch.allclose(*(torch.tensor([r["weight"] for r in dogs[k * n : (k + 1) * n]]) for k in (0, 1)), atol=1e-6)
        and abs(dogs[two_dogs[0]]["weight"] - dogs[two_dogs[1]]["weight"]) < 1e-6""",
    "with P each looks at itself": """
        min(dogs[2 * n + two_dogs[0]]["weight"], dogs[3 * n + two_dogs[1]]["weight"]) > 0.7""",
    "post-norm's gradients in the last layer are about three times as large": """
        2.5 < fresh[11]["gradient"] / fresh[23]["gradient"] < 3.5
        and fresh[11]["gradient"] > 0.8 * fresh[5]["gradient"]""",
    "post-norm keeps the length, with pre-norm it grows": """
        abs(fresh[0]["state"] - fresh[11]["state"]) < 0.01
        and all(a["state"] < b["state"] for a, b in zip(fresh[12:], fresh[13:]))""",
    "our peak is lower than eq. 3 gives": """
        recipe.rate < (d * recipe.warmup) ** -0.5""",
    "with smoothing the least loss is at about 0.9": """
        all(abs(min((r for r in loss if r["epsilon"] == epsilon), key=lambda r: r["loss above the least"])
                ["p of the right word"] - p) < 0.01 for epsilon, p in (("0.0", 1.0), ("0.1", 0.9)))""",
    "the intervals of the three overlap": """
        max(r["low"] for r in ladder[3:]) < min(r["high"] for r in ladder[3:])""",
    "best-de-en has the highest BLEU": """
        max(ladder, key=lambda r: r["BLEU"])["model"] == "best-de-en" """,
    "the fewest weights and the longest training": """
        min(ladder[3:], key=lambda r: r["millions"]) is max(ladder, key=lambda r: r["minutes"]) is ladder[-1]""",
    "its perplexity is better than that of best-de-en and worse than that of bahdanau": """
        ladder[3]["perplexity"] < ladder[5]["perplexity"] < ladder[4]["perplexity"]
        and [r["units"] for r in ladder[3:]] == ["words", "pieces", "pieces"]""",
}
