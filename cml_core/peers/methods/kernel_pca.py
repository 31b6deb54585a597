"""Kernel principal components: far is far, however far (Schölkopf, Smola and Müller 1998)."""

from __future__ import annotations

import numpy as np

from cml_core.peers.method import NEIGHBOURS, NOBODY, Asked, Drawn, Method
from cml_core.peers.setting import Setting
from cml_core.peers.spectra import ROUNDING, bell_curve, centre, coordinates, leading
from cml_core.values.words import counted


def _draw(asked: Asked) -> Drawn:
    typical = float(np.median(asked.data.condensed)) or 1.0
    kernel = bell_curve(asked.square(), asked.settings["width"] * typical)
    centre(kernel)
    values, vectors = leading(kernel, asked.n_components)
    below = int((values < -ROUNDING * values[0]).sum())
    told = (
        f"{counted(below, 'eigenvalue')} of the kernel {'is' if below == 1 else 'are'} negative, "
        f"down to {values[-1]:.2g}: these are not distances between points, and that part cannot "
        "be drawn.",
    )
    shown = float(np.maximum(values[: asked.n_components], 0.0).sum() / np.trace(kernel))
    return Drawn(coordinates(values, vectors), shown, remarks=told if below else ())


METHOD = Method(
    "kernel_pca",
    "Kernel PCA",
    "Lets alike count by a bell curve: all that are far apart are equally far.",
    NOBODY,
    NEIGHBOURS,
    "Groups mean something; how far apart they are does not.",
    "share of the spread that is shown",
    _draw,
    (
        Setting(
            "width",
            "Width",
            "Of the bell curve, in units of the median dissimilarity: small sees only neighbours.",
            lambda _n: 1.0,
            least=0.01,
            most=100.0,
        ),
    ),
    lower_is_better=False,
    keeps_unit=False,
)
