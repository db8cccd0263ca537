"""Writes docs/howto/inspect.md: for each hazard what somebody had, what `ssop inspect` prints of it, and what to write.

    python tools/hazards.py [--check]

With --check it writes nothing, and exits with 1 if the page is not current. The rows are those of
python/ssop/_inspect/stories.py, whose nodes the tests inspect, too. Needs islpy.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import ssop
from ssop._inspect.stories import STORIES, Example, Story, command, models

PAGE = Path(__file__).parents[1] / "docs/howto/inspect.md"

HEAD = """# Inspect a model

You have a model that loads in one engine and not in another, or that loads and is wrong. `ssop inspect` shows its
slices and their hazards:

```sh
ssop inspect model.onnx                      # all slices, and their hazards
ssop inspect model.onnx --only /crop/Slice   # everything that is known of one node
ssop inspect model.onnx --target tensorrt    # what an engine does not take
ssop inspect source/ converted.onnx          # is every slice still what it was?
ssop inspect --about zero-end                # one of the stories below
```

Below is a story for each hazard: what somebody had, the smallest node like it, and what to write instead.
[The notebook](../notebooks/inspecting.ipynb) goes through a whole model, and [the reference](../reference/inspect.md)
has every option.

## In continuous integration

The exit code is 0 if all is well, 1 for hazards at or above `--fail-on` (error, unless given), 2 for a file that cannot
be read. A step of a GitHub workflow shows the hazards beside the file:

```yaml
- run: ssop inspect model.onnx --sarif --fail-on never > slices.sarif
- uses: github/codeql-action/upload-sarif@v3
  with: {sarif_file: slices.sarif}
```

A hook of pre-commit inspects each model that a commit changes:

```yaml
- repo: local
  hooks:
    - {id: slices, name: slices, entry: ssop inspect --each, language: system, files: '\\.(onnx|tflite)$'}
```
"""


def inspected(example: Example) -> Any:
    target: Any = example.target
    return ssop.inspect(*models(example), target=target) if target else ssop.inspect(*models(example))


def example(shown: Example) -> str:
    said = command(shown)
    if said is None:
        nodes = "\n".join(shown.nodes)
        told = inspected(shown)
        return f"```python\n{nodes}\n```\n\n`ssop inspect` prints of a model with these:\n\n```text\n{told}\n```\n"
    return f"```console\n$ {said}\n{inspected(shown)}\n```\n"


def section(story: Story) -> str:
    hazard = story.hazard
    silent = "`, `".join(part for part in (*story.silent.nodes, story.silent.other) if part)
    return (
        f"\n## {hazard.name}\n\n**{story.title}.** {story.had}\n\n{example(story.shown)}\n"
        f"{story.instead} No hazard (`{hazard.label}`): `{silent}`.\n"
    )


def page() -> str:
    return HEAD + "".join(map(section, STORIES))


def main(check: bool) -> int:
    if check:
        return int(not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page())
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
