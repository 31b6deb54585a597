// What is told to those who listen to the page.

// A live region speaks only of what changes in it, so equal messages must differ a little.
export function announcer(region) {
  let turn = false;
  return (words) => {
    turn = !turn;
    region.textContent = words + (turn ? "" : "\u00a0");
  };
}
