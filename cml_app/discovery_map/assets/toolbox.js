// The tools there are. A tool is a module of tools/ that calls addTool once; the other modules
// know of tools only what is asked here.
//
// Every tool has
//   name              also of its module, and of the kind of drawing that it makes
//   label, title, key, icon    of its button: the letter that chooses it, [[tag, attributes], …]
//   hint(m)           what can be done with it now
//   begin(m, p)       the gesture of a pointer that goes down: {move(p), up(p), cancel(), cursor?},
//                     where p = {at: [sx, sy] on the stage, shift, touch}
// and may have
//   cursor, cursorAt(m, p, object)     over the stage, and at a place of it
//   scrollsPage       one finger over the map scrolls the page, and does not use the tool
//   hover(m, p), doubleClick(m)
//   keys(m)           keys of the stage that mean something else now: {key: act(m)}
//   actions           further buttons: [{short, long, title, wanted(m), act(m)}, …]
//   through           a drawing made of the selected objects, which is the way without a mouse:
//                     {key, short, long, title, help, act(m)}
//   drawn             its drawings {kind: name, …} in map coordinates, which Python gets as they
//                     are: {line(drawing), marks(drawing, picture), words(drawing)}
//   draftMarks(draft, picture)         of what is under way: {kind: name, hint?, …}

const TOOLS = [];
const LEAST_FOR_THROUGH = 2;

export function addTool(tool) {
  TOOLS.push(tool);
}

// In the order of their buttons.
export function allTools() {
  return TOOLS;
}

// Those that do something on this map.
export function offeredTools(m) {
  return TOOLS.filter(({ name }) => m.scene.tools.includes(name));
}

export function toolNamed(name) {
  return TOOLS.find((tool) => tool.name === name);
}

export function toolInHand(m) {
  return toolNamed(m.tool);
}

// Of drawings through the selection one is offered: the tool's own, or else that of the first.
export function offersThrough(m, tool) {
  const hand = toolInHand(m);
  const offered = hand.through ? hand : offeredTools(m).find((other) => other.through);
  return tool === offered && m.selected.length >= LEAST_FOR_THROUGH;
}

// Where a drawing lies, as points in map coordinates.
export function lineOf(drawing) {
  return toolNamed(drawing.kind).drawn.line(drawing);
}

export function drawingWords(drawing) {
  return drawing ? toolNamed(drawing.kind).drawn.words(drawing) : "Drawing cleared.";
}

// drawing: what is kept; draft: what is under way, or a {drawing} that is being changed.
export function drawingMarks(picture) {
  const { draft } = picture;
  const drawing = draft?.drawing ?? picture.drawing;
  return [
    ...(drawing ? toolNamed(drawing.kind).drawn.marks(drawing, picture) : []),
    ...((draft && toolNamed(draft.kind).draftMarks?.(draft, picture)) ?? []),
  ];
}
