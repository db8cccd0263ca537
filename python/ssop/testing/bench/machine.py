"""Facts of the machine that a result cannot be read without. Nothing in them names the machine or its user."""

from __future__ import annotations

import os
import platform
import re
from pathlib import Path

import ssop
from ssop.testing.bench.contenders import usable_cpus


def facts() -> dict[str, str]:
    """Return name -> text; what the system does not tell is left out."""
    found = {
        "cpu": _cpu_model(),
        "cpus": str(usable_cpus()),
        "caches": _caches(),
        "memory": _memory(),
        "kernels": ssop.show_config("dicts")["kernels"]["chosen"],
        "huge pages": ssop.show_config("dicts")["memory"]["huge_pages"] or "",
        "system": f"{platform.system()} {platform.machine()}",
        "load": f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "",
        "environment": " ".join(f"{name}={value}" for name, value in sorted(os.environ.items()) if _matters(name)),
    }
    return {name: text for name, text in found.items() if text}


def _matters(name: str) -> bool:
    return name in ("SSOP_CPU", "SSOP_NUM_THREADS", "OMP_NUM_THREADS", "GLIBC_TUNABLES")


def _first(pattern: str, path: str) -> str:
    """Return the first group of the first match in a file, or nothing."""
    try:
        match = re.search(pattern, Path(path).read_text(encoding="utf-8"))
    except OSError:
        return ""
    return match.group(1).strip() if match else ""


def _cpu_model() -> str:
    return _first(r"model name\s*:\s*(.+)", "/proc/cpuinfo") or platform.processor() or platform.machine()


def _caches() -> str:
    """Return the first CPU's caches, such as "L1d 32K, L1i 32K, L2 1024K, L3 32768K"."""
    texts = []
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (_first(r"(\w+)", str(folder / name)) for name in ("level", "type", "size"))
        texts.append(f"L{level}{ {'Data': 'd', 'Instruction': 'i'}.get(kind, '') } {size}")
    return ", ".join(texts)


def _memory() -> str:
    kilobytes = _first(r"MemTotal:\s*(\d+) kB", "/proc/meminfo")
    return f"{int(kilobytes) / 2**20:.0f} GiB" if kilobytes else ""
