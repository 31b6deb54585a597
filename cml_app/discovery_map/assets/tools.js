// The tools of the map, in the order of their buttons.

import "./tools/move.js";
import "./tools/select.js";
import "./tools/arrow.js";
import "./tools/curve.js";
