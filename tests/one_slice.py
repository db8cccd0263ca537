"""The Slice of ONNX that converters write for a strided slice, a second time: the package has it in C."""

INT64 = (-(2**63), 2**63 - 1)


def as_one_slice(call):
    """The arguments of the Slice that converters write for the call, None if no Slice expresses it."""
    entries = [
        {"begin": begin, "end": end, "step": step, "bits": [mask >> entry & 1 for mask in call["masks"]]}
        for entry, (begin, end, step) in enumerate(zip(call["begin"], call["end"], call["strides"], strict=True))
    ]
    ranges = [entry for entry in entries if not entry["bits"][2]]
    whole = len(call["shape"]) - len(ranges)
    if len(entries) > len(ranges) + 1 or whole < 0 or not call["shape"] or any(any(e["bits"][3:]) for e in ranges):
        return None
    starts, ends, axes, axis = [], [], [], 0
    for entry in entries:
        if entry["bits"][2]:
            axis += whole
            continue
        back = entry["step"] < 0
        starts.append((INT64[1] if back else 0) if entry["bits"][0] else entry["begin"])
        ends.append((INT64[0] if back else INT64[1]) if entry["bits"][1] else entry["end"])
        axes.append(axis)
        axis += 1
    return starts, ends, axes, [entry["step"] for entry in ranges]
