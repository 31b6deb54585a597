// Lines of one height through a grid of values (marching squares).

// [[[column, row], [column, row]], …]: pieces that together are the lines.
export function contourPieces(values, columns, rows, height) {
  const pieces = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const crossed = crossings(values, columns, column, row, height);
      for (let k = 0; k + 1 < crossed.length; k += 2) pieces.push([crossed[k], crossed[k + 1]]);
    }
  }
  return pieces;
}

// Where the line passes through the sides of the square between four values, in turn.
function crossings(values, columns, column, row, height) {
  const corners = [
    [column, row],
    [column + 1, row],
    [column + 1, row + 1],
    [column, row + 1],
  ];
  const above = corners.map(([x, y]) => values[y * columns + x] - height);
  return corners.flatMap(([x, y], k) => {
    const next = (k + 1) % 4;
    if (above[k] < 0 === above[next] < 0) return [];
    const t = above[k] / (above[k] - above[next]);
    return [[x + t * (corners[next][0] - x), y + t * (corners[next][1] - y)]];
  });
}
