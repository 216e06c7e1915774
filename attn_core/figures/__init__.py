"""Pure functions from a Trace or a table to an Altair chart, and from these to the files people take away.

heatmap(trace)        target words x source words, with the window and p_t of local models
intervals(rows)       differences with their intervals
gradient_noise(found) how much REINFORCE's gradient varies, from what tests/benchmarks/hard.py measured
heatmaps(traces)      several of them, small, beside each other
grid(maps, rows, columns)  matrices of weights, smaller still: all layers and heads
network(trace, config)     the model over the sentence, as the papers draw it, with a slider for the step
weighing(look, states, words, config)     one look: query, states, scores, softmax, weights, sum
curves(rows, x, y, color), bars(rows, x, y, color)     a table of results
svg(chart), png(chart)
table(trace)          the numbers as CSV
"""

from attn_core.figures.charts import bars, curves
from attn_core.figures.export import png, svg, table
from attn_core.figures.grid import grid
from attn_core.figures.heatmap import heatmap, heatmaps
from attn_core.figures.intervals import intervals
from attn_core.figures.network import network
from attn_core.figures.noise import gradient_noise
from attn_core.figures.weighing import weighing

__all__ = [
    "bars",
    "curves",
    "gradient_noise",
    "grid",
    "heatmap",
    "heatmaps",
    "intervals",
    "network",
    "png",
    "svg",
    "table",
    "weighing",
]
