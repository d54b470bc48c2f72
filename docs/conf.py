"""How Sphinx makes a site of these pages; `make docs` runs it.

The environment variables SIXPLANE_ADDRESS (https://HOST/OWNER/sixplane) and SIXPLANE_REF (a tag or a branch)
say where the sources are, to which some pages link.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import sixplane

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "sixplane"
author = "The sixplane authors"
version = release = sixplane.__version__
source_address = os.environ.get("SIXPLANE_ADDRESS", "").rstrip("/")
source_ref = os.environ.get("SIXPLANE_REF", "main")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_argparse_cli",
    "sphinx_copybutton",
    "contents",
    "docstrings",
    "mathml",
    "option_tables",
    "signatures",
    "source_links",
]
exclude_patterns = ["extensions", "static", "templates"]

nitpicky = True
# Words in single quotes in a docstring are code, and a link where something public has that name.
default_role = "code-or-link"
nitpick_ignore_regex = [
    ("py:obj", ".*"),
    # What others document.
    ("py:.*", r"(?!sixplane).*"),
    # The type of what goes in and comes out.
    ("py:class", r"sixplane\.(jobs\.\w+|_arguments)\.T"),
    # Types of arguments and bases without a page of their own.
    ("py:class", r"sixplane\.(\w+\.)+(\w+Options|Calls?|RunFolder|OpponentSeat|SearchingAgent|Step)"),
    ("py:class", r"sixplane\.(\w+\.)+BoardGameVectorEnv"),
]

myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]

autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}
# Libraries of several gigabytes, which only the modules for them import.
autodoc_mock_imports = [
    "open_spiel",
    "pyspiel",
    "ray",
    "sb3_contrib",
    "stable_baselines3",
    "tensordict",
    "torch",
    "torchrl",
]
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"sixplane {release}"
html_theme_options = {
    "announcement": "Nothing is published yet: install from a checkout, <code>pip install '.[all]'</code>",
}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["versions.js"]
templates_path = ["templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "versions.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
