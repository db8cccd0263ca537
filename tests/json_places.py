"""Data of JSON with one place changed: what somebody may have made of a file that ssop wrote."""

ABSENT = object()
"""As a value: the place is left out."""


def places(data, path=()):
    """Every place in data of JSON but the whole."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


def changed(data, path, value):
    """The same data with another value at a place, or with none."""
    copy = data.copy()
    if len(path) > 1:
        copy[path[0]] = changed(data[path[0]], path[1:], value)
    elif value is ABSENT:
        del copy[path[0]]
    else:
        copy[path[0]] = value
    return copy
