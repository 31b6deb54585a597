"""A page with a map that is coloured by a balance."""

from __future__ import annotations

from cml_app.discovery_map import Scene, discovery_map
from cml_app.scenes import colouring
from cml_core import Feature

balance = Feature.of("balance", "Balance", [-8, 8, 0, 4, None])
places = [-10, 10, 10, -10, 0], [-5, -5, 5, 5, 0]
discovery_map(Scene("one", tuple("ABCDE"), *places, colour=colouring(balance)), key="map")
