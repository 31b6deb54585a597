// Long work in slices, so that the page stays at hand in between.

// In milliseconds; two of them are still less than what a person feels.
const SLICE = 12;
const AT_ONCE = 16384;

// Calls act(from, to) for consecutive parts of 0 … count, and waits a moment between slices;
// tells whether it came to the end before `wanted` said no.
export async function inSlices(count, act, wanted = () => true) {
  let began = performance.now();
  for (let from = 0; from < count; from += AT_ONCE) {
    act(from, Math.min(count, from + AT_ONCE));
    if (performance.now() - began < SLICE) continue;
    await breath();
    if (!wanted()) return false;
    began = performance.now();
  }
  return wanted();
}

function breath() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
