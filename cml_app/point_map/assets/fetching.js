// Bytes from their address, told of while they come.

// In milliseconds.
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60000;

// Calls came(bytes, count) with the array that is being filled and how much of it is there.
export async function fetched(address, size, signal, came = () => {}) {
  const answer = await fetch(address, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  const bytes = new Uint8Array(size);
  const reader = answer.body.getReader();
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (count + value.length > size) throw new Error("more came than was told");
    bytes.set(value, count);
    count += value.length;
    came(bytes, count);
  }
  if (count < size) throw new Error("less came than was told");
  return bytes;
}

// After a second, and after longer and longer.
export function askAgain(m, wanted, ask) {
  m.failures = (m.failures ?? 0) + 1;
  const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (m.failures - 1));
  setTimeout(() => wanted() && ask(), wait);
}
