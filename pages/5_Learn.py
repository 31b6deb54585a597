"""Learn: ten short lessons to be handled, and puzzles for a class."""

from cml_app.panels.learn import page
from cml_app.shell import open_page

with open_page("Learn") as workspace:
    page.show(workspace)
