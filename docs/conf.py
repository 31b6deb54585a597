"""How Sphinx makes the site: `make docs`."""

import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "extensions"), str(HERE.parent)]

project = "What is left?"
version = release = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["version"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "mathml"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"

autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_type_aliases = {name: name for name in ("BoolArray", "FloatArray", "IntArray", "RealArray")}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"
add_module_names = False
# A quoted option is to be typed as it stands.
smartquotes = False
# What docstrings put in backquotes is code, and a link where it is documented.
default_role = "py:obj"

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("accessible.js", {"defer": "defer"})]
templates_path = ["templates"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b7285", "color-brand-content": "#0b7285"},
    "dark_css_variables": {"color-brand-primary": "#3bc9db", "color-brand-content": "#3bc9db"},
}
