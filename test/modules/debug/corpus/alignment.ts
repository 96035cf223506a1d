/** Which visits of the debugger are which visits of the program: the optimizer splits, joins and moves statements. */

/** Of each expected mark, the position of the visit that is the same; undefined if there is none: a longest common subsequence. */
export function aligned(
  expected: readonly string[],
  visited: readonly string[],
): readonly (number | undefined)[] {
  const width = visited.length + 1
  /** Of the rests of both lists, the length of the longest common subsequence. */
  const lengths = new Uint16Array((expected.length + 1) * width)
  const lengthAt = (row: number, column: number): number => lengths[row * width + column]!
  for (let row = expected.length - 1; row >= 0; row--)
    for (let column = visited.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        expected[row] === visited[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
  let column = 0
  return expected.map((mark, row) => {
    while (
      column < visited.length &&
      visited[column] !== mark &&
      lengthAt(row, column + 1) > lengthAt(row + 1, column)
    )
      column++
    const isSame = visited[column] === mark && lengthAt(row, column) > lengthAt(row + 1, column)
    return isSame ? column++ : undefined
  })
}
