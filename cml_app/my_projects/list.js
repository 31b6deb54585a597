// The list of projects lives in this browser's storage; the server is never told of it.

const STORED = "whatsleft.projects";
const MOST = 100;

const noted = new WeakMap();

export default function myProjects({ data, parentElement }) {
  const root = parentElement.querySelector(".projects");
  const { opened, forgotten } = data;
  const news = JSON.stringify([opened, forgotten]);
  if (noted.get(root) === news) return;
  noted.set(root, news);
  if (forgotten) keep(without(forgotten));
  if (opened) keep([{ ...opened, at: Date.now() }, ...without(opened.token)]);
  show(root, opened?.token);
}

function without(token) {
  return known().filter((one) => one.token !== token);
}

function known() {
  try {
    const found = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.token === "string") : [];
  } catch {
    // A browser may refuse to keep anything, or someone has written something else there.
    return [];
  }
}

function keep(projects) {
  try {
    localStorage.setItem(STORED, JSON.stringify(projects.slice(0, MOST)));
  } catch {
    // Without a list the addresses still work.
  }
}

function show(root, open) {
  const projects = known().sort((a, b) => b.at - a.at);
  root.querySelector("ul").replaceChildren(...projects.map((one) => row(root, one, open)));
  root.querySelector(".none").hidden = projects.length > 0;
}

function row(root, project, open) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `?project=${encodeURIComponent(project.token)}`;
  link.target = "_top";
  link.referrerPolicy = "no-referrer";
  link.textContent = String(project.title || "Untitled");
  if (project.token === open) link.setAttribute("aria-current", "true");
  const about = document.createElement("small");
  about.textContent = `${when(project.at)}${project.reads ? " · to look at" : ""}`;
  link.append(about);
  const remove = document.createElement("button");
  remove.type = "button";
  remove.textContent = "✕";
  remove.setAttribute("aria-label", `Take ${link.firstChild.textContent} off the list`);
  remove.title = "Takes it off this list; the project stays under its address.";
  remove.addEventListener("click", () => {
    keep(without(project.token));
    show(root, open);
    root.querySelector("summary").focus();
  });
  item.append(link, remove);
  return item;
}

function when(at) {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  return today
    ? `today, ${time.toLocaleTimeString([], { timeStyle: "short" })}`
    : time.toLocaleDateString([], { dateStyle: "medium" });
}
