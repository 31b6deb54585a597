// Stress, as Python computes it: the share of the squared dissimilarities that distances are not.

export function dataBetween({ dissimilarities, labels }, i, j) {
  const [a, b] = i < j ? [i, j] : [j, i];
  return dissimilarities[a * labels.length - (a * (a + 1)) / 2 + (b - a - 1)];
}

export function stressOf({ dissimilarities, labels }, x, y) {
  if (!dissimilarities) return null;
  let wrong = 0;
  let all = 0;
  let pair = 0;
  for (let i = 0; i < labels.length; i++) {
    for (let j = i + 1; j < labels.length; j++) {
      const given = dissimilarities[pair++];
      wrong += (given - Math.hypot(x[i] - x[j], y[i] - y[j])) ** 2;
      all += given ** 2;
    }
  }
  return wrong / all;
}

// Three decimals, or two digits of less.
export function stressInWords(stress) {
  if (stress >= 1e-3 || stress <= 0) return stress.toFixed(3);
  return stress.toFixed(1 - Math.floor(Math.log10(stress)));
}
