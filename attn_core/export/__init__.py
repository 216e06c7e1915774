"""Export a model: the graphs of its encoder and of one decoding step, traced with torch.export.

`pieces` are the modules that are traced (encoder, recurrent cell, decoding step), `graphs` traces one and writes its
graph as JSON, `document` puts a model's graphs together for the browser, where browser/engine executes them, and `onnx`
writes them as ONNX files. `facts` and `model_files` need no torch: what pages know of axis values, and the files of a
model as the engine takes them.
"""
