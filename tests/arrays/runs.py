"""`ssop run` in this process, for the tests of what it reads and writes."""

from ssop.cli import main


def ran(*argv):
    assert main(["run", *argv]) == 0


def rejected(capsys, *argv):
    """What a run with bad input says: one line, which is returned."""
    capsys.readouterr()
    assert main(["run", *argv]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("ssop: error: ") and said.err.count("\n") == 1
    return said.err
