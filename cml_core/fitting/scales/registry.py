"""The scales that a problem can be asked on, the one that believes most first."""

from __future__ import annotations

from collections.abc import Mapping

from cml_core.fitting.scales import ordinal, power, smooth
from cml_core.fitting.scales.scale import Scale

RATIO = "ratio"

SCALES: Mapping[str, Scale] = {
    scale.name: scale
    for scale in (
        Scale(RATIO, "Distances", "Twice the number is twice as far."),
        smooth.INTERVAL,
        power.SCALE,
        smooth.SPLINE,
        ordinal.SCALE,
    )
}
