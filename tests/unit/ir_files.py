"""Hand-made files of OpenVINO's IR."""

import struct


def port(number, dims):
    inside = "".join(f"<dim>{dim}</dim>" for dim in dims)
    return f'<port id="{number}" precision="I64">{inside}</port>'


def layer(key, kind, data="", inputs=(), output=(), info=""):
    """A layer whose ports are numbered as OpenVINO does: the inputs first."""
    ports = "".join(port(number, dims) for number, dims in enumerate(inputs))
    return (
        f'<layer id="{key}" name="{kind}_{key}" type="{kind}" version="opset8"><data {data}/>{info}'
        f"<input>{ports}</input><output>{port(len(inputs), output)}</output></layer>"
    )


def edges(*pairs):
    """Edges from the only output of a layer."""
    return "".join(
        f'<edge from-layer="{a}" from-port="{out}" to-layer="{b}" to-port="{into}"/>' for (a, out), (b, into) in pairs
    )


def net(layers, edges, tail=""):
    return f'<net name="n" version="11"><layers>{"".join(layers)}</layers><edges>{edges}</edges>{tail}</net>'


INTEGERS = [0, 1, -1, 2, 3]


def const(key, *values):
    first = INTEGERS.index(values[0])
    assert INTEGERS[first : first + len(values)] == list(values)
    data = f'element_type="i64" shape="{len(values)}" offset="{8 * first}" size="{8 * len(values)}"'
    return layer(key, "Const", data, (), (len(values),))


PARAMETER = layer(0, "Parameter", 'shape="?,2..8,5" element_type="f32"', (), (-1, -1, 5))
SHAPE_OF = layer(1, "ShapeOf", "", [(-1, -1, 5)], (3,))
GATHER = layer(5, "Gather", 'batch_dims="0"', [(3,), (1,), (1,)], (1,))
SUBTRACT = layer(6, "Subtract", "", [(1,), (1,)], (1,))
SLICE = layer(7, "Slice", "", [(-1, -1, 5), (1,), (1,), (1,), (1,)], (-1, -1, 5))
SQUEEZE = layer(8, "Squeeze", "", [(-1, -1, 5), (1,)], (-1, 5))
SLICED = net(
    [PARAMETER, SHAPE_OF, const(2, 1), const(3, 0), const(4, 2), GATHER, SUBTRACT, SLICE, SQUEEZE],
    edges(
        *[((0, 0), (1, 0)), ((1, 1), (5, 0)), ((2, 0), (5, 1)), ((3, 0), (5, 2)), ((5, 3), (6, 0)), ((2, 0), (6, 1))],
        *[((0, 0), (7, 0)), ((3, 0), (7, 1)), ((6, 2), (7, 2)), ((2, 0), (7, 3)), ((2, 0), (7, 4))],
        *[((7, 5), (8, 0)), ((2, 0), (8, 1))],
    ),
    '<rt_info><info name="Runtime_version" value="2026.4.1"/></rt_info>',
)

WEIGHTS = struct.pack("<5q", *INTEGERS)
"""The content of the .bin file."""
