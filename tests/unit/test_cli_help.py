"""Help has examples that work, and shells complete commands, options, choices and files."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import shtab

from ssop import cli
from ssop.cli.completion import FILE

COMMANDS = [command.__name__.rpartition(".")[2] for command in cli.COMMANDS]


def help_of(capsys, *argv):
    assert cli.main([*argv, "--help"]) == 0
    return capsys.readouterr().out


def examples_in(text):
    """The words of the examples: what stands behind three spaces is a remark, > and | are the shell's."""
    lines = [line.strip() for line in text.partition("examples:\n")[2].splitlines()]
    commands = [line.partition("   ")[0].partition(" > ")[0].rpartition("| ")[2] for line in lines]
    return [shlex.split(command) for command in commands if command.startswith("ssop ")]


def test_the_commands_are_those_of_the_help(capsys):
    text = help_of(capsys)
    assert all(re.search(rf"^ +{command}( |$)", text, re.MULTILINE) for command in COMMANDS) and len(COMMANDS) == 11
    assert len(examples_in(text)) >= 4


@pytest.mark.parametrize("command", COMMANDS)
def test_the_documentation_has_the_help_of_every_command(command):
    page = Path(__file__).parents[2] / "docs" / "reference" / "command_line.md"
    assert f"\n## ssop {command}\n\n```{{command-help}} {command}\n```\n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples_that_parse(command, capsys):
    text = help_of(capsys, command)
    assert "--help" in text and max(map(len, text.splitlines())) <= 120
    found = examples_in(text)
    assert len(found) >= (1 if command == "vectors" else 2)
    for _, *words in found:
        assert words[0] == command
        assert cli.make_parser().parse_args(cli._joined(words)).run.__module__ == f"ssop.cli.{command}", words


@pytest.mark.parametrize("wrong", [["slice"], ["run"], ["explain", "3", "--dialect", "jax"], ["completion", "fish"]])
def test_errors_are_one_line(wrong, capsys):
    assert cli.main(wrong) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ssop: error: ") and err.count("\n") == 1


# ---- completion ------------------------------------------------------------------------------------------------------

COMPLETE = """
{script}
COMP_WORDS=({words})
COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
_shtab_ssop ssop "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}" 2>&1
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def bash_script():
    program = [sys.executable, "-m", "ssop", "completion", "bash"]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


def completed(script, words, folder):
    """What bash offers for the last of the words; an empty one is written as ''."""
    program = COMPLETE.format(script=script, words=words)
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True, cwd=folder)
    return set(done.stdout.split())


def test_bash_completes(bash_script, tmp_path):
    (tmp_path / "input.npy").touch()
    assert completed(bash_script, "ssop ''", tmp_path) >= set(COMMANDS)
    assert completed(bash_script, "ssop exp", tmp_path) == {"explain", "explore"}
    assert {"--begin", "--begin-mask"} <= completed(bash_script, "ssop explain 3 --beg", tmp_path)
    assert completed(bash_script, "ssop explain 3 --dialect t", tmp_path) == {"tf", "tflite"}
    assert "input.npy" in completed(bash_script, "ssop run inp", tmp_path)


@pytest.mark.parametrize("shell", ["zsh", "tcsh"])
def test_other_shells_have_a_script(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert "ssop" in text and all(command in text for command in COMMANDS)


def test_files_are_marked_as_shtab_has_them():
    assert FILE.items() <= shtab.FILE.items()


def test_without_shtab_the_error_names_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert cli.main(["completion", "bash"]) == 2
    assert capsys.readouterr().err == "ssop: error: completion needs shtab: pip install shtab\n"
