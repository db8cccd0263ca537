"""What a reader found in a model, run: the calls of its nodes one after the other."""

import numpy as np

import ssop


def run(model, tensors):
    """The results of all nodes of the main graph, from the operands that are given by their names."""
    known = dict(tensors)
    for node in model.nodes:
        if node.operand in known:
            x = known[node.operand]
            for call in node.calls:
                x = _run(call, x)
            known[node.result] = x
    return known


def _run(call, x):
    arguments = dict(call.arguments)
    if call.function == "onnx.gather":
        return np.take(x, arguments["indices"], arguments["axis"])
    if call.function == "onnx.split":
        places = np.cumsum((0, *arguments["split"]))
        first, end = places[arguments["output"]], places[arguments["output"] + 1]
        return np.take(x, range(first, end), arguments["axis"])
    if call.function == "tflite.reverse_v2":
        return np.flip(x, arguments["axis"])
    return ssop.convert.Call(call.function, **arguments)(x)
