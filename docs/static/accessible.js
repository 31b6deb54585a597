// What Sphinx and its theme leave out for those who do not use a mouse, or do not see the page.

for (const caption of document.querySelectorAll("p.caption[role=heading]")) {
  caption.setAttribute("aria-level", "2");
}

// A signature over several lines is drawn with a list that defines nothing.
for (const part of document.querySelectorAll("dt > dl, dt > dl > dd")) {
  part.role = "presentation";
}

// What scrolls can be scrolled by keyboard.
for (const box of document.querySelectorAll("pre, .table-wrapper, .math-wrapper")) {
  if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
}
