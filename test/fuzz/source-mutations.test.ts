/** Which changes of Solidity the law of affected files tries. */
import { expect, test } from '@jest/globals'
import { mutated, sourceMutations } from '../../fuzz/affected/source-mutations.ts'

/** The kinds of changes of a line, and the lines that they make. */
const changesOf = (line: string) =>
  sourceMutations(`contract C {\n${line}\n}`).map(({ kind, after }) => [kind, after.trim()])

test.each([
  ['    total += 1;', ['operator', 'total -= 1;'], ['constant', 'total += 2;'], ['statement', '']],
  ['    uint256 public constant A = 0x10;'],
  ['    // a == b'],
  [
    '    if (a < b) revert Low(a);',
    ['operator', 'if (a <= b) revert Low(a);'],
    ['condition', 'if (!(a < b)) revert Low(a);'],
    ['statement', ''],
  ],
  [
    '    require(f(a, b), "low");',
    ['text', 'require(f(a, b), "other low");'],
    ['condition', 'require(!(f(a, b)), "low");'],
    ['statement', ''],
  ],
  [
    '    function f(uint256 a) external onlyOwner returns (bool) {',
    ['modifier', 'function f(uint256 a) external returns (bool) {'],
  ],
] as const)('%s', (line, ...changes) => {
  expect(changesOf(line)).toEqual(changes)
})

test('a change leaves the other lines', () => {
  const source = 'contract C {\n  a = 1;\n  b = 2;\n}'
  const [, last] = sourceMutations(source).filter(({ kind }) => kind === 'constant')
  expect(mutated(source, last!)).toBe('contract C {\n  a = 1;\n  b = 3;\n}')
})
