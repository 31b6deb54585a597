"""One HTML page that needs nothing else, and asks for nothing from elsewhere."""

from __future__ import annotations

from cml_core.report.map_svg import escaped


def page(title: str, body: str) -> str:
    """A whole page.

    Parameters
    ----------
    title : any text.
    body : safe HTML.
    """
    return _PAGE.format(title=escaped(title), style=_STYLE, body=body)


_STYLE = """
:root { color-scheme: light dark; --ink: #1c1f26; --paper: #fff; --line: #d5d9e2; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaf0; --paper: #14171d; --line: #3a404d; }
}
body { margin: 0; color: var(--ink); background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
main { max-width: 54rem; margin: 0 auto; padding: 1.5rem; }
a { color: inherit; }
figure { margin: 1rem 0; } svg { width: 100%; max-width: 35rem; height: auto; }
figure.small svg { max-width: 20rem; }
figcaption, small { opacity: 0.75; font-size: 0.875rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.75rem 0.25rem 0;
  text-align: start; vertical-align: top; }
.note { white-space: pre-line; border-inline-start: 3px solid var(--line); padding-left: 1rem; }
@media print {
  :root { --ink: #000; --paper: #fff; --line: #bbb; }
  main { max-width: none; padding: 0; } figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
"""
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body><main>{body}</main></body>
</html>
"""
