"""Choose or bring data."""

from cml_app.panels import bring, data, templates
from cml_app.shell import open_page

with open_page("Data") as workspace:
    data.present(workspace)
    bring.show()
    templates.show()
    data.at_hand(workspace)
    data.examples()
    data.keeping(workspace)
