"""Results become pictures; nothing in here knows Streamlit."""
