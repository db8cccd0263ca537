"""The environment of the engines."""

import os
import sys
from pathlib import Path

# The processes of `apart` find the engines' functions by the names these files have here: tests.differential.test_*.
sys.path.append(str(Path(__file__).parents[2]))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # else a line for each refused call
