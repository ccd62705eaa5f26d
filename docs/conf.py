"""The docs as a site: `sphinx-build -W --keep-going docs site`, with the extra `kifu[docs]`.

A page that stands in no `toctree` of index.md is a warning, and a warning fails the build.
"""

import re
from importlib.metadata import version as version_of
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


def setup(app: Any) -> None:
    """Tell Sphinx of what stands here."""
    app.connect("autodoc-process-signature", _with_defaults)
