"""Sphinx builds our own test pages with this; the theme is given by -D."""

project = "pages"
extensions = ["sphinx.ext.mathjax", "sphinx.ext.viewcode"]
exclude_patterns = []
html_copy_source = False
# the pages hold declarations that Sphinx cannot parse, on purpose
suppress_warnings = []
