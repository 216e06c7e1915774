"""Pure functions from a Trace or a table to an Altair chart, and from charts to files.

`training_curves`, a Plotly figure, is imported on first use, so that the dashboard does not need Plotly.

heatmap(trace)                         target words x source words, with the window and p_t of local models
heatmaps(traces)                       several small heatmaps side by side
grid(maps, rows, columns)              many matrices of weights: all layers and heads
network(trace, config)                 the model unrolled over the sentence, as in the papers, with a slider for steps
weighing(look, states, words, config)  attention of one query: states, scores, softmax, weights, weighted sum
intervals(rows)                        differences with their intervals
gradient_noise(gradient)               the variation of REINFORCE's gradient, measured by tests/benchmarks/hard.py
curves(rows, x, y, color), bars(rows, x, y, color)  a table of results
training_curves(courses)               losses, scores and attention weights over the updates of trainings
svg(chart), pdf(chart), png(chart)     files as large as the chart
save(chart, path, width_mm)            a PDF, SVG or PNG file for a paper
caption(trace)                         the caption of a heatmap
"""

from typing import Any

from attn_core import registry
from attn_core.figures.charts import bars, curves
from attn_core.figures.export import pdf, png, svg
from attn_core.figures.grid import grid
from attn_core.figures.heatmap import caption, heatmap, heatmaps
from attn_core.figures.intervals import intervals
from attn_core.figures.network import network
from attn_core.figures.noise import gradient_noise
from attn_core.figures.paper import save
from attn_core.figures.weighing import weighing

__all__ = [
    "bars",
    "caption",
    "curves",
    "gradient_noise",
    "grid",
    "heatmap",
    "heatmaps",
    "intervals",
    "network",
    "pdf",
    "png",
    "save",
    "svg",
    "training_curves",
    "weighing",
]


def __getattr__(name: str) -> Any:
    if name != "training_curves":
        raise AttributeError(f"module 'attn_core.figures' has no attribute {name!r}")
    return registry.load("attn_core.figures.learning:training_curves")
