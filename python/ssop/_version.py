"""The version of the package: setup.py's metadata are read from here, without importing it."""

__version__ = "0.1.0"
