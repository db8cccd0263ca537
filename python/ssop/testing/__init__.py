"""Tools to test slicing code, ours and yours.

`ssop.testing.strategies` has Hypothesis strategies and needs the extra `ssop[testing]`, which is Hypothesis;
`ssop.testing.bench` is the benchmark behind `ssop bench`. Each is loaded when it is imported, not with `ssop`.
"""
