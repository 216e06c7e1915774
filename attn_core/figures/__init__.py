"""Pure functions from a Trace to an Altair chart, and from a chart or a Trace to the files people take away.

heatmap(trace)        target words x source words, with the window and p_t of local models
intervals(rows)       differences with their intervals
svg(chart), png(chart)
table(trace)          the numbers as CSV
gradient_noise(found) how much REINFORCE's gradient varies, from what tests/benchmarks/hard.py measured
"""

from attn_core.figures.export import png, svg, table
from attn_core.figures.heatmap import heatmap
from attn_core.figures.intervals import intervals

__all__ = ["gradient_noise", "heatmap", "intervals", "png", "svg", "table"]
from attn_core.figures.noise import gradient_noise
