// The map alone on the whole screen, where the browser allows that.

export function listenToFullScreen(m, signal) {
  document.addEventListener("fullscreenchange", () => m.toolbar.refresh(), { signal });
}

export function isFull(m) {
  return m.root.matches(":fullscreen");
}

export function canBeFull() {
  return document.fullscreenEnabled;
}

export function toggleFull(m) {
  if (isFull(m)) document.exitFullscreen();
  else m.root.requestFullscreen();
}
