"""About: what this is, whose method it is, and what words mean."""

from cml_app.panels import about
from cml_app.shell import open_page

with open_page("About") as held:
    about.show(held)
