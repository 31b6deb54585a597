"""What every page begins with; nothing that matters happens only in app.py."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from cml_app import evidence_requests, help_pages, log, messages, readiness, visits
from cml_app.frontend import MARK, NAME, wordmark
from cml_app.keeping.store import NoSuchProject
from cml_app.panels import preparing, projects, undoing
from cml_app.tries import TooManyTries
from cml_app.workspace import Workspace

_STYLE = """
<style>
  .stMainBlockContainer { padding: .9rem 1.5rem 1.5rem; max-width: none; }
  .stMainBlockContainer h1 { font-size: 1.35rem; padding: 0; }
  .stMainBlockContainer h2, [data-testid="stSidebar"] h2 { font-size: 1rem; padding: 0; }
  .stMainBlockContainer h3 { font-size: 1rem; margin-top: .5rem; padding: .6rem 0 0;
    border-top: 1px solid rgb(128 128 128 / 30%); }
  /* Streamlit lets what follows a heading overlap its last line. */
  .stHeading [data-testid="stMarkdownContainer"] { margin-bottom: 0; }
  .stMainBlockContainer .stVerticalBlock { gap: .5rem; }
  /* Streamlit's own grey for small print is too faint on white to be read by everyone. */
  [data-testid="stCaptionContainer"], [data-testid="stCaptionContainer"] p {
    color: inherit; opacity: 1; }
  [data-testid="stCaptionContainer"] p { opacity: .78; }
  [data-testid="stCaptionContainer"] a { color: inherit; text-decoration: underline; }
  [data-testid="stSidebarHeader"] { height: 1.5rem; padding-top: .5rem; }
  [data-testid="stHeader"] { background: transparent; }
  .stButton button, .stFormSubmitButton button, .stDownloadButton button, .stPopover button {
    min-height: 2.1rem; padding: .2rem .6rem; }
  [data-testid^="stBaseButton-primary"], .stMultiSelect span[title] {
    color: light-dark(#fff, #04252b); }

  [class*="st-key-step-"] button { padding: .25rem .6rem; }
  [class*="st-key-step-"] button, [class*="st-key-step-"] button > div {
    justify-content: flex-start; text-align: left; }
  [class*="st-key-step-"] button p { white-space: normal; overflow-wrap: anywhere; }

  [class*="st-key-depth-1"] { padding-left: .9rem; }
  [class*="st-key-depth-2"] { padding-left: 1.8rem; }
  [class*="st-key-depth-3"] { padding-left: 2.7rem; }
  [class*="st-key-depth-4"] { padding-left: 3.6rem; }
  [data-testid="stSidebar"] .stVerticalBlock { gap: .4rem; }
  [data-testid="stSidebar"] .stHeading:not(:first-child) { margin-top: .6rem; }

  /* In the line of the menu, where nothing else stands. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-undo) { position: fixed; top: .4rem;
    right: 1.5rem; z-index: 999991; width: auto; }

  .st-key-tour { padding: .5rem .75rem; }
  .st-key-tour p { font-size: .875rem; line-height: 1.4; }
  .st-key-tour button { min-height: 1.6rem; padding: 0 .3rem; }
  .st-key-summary p { font-size: .875rem; line-height: 1.4; }
  /* Streamlit's own colour is too faint on a choice with the mouse over it. */
  [data-testid="stButtonGroup"] :is([aria-checked="true"], [aria-pressed="true"]) {
    color: light-dark(#08525f, #3bc9db) !important; }
  /* How far a computation is stays in sight however far down one reads. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-under-way) { position: sticky; top: 0; z-index: 50;
    padding: .4rem 0; background: light-dark(#fff, #171614);
    border-bottom: 1px solid rgb(128 128 128 / 30%); }
  .st-key-about { max-width: 46rem; }
  /* What is chosen stands beside the pictures, which take all else. */
  @media (min-width: 641px) {
    .stHorizontalBlock:has(> .stColumn > .stVerticalBlock > * > .st-key-choices) {
      flex-wrap: nowrap; }
    .stColumn:has(> .stVerticalBlock > * > .st-key-choices) { flex: 0 0 14rem; min-width: 0;
      position: sticky; top: 0; align-self: flex-start; max-height: 100dvh;
      overflow: hidden auto; scrollbar-width: thin; }
    .stColumn:has(> .stVerticalBlock > * > .st-key-eyes) { flex: 1 1 0; min-width: 0; }
  }
  .st-key-choices [data-testid="stButtonGroup"] button { padding: 0 .5rem; min-width: 0; }
  /* A line for each question, at its place from the beginning. */
  .st-key-chips > div { flex: 1 1 13rem; min-width: 0; }
  .st-key-chips .stPopover button p { display: -webkit-box; -webkit-line-clamp: 2;
    -webkit-box-orient: vertical; overflow: hidden; line-height: 1.2; font-size: .875rem;
    white-space: normal; text-wrap: balance; }
  .st-key-chips .stPopover button { height: 2.6rem; }
  .st-key-by-chance { min-height: 1.5rem; }
  .st-key-by-chance > div { flex: 0 0 auto; width: auto; }
  .st-key-map-controls > div { flex: 1 1 9rem; min-width: 9rem; }
  .st-key-known-ticks .stColumn { min-width: 0; }
  .st-key-known-ticks .stHorizontalBlock { flex-wrap: nowrap; }
  .st-key-paste textarea { font-family: monospace; }
  .st-key-discovery, .st-key-scale-block { padding: .75rem; }
  .st-key-discovery .stForm { padding: 0; }
  /* Under a finger these would lie over the button above the table. */
  .st-key-discovery [data-testid="stElementToolbar"] { display: none; }
  /* What completes a discovery stays in sight, however long the panel is. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-naming) { position: sticky; bottom: 0; z-index: 40;
    padding: .4rem 0; background: light-dark(#fff, #171614); }
  [class*="st-key-example-"] > div:last-child { margin-top: auto; }

  .share { display: flex; align-items: center; gap: .4rem; font-size: .8rem;
    font-variant-numeric: tabular-nums; }
  .share > span { flex: 1; height: .4rem; border-radius: .2rem; overflow: hidden;
    background: rgb(128 128 128 / 25%); }
  .share > span > span { display: block; height: 100%; background: light-dark(#0b7285, #3bc9db); }

  /* Beside the map a panel of its own, which scrolls by itself, so that nothing moves the map. */
  @media (min-width: 641px) {
    .stHorizontalBlock:has(> .stColumn > .stVerticalBlock > * > .st-key-look) {
      flex-wrap: nowrap; }
    .stHorizontalBlock > .stColumn:has(> .stVerticalBlock > * > .st-key-look) {
      flex: 1 1 0; min-width: 0; }
    .stHorizontalBlock > .stColumn:has(> .stVerticalBlock > * > .st-key-aside) {
      flex: 0 0 clamp(17.5rem, 26%, 26rem); min-width: 0; }
  }
  @media (min-width: 641px) and (min-height: 600px) {
    .stVerticalBlock:is(.st-key-look, .st-key-aside) { flex: none; height: calc(100dvh - 2.4rem); }
    .stVerticalBlock.st-key-aside { overflow: hidden auto; scrollbar-width: thin;
      scrollbar-gutter: stable;
      padding: 2px; width: calc(100% + 1rem); max-width: none; flex-wrap: nowrap; }
    .st-key-aside > * { flex-shrink: 0; }
    .st-key-known-ticks { max-height: max(8rem, 26vh); overflow-y: auto; }
    .st-key-look > * { flex-shrink: 0; }
    .st-key-look :is(.st-key-map, .st-key-map-beside, .st-key-points),
    .st-key-look > :has(> .st-key-compared) { flex: 1 1 0; min-height: 420px; }
    .st-key-compared, .st-key-compared > *, .st-key-compared .stHorizontalBlock,
    .st-key-compared .stColumn, .st-key-compared .stColumn > .stVerticalBlock,
    :is(.st-key-map, .st-key-map-beside, .st-key-points) div { height: 100%; }
  }

  @media (max-width: 640px) {
    .st-key-by-chance { min-height: 3.4rem; }
    /* On a phone all stands in one column, with the ticks before the map. */
    .stHorizontalBlock:has(> .stColumn > .stVerticalBlock > * > .st-key-look) {
      flex-flow: column nowrap; gap: .5rem; }
    .stColumn:has(> .stVerticalBlock > * > :is(.st-key-look, .st-key-aside)),
    .stVerticalBlock:has(> * > :is(.st-key-look, .st-key-aside)),
    [data-testid="stLayoutWrapper"]:has(> :is(.st-key-look, .st-key-aside)),
    .stVerticalBlock:is(.st-key-look, .st-key-aside) { display: contents; }
    [data-testid="stLayoutWrapper"]:has(> .st-key-heading) { order: -2; }
    [data-testid="stLayoutWrapper"]:has(> .st-key-ticks) { order: -1; }
    /* The button that opens the sidebar floats over the first line. */
    .stMainBlockContainer { padding: 3.1rem 1rem 1.5rem; }
    [data-testid="stHeader"] { height: 3rem; min-height: 3rem;
      background: light-dark(#fff, #171614); }
    [data-testid="stLayoutWrapper"]:has(> .st-key-undo) { top: 0; right: 1rem; }
    [data-testid="stLayoutWrapper"]:has(> .st-key-under-way) { top: 2.6rem; }
  }
  @media (pointer: coarse) {
    .stButton button, .stFormSubmitButton button, .stDownloadButton button, .stPopover button,
    .stNumberInput button, .stNumberInput input, .stTextInput input { min-height: 2.75rem; }
    .stNumberInput button { min-width: 2.75rem; }
  }
</style>
"""


@contextmanager
def open_page(title: str, known: tuple[str, ...] = (), *, own: bool = True) -> Iterator[Workspace]:
    """Set up a page and hand it the visitor's workspace; every error is explained.

    Parameters
    ----------
    known : of the opening example, what a newcomer to this page finds taken out.
    own : whether the page is about the workspace; then what was done to it can be undone here.
    """
    with log.page(title):
        st.set_page_config(
            page_title=f"{title} · {NAME}",
            layout="wide",
        )
        st.html(_STYLE)
        st.logo(wordmark(dark=is_dark()), icon_image=str(MARK))
        links = (
            help_pages.link(*help_pages.HELP[title]),
            help_pages.link(help_pages.GLOSSARY, "Glossary"),
        )
        if there := " · ".join(link for link in links if link):
            st.sidebar.caption(f":material/help: {there}")
        if unready := readiness.under_way():
            preparing.wait(unready)
        with messages.explained():
            try:
                held = visits.current(known)
            except (NoSuchProject, TooManyTries) as error:
                messages.show(error)
                st.button("Begin anew", on_click=visits.leave, type="primary")
                st.stop()
            if evidence_requests.take_if_done(held) and held.trouble is None:
                st.toast("What you asked about a map has been found: see the Evidence page.")
            if own:
                undoing.show(held, of_data=title == "Data")
                projects.show(held)
            yield held


def is_dark() -> bool:
    """Whether the visitor's theme is dark, for pictures that cannot ask the style sheet."""
    return st.context.theme.type == "dark"
