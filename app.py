"""The navigation, nothing else; and the server that shows it, for `streamlit run app.py`."""

import streamlit as st

# Streamlit runs this file for every visitor; its server imports it once, for `app`.
if __name__ == "__main__":
    discover = st.Page("pages/2_Discover.py", title="Discover", url_path="first", default=True)

    def by_its_name() -> None:
        """What comes first stands under the bare address; a link that names it leads there."""
        st.switch_page(discover, query_params=st.query_params.to_dict())

    st.navigation(
        [
            st.Page("pages/1_Data.py", title="Data"),
            discover,
            st.Page("pages/3_Evidence.py", title="Evidence"),
            st.Page("pages/4_Compare.py", title="Compare"),
            st.Page("pages/6_Many.py", title="Many objects", url_path="Many"),
            st.Page("pages/5_Learn.py", title="Learn"),
            st.Page("pages/5_About.py", title="About"),
            st.Page(by_its_name, title="Discover", url_path="Discover", visibility="hidden"),
        ]
    ).run()
else:
    from cml_app import server

    app = st.App(__file__, **server.options())
