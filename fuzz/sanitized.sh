#!/usr/bin/env bash
# Runs Python with an ssop that was built with the address and undefined-behaviour sanitizers:
#     fuzz/sanitized.sh FOLDER fuzz/in_flight.py --calls 100000
# The environment is made in FOLDER at the first time, and again after a change of the sources.
set -euo pipefail
folder=$1
shift
sources=$(cd "$(dirname "$0")/.." && pwd)
changed() { find "$sources/csrc" "$sources/python" "$sources/tools" "$sources/setup.py" -name '*.[chp]*' ! -name '*.pyc' -newer "$folder/built" | grep -q .; }

if [ ! -e "$folder/built" ] || changed; then
    rm -rf "$folder"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/pip" install -q 'setuptools>=77' 'numpy>=2.0' pytest ml_dtypes
    mkdir "$folder/sources" # a build leaves build/lib in its tree, and the next one there installs those files, too
    tar -C "$sources" --exclude='*.so' -cf - csrc python tools setup.py pyproject.toml README.md LICENSE | tar -C "$folder/sources" -xf -
    SSOP_SANITIZE=1 "$folder/venv/bin/pip" install -q --no-build-isolation "$folder/sources"
    touch "$folder/built"
fi

# The sanitizer looks for the function that throws C++ exceptions, as islpy does, when it is loaded.
LD_PRELOAD="$("${CC:-gcc}" -print-file-name=libasan.so) $("${CC:-gcc}" -print-file-name=libstdc++.so.6)"
export LD_PRELOAD ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc
exec "$folder/venv/bin/python" "$@"
