"""Tools to test slicing code, ours and yours: needs the extra `ssop[test]`."""
