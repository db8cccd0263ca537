"""`ssop.show_config`: the build, the machine and the settings, for reports of bugs and of timings."""

from __future__ import annotations

import os
import platform
import re
from typing import Any, Literal, overload

import numpy as np

from ssop import _core, _policies
from ssop._errors import kind_of, value_error
from ssop._text import printable
from ssop._version import __version__

SETTINGS = ("SSOP_CPU", "SSOP_NUM_THREADS", "SSOP_CACHE_BYTES", "SSOP_VARIANT", _policies.FILE_VARIABLE)
FROM_SOURCE = "built from source"


@overload
def show_config(mode: Literal["stdout"] = "stdout") -> None: ...
@overload
def show_config(mode: Literal["dicts"]) -> dict[str, dict[str, Any]]: ...
def show_config(mode: str = "stdout") -> dict[str, dict[str, Any]] | None:
    """Prints the versions, the build, the kernels, threads and memory in use, and the environment; or returns them.

    Parameters
    ----------
    mode : "stdout" or "dicts"
        The first prints a line per row and returns None, the second returns subject -> name -> value:

        - versions: of ssop, Python, NumPy, and the system
        - build: the compiler of the C core and its flags without paths, whether it optimized, whether assertions are on
          (SSOP_DEBUG). Also the version of NumPy's headers, a digest of the C sources, and the tags of the installed
          wheel, or "built from source". The same sources and tools give the same rows at any time and in any folder
        - kernels: those that were built, those usable here, the chosen ones, and who chose them
        - threads: how many one copy may use, and the processors of this process
        - memory: the bytes of the last-level cache (0 if the system does not report it). Also the most bytes of
          freed results that are kept, and the system's setting for huge pages, or None
        - policies: the sizes, in bytes unless the name says items, by which the copy engine decides how a copy treats
          memory. They change how fast copies are, never a result. SSOP_POLICY_<NAME> replaces one at import
        - tuning: the file of `ssop tune` (SSOP_TUNED_FILE, else tuned.json in the user's configuration folder; empty:
          none), whether it is used, and which policies come from it and from the environment
        - environment: the variables of ssop that are set now; ssop reads them at import

    Raises
    ------
    SliceValueError : another mode (cfg_c1).

    Source: ours; the name and the modes are NumPy's.

    Examples
    --------
    >>> import ssop
    >>> ssop.show_config()  # doctest: +ELLIPSIS
    versions:
      ssop: ...
    >>> ssop.show_config(mode="dicts")["threads"]["count"] == ssop.get_num_threads()
    True
    """
    if not isinstance(mode, str) or mode not in ("stdout", "dicts"):
        short = isinstance(mode, str) or (isinstance(mode, int) and abs(mode) < 2**63)
        given = repr(mode) if short else kind_of(mode)
        raise value_error("show_config", "cfg_c1", f"mode is {given}, not 'stdout' or 'dicts'", value=mode)
    config = _config()
    if mode == "dicts":
        return config
    for subject, rows in config.items():
        print(f"{subject}:")
        for name, value in rows.items():
            print(printable(f"  {name}: {', '.join(value) if isinstance(value, list) else value}"))
    return None


def _config() -> dict[str, dict[str, Any]]:
    core, kernels = _core.core_config(), _core.cpu_features()
    versions = {
        "ssop": __version__,
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
    }
    usable = [name for name, runs in kernels.items() if runs]
    return {
        "versions": versions,
        "build": {**core["build"], "wheel": _wheel()},
        "kernels": {"built": list(kernels), "usable": usable, **core["kernels"]},
        "threads": core["threads"],
        "memory": {**core["memory"], "huge_pages": _huge_pages()},
        "policies": {policy.name: policy.value for policy in _policies.policies()},
        "tuning": {
            "file": _policies.TUNED.path,
            "state": _policies.TUNED.state,
            "from_file": sorted(set(_policies.TUNED.values) - set(_policies.NAMED)),
            "from_environment": sorted(_policies.NAMED),
        },
        "environment": {name: value for name, value in sorted(os.environ.items()) if _is_setting(name)},
    }


def _wheel() -> str:
    """Return the tags of the wheel that this package was installed from."""
    import json  # importing ssop needs neither
    from importlib import metadata

    try:
        distribution = metadata.distribution("ssop")
    except metadata.PackageNotFoundError:
        return FROM_SOURCE
    tags = re.findall(r"^Tag: (\S+)$", distribution.read_text("WHEEL") or "", flags=re.M)
    is_this = os.path.realpath(str(distribution.locate_file("ssop"))) == os.path.dirname(os.path.realpath(__file__))
    from_folder = "dir_info" in json.loads(distribution.read_text("direct_url.json") or "{}")
    return ", ".join(tags) if tags and is_this and not from_folder else FROM_SOURCE


def _is_setting(variable: str) -> bool:
    return variable in SETTINGS or variable.startswith(_policies.PREFIX)


def _huge_pages() -> str | None:
    """Return what Linux says of them, such as "madvise" or "never"."""
    try:
        with open("/sys/kernel/mm/transparent_hugepage/enabled", encoding="ascii") as file:
            match = re.search(r"\[(\w+)\]", file.read())
    except OSError:
        return None
    return match[1] if match else None


show_config.__module__ = "ssop"  # where users and pickles find it
