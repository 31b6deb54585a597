"""The navigation, nothing else; and the server that shows it, for `streamlit run app.py`."""

import streamlit as st

# Streamlit runs this file for every visitor; its server imports it once, for `app`.
if __name__ == "__main__":
    st.navigation(
        [
            st.Page("pages/1_Data.py", title="Data"),
            st.Page("pages/2_Discover.py", title="Discover", default=True),
            st.Page("pages/3_Evidence.py", title="Evidence"),
            st.Page("pages/4_Compare.py", title="Compare"),
            st.Page("pages/5_About.py", title="About"),
        ]
    ).run()
else:
    from cml_app import server

    app = st.App(__file__, **server.options())
