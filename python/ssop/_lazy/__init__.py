"""Operations on arrays that are not NumPy's: the result stays in the array's own library.

`operations` is the table of them, which the C functions call; `results` says how their results are taken, and
`libraries` what each library can do.
"""
