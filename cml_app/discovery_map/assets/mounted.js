// What lives in an element of the page: opened where it is first shown, closed once it is gone.

// The function that finds what lives in an element, or opens it.
//
// Of two calls that Streamlit makes in quick succession it lets the first one clean up, before or
// after the second has shown what is new. So what is still on the page stays open.
export function mounting(selector, open, close) {
  const living = new WeakMap();
  return (parentElement) => {
    const root = parentElement.querySelector(selector);
    let one = living.get(parentElement);
    if (one?.root !== root) {
      if (one) close(one);
      one = open(root);
      living.set(parentElement, one);
    }
    const leave = () => {
      if (root.isConnected || living.get(parentElement) !== one) return;
      close(one);
      living.delete(parentElement);
    };
    return [one, leave];
  };
}
