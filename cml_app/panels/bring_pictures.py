"""Pictures on their way in: which objects they belong to."""

from __future__ import annotations

import streamlit as st

from cml_app import bringing, messages, this_server
from cml_app.intake import Intake, pictures_of, prepared_of
from cml_core.errors import ConditionalMappingError
from cml_core.values.words import counted


def show(intake: Intake) -> bool:
    """What became of the pictures; whether they can be used."""
    if not intake.pictures.of:
        return True
    st.markdown(f"**Pictures** from {counted(len(intake.pictures.of), 'file')}")
    try:
        labels = prepared_of(intake, this_server.limits(), bringing.memory()).labels
    except ConditionalMappingError:
        # What the doctor asks comes first.
        return True
    try:
        report = pictures_of(intake, labels).report
    except ConditionalMappingError as error:
        messages.show(error)
        return False
    st.markdown("\n".join(f"- {messages.plain(line)}" for line in report))
    return True
