"""The docs as a site: `sphinx-build -W --keep-going docs site`, with the extra `kifu[dev]`.

A page that stands in no `toctree` of index.md is a warning, and a warning fails the build.
"""

import re
import runpy
import sys
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

import attrs

project = "kifu"
author = "the makers of kifu"
copyright = "the makers of kifu"
release = version_of("kifu")
html_title = f"kifu 棋譜 {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["examples/**"]
myst_heading_anchors = 3

default_role = "code"  # in docstrings as in Markdown: `name`

html_theme = "furo"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_favicon = "pictures/icon.svg"
html_copy_source = False
html_show_search_summary = False  # it would fetch the pages, which a browser forbids where they are files
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"

_GREEN = {"color-brand-primary": "#2d5a4c", "color-brand-content": "#2a6a55", "color-brand-visited": "#2a6a55"}
_PALE = {"color-brand-primary": "#8fd0b8", "color-brand-content": "#8fd0b8", "color-brand-visited": "#8fd0b8"}
html_theme_options: dict[str, Any] = {
    "light_css_variables": {**_GREEN, "color-background-primary": "#fffdf8", "color-background-secondary": "#f4efe4"},
    "dark_css_variables": {**_PALE, "color-background-primary": "#15171b", "color-background-secondary": "#1e2127"},
}

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"


def _with_defaults(_app: Any, _what: str, _name: str, made: Any, _options: Any, signature: str, returns: str) -> Any:
    """Give the defaults of an attrs class as they are: its `__init__` has them from a table of its own."""
    if signature is None or not (isinstance(made, type) and attrs.has(made)):
        return None
    fields = attrs.fields_dict(made)
    return re.sub(r"attr_dict\['(\w+)'\]\.default", lambda found: repr(fields[found[1]].default), signature), returns


_HERE = Path(__file__).parent
sys.path.append(str(_HERE.parent / "benchmarks"))  # what renders the results imports its neighbour
_RULES = runpy.run_path(str(_HERE / "rules" / "make.py"))["with_made"]
_REFERENCE = runpy.run_path(str(_HERE / "make_reference.py"))["made"]
_RESULTS = runpy.run_path(str(_HERE.parent / "benchmarks" / "render.py"))["rendered"]


def _with_what_is_made(_app: Any, name: str, source: list[str]) -> None:
    """Put into a page what stands elsewhere: in games, docstrings, help, and the results of benchmarks."""
    if name.startswith("rules/"):
        source[0] = _RULES(source[0], name.removeprefix("rules/"))
    elif name in ("cli", "game-reference"):
        source[0] = _REFERENCE(source[0])
    elif name == "benchmarks":
        source[0] = _RESULTS(source[0])


def setup(app: Any) -> None:
    """Tell Sphinx of what stands here."""
    app.connect("source-read", _with_what_is_made)
    app.connect("autodoc-process-signature", _with_defaults)
