// Looking at one object: its card stays, with its ring and the lines to others.

import { endsOf } from "./ends.js";
import { redraw } from "./render.js";
import { labelAll } from "./state.js";
import { onOthers } from "./linking.js";

// stays: also when the focus leaves the map.
export function lookAt(m, object, stays = true) {
  takeLook(m, object, stays);
  m.looked?.(object, stays);
  onOthers(m, object < 0 ? [] : [object], (other, [same = -1]) => takeLook(other, same, true));
}

function takeLook(m, object, stays) {
  m.current = object;
  m.looking = stays && object >= 0;
  if (object < 0) m.card.hide();
  else {
    labelAll(m, [
      object,
      ...endsOf(m.scene, object)
        .flat()
        .map(([i]) => i),
    ]);
    m.card.show(object);
  }
  redraw(m);
}

// The card of an object, or else of that which is looked at; on maps beside, where it is.
export function showCard(m, object) {
  m.card.show(object < 0 && m.looking ? m.current : object);
  onOthers(m, object < 0 ? [] : [object], (other, [same = -1]) => {
    if (other.pointed === same) return;
    other.pointed = same;
    if (same >= 0) labelAll(other, [same]);
    redraw(other);
  });
}
