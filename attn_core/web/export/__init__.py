"""Export a model: the graphs of its encoder and of one decoding step, traced with torch.export.

`pieces` are the modules that are traced (encoder, recurrent cell, decoding step), `graphs` traces one and writes its
graph as JSON, `document` puts a model's graphs together for the browser, where web/engine executes them, and `onnx`
writes them as ONNX files.
"""

from attn_core.web.export.document import document, write

__all__ = ["document", "write"]
