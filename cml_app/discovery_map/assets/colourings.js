// The ways to colour objects.

import "./colourings/sequential.js";
import "./colourings/categorical.js";
import "./colourings/circular.js";
import "./colourings/swatch.js";
import "./colourings/picture.js";
