"""How the Learn page looks, beside what all pages share."""

from __future__ import annotations

STYLE = """
<style>
  .st-key-lesson-words { max-width: 62rem; }
  .st-key-lessons { display: grid; gap: .8rem;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, clamp(9.5rem, 16vw, 14rem)), 1fr)); }
  .st-key-lessons > * { min-width: 0; width: auto; }
  [class*="st-key-lesson-card-"] { position: relative; padding: .6rem .7rem .5rem; height: 100%; }
  [class*="st-key-lesson-card-"]:hover { border-color: light-dark(#0b7285, #3bc9db); }
  [class*="st-key-lesson-card-"] img { display: block; width: 100%; }
  [class*="st-key-lesson-card-"] button { text-align: left; justify-content: flex-start;
    padding: 0; font-weight: 600; }
  /* The whole card opens the lesson. */
  [class*="st-key-lesson-card-"] button::after { content: ""; position: absolute; inset: 0; }
  [class*="st-key-lesson-card-"] .stElementContainer,
  [class*="st-key-lesson-card-"] .stButton,
  [class*="st-key-lesson-card-"] .stTooltipIcon { position: static; }
  [class*="st-key-lesson-card-"] button { position: static; }
  .st-key-lesson-drawing .st-key-lesson-arrow { height: clamp(360px, 58dvh, 540px); }
  .lesson-gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr));
    gap: .4rem; }
  .lesson-gallery figure { margin: 0; text-align: center; font-size: .8rem; }
  .lesson-gallery img { width: 100%; }
</style>
"""
