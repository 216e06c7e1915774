"""Statements of notebook 03 about the scores; see CLAIMS in notebook_claims.py."""

SCORES = {
    "with larger embeddings attention follows the target word after 200 updates": """
        {row["updates"]: row["moves"] for row in runs["deviation 0.3"]}[200] > 0.6""",
    "with smaller ones it stays on the first word for 700 updates, and finds the others within 200": """
        (late := {row["updates"]: row for row in runs["deviation 0.083"]})
        and late[700]["first"] > 0.5 and late[700]["moves"] < 0.4 and late[900]["moves"] > 0.6""",
    "and is still behind after three epochs": """
        runs["deviation 0.083"][-1]["bleu"] < runs["deviation 0.3"][-1]["bleu"]""",
    "the entropy of dot falls towards 0": """
        saturation[-2]["entropy in nats"] < 0.3 and saturation[0]["entropy in nats"] > 1.5""",
    "that of scaled_dot stays": """
        max(kept := [r["entropy in nats"] for r in saturation[1::2]]) - min(kept) < 0.35""",
    "in a trained dot model a number of the query belongs to the number at the same place of a state": """
        (steps := [w.step.looks[0] for w in forced["luong-dot-global"].words]) is not None
        and (memory := forced["luong-dot-global"].memory.states) is not None
        and all((memory @ s.query).argmax() == s.weights.argmax() for s in steps)
        and sum((memory.roll(1, 1) @ s.query).argmax() == s.weights.argmax() for s in steps) < len(steps) / 2""",
    "the maps agree on most words": """
        (best := torch.stack([one.weights().argmax(1) for one in forced.values()])) is not None
        and (best == best[0]).all(0).float().mean() > 0.5""",
    "attention jumps to the end of the source and back": """
        all((w := f.weights().argmax(1).tolist())[f.target.index("catch")] >= 9 > w[f.target.index("fish")]
            for f in forced.values())""",
    "dot is the flattest at every word, general the sharpest at all but the full stop": """
        (at := {(r["word"], r["score"]): r["entropy in nats"] for r in sharpness})
        and all(at[word, "dot"] == max(at[word, s] for s in ("dot", "general", "concat")) for word, _ in at)
        and {word.split()[1] for word, _ in at if at[word, "general"] > min(at[word, "dot"], at[word, "concat"])}
        == {"."}""",
    "the two models differ in the division alone": """
        (one := load("luong-dot-global").config.flat()) and (other := load("luong-scaled_dot-global").config.flat())
        and {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)} == {"attention.score"}
        and len({str(read_config(find(name))["train"]) for name in divided}) == 1""",
    "divided, the scores hardly differ, the weights are almost equal, and BLEU is seven points lower": """
        (plain := divided["luong-dot-global"]) and (small := divided["luong-scaled_dot-global"])
        and plain["spread"] > 1 > 0.2 > small["spread"] and max(one["states"] for one in divided.values()) < 0.2
        and small["largest"] < 1.3 * small["equal"] < plain["largest"] / 4
        and 6.5 < plain["BLEU"] - small["BLEU"] < 7.5""",
    "with eight seeds concat has a higher perplexity than general": """
        (grid := __import__("importlib").import_module("attn_core.evaluation.paper_tables")) is not None
        and all(rows[f"concat-{window}"]["perplexity"]["mean"] > rows[f"general-{window}"]["perplexity"]["mean"]
                for rows in [grid.measured(grid.TABLES["grid"])["rows"]]
                for window in ("global", "local-m", "local-p"))""",
    "larger source embeddings alone give a part of the gain": """
        (line := "luong-general-global epochs=3 stop=500 vocabulary=2500 init=glorot rate=0.003 warmup=400")
        and [f"{score:.1f}" for more in ("", " @source-embed-1", " @embed-0.3")
             for score in [row["bleu"] for one in study if one["line"] == line + more for row in one["rows"]
                           if "bleu" in row][:1]]
        == ["7.9", "14.4", "19.3"]""",
    "the intervals of BLEU overlap": """
        max(r["low"] for r in quality) < min(r["high"] for r in quality)""",
    "no handful of directions dominates": """
        (spectrum[:8] ** 2).sum() < 0.3 * (spectrum**2).sum()""",
    "the thin model computes what the product of its matrices says": """
        torch.allclose(left[:, :32] * spectrum[:32] @ right[:32], thin[32].decoder.attention.score.U_a.weight.T
                       @ thin[32].decoder.attention.score.V_a.weight, atol=1e-4)""",
    "with rank 1 the source words are ranked in one order or in its reverse": """
        {tuple(row) for w in force(thin[1], german, english).words
         for row in [w.step.looks[0].scores.argsort().tolist()]} <= {tuple(o), tuple(o[::-1])}
        if (o := force(thin[1], german, english).words[0].step.looks[0].scores.argsort().tolist()) else False""",
    "with rank 4 most steps give their largest weight to another word": """
        next(r["share"] for r in remains if r["k"] == 4 and r["measure"] == "largest weight") < 0.5""",
    "with rank 32 four fifths of attention are as before, and AER rises from 0.21 to 0.25": """
        min(r["share"] for r in remains if r["k"] == 32) > 0.8
        and [f"{aer:.2f}" for aer in (quality[1]["AER"], thin_aer[32])] == ["0.21", "0.25"]""",
    "with rank 64 AER is nearly as before": """
        thin_aer[64] - quality[1]["AER"] < 0.01""",
    "at rank 128 nothing is saved": """
        sum(w.numel() for w in thin[128].decoder.attention.score.parameters())
        == sum(w.numel() for w in general.decoder.attention.score.parameters()) == 256 * 256""",
    "the last epoch's rate is 1/16 of the first with dropout": """
        (one := [r["rate"] for r in rates if r["training"] == "with dropout"])[0] == 16 * one[-1]""",
    "the three models have one recipe, Adam with a cosine": """
        {(r.optimizer, r.schedule) for r in (read_config(find(name))["train"] for name in names)}
        == {("adam", "cosine")} and len({str(read_config(find(name))["train"]) for name in names}) == 1""",
}
