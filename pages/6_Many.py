"""Many objects: the same loop with up to a million of them, from vectors."""

from cml_app.panels.many import page
from cml_app.shell import open_page

with open_page("Many objects", own=False):
    page.show()
