"""Choose or bring data."""

from cml_app.panels import data
from cml_app.shell import open_page

with open_page("Data") as workspace:
    data.present(workspace)
    data.examples()
    data.upload()
    data.keeping(workspace)
