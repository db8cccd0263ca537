"""The documentation site: `python -m sphinx -W -n -E docs build/docs` writes it after `pip install ".[docs]"`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent / "tools")]

import ssop  # noqa: E402 # after the path, as all imports of this file

project = "ssop"
release = version = ssop.__version__
copyright = "the authors of ssop; Apache-2.0"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "docstrings",  # before numpydoc, which reads what it has changed
    "numpydoc",
    "code_boxes",
    "generated",
    "tables",
    "linked_words",
    "source_pages",
]
exclude_patterns = ["extensions"]
default_role = "code"
nitpicky = True

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "force"  # notebooks are stored without outputs
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_mime_priority_overrides = [("html", "text/html", 0)]  # of a widget, its page in a frame, which needs no network
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # which would be loaded from there

autodoc_typehints = "none"  # the docstrings have the types, in words
autodoc_member_order = "alphabetical"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "furo"
html_title = "ssop"
html_copy_source = False
html_show_search_summary = False  # pages that are opened as files cannot be fetched
html_static_path = ["static", "generated"]
html_css_files = ["site.css"]
html_theme_options = {"navigation_with_keys": True}
