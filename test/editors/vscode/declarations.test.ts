import { describe, expect, test } from '@jest/globals'
import { declarationsIn, functionsBySignature } from '../../../editors/vscode/declarations.ts'

const shown = (text: string) =>
  declarationsIn(text).map(({ line, contract, function: one }) =>
    [line, contract, ...(one === undefined ? [] : [`${one.name}(${one.types.join()})`])].join(' '),
  )

test('contracts and their functions, with the types of the parameters', () => {
  expect(
    shown(`abstract contract A is B {
  function f(uint a, address payable b,
    Order[2] calldata orders) external {
    if (a > 1) { g(); }
  }
  function g() internal {}
}
library L { function h(bytes memory) public {} }`),
  ).toEqual(['0 A', '1 A f(uint,address,Order[2])', '5 A g()', '7 L', '7 L h(bytes)'])
})

test('no functions of comments, texts and the file itself', () => {
  expect(
    shown(`function free(uint a) pure returns (uint) { return a; }
// contract No { function no() {} }
/* contract No {
   function no() */ contract A {
  string constant TEXT = "{ function no() \\" {";
  function yes() public {}
}
function free() {}`),
  ).toEqual(['3 A', '5 A yes()'])
})

describe('signatures', () => {
  const cases: readonly (readonly [string, readonly string[], string, boolean])[] = [
    ['the same', ['address', 'uint256[]'], 'f(address,uint256[])', true],
    ['uint and int', ['uint', 'int[3]'], 'f(uint256,int256[3])', true],
    ['no parameters', [], 'f()', true],
    ['a struct', ['Order', 'bool'], 'f((uint256,(address,bytes)),bool)', true],
    ['structs in an array', ['Shop.Order[]'], 'f((uint256,address)[])', true],
    ['a contract and an enum', ['Token', 'Status'], 'f(address,uint8)', true],
    ['another name', [], 'ff()', false],
    ['another type', ['uint128'], 'f(uint256)', false],
    ['more parameters', ['uint256'], 'f(uint256,uint256)', false],
    ['an array', ['Token'], 'f(address[])', false],
    ['a name with a dollar', ['uint256'], 'f$(uint256)', false],
  ]
  test.each(cases)('%s', (_case, types, signature, expected) => {
    const one = { line: 1, contract: 'A', function: { name: 'f', types } }
    const found = functionsBySignature([{ line: 0, contract: 'A' }, one], [signature])
    expect([...found]).toEqual(expected ? [[signature, one]] : [])
  })

  test('overloads by their types, but not those that may be one or the other', () => {
    const overload = (line: number, ...types: string[]) => ({
      line,
      contract: 'A',
      function: { name: 'f', types },
    })
    const lines = (...given: readonly [overloads: ReturnType<typeof overload>[], signatures: string[]]) =>
      [...functionsBySignature(...given)].map(([signature, { line }]) => [signature, line])
    const [plain, longer, token, status] = [
      overload(1, 'uint256'),
      overload(2, 'uint256', 'bool'),
      overload(3, 'Token'),
      overload(4, 'Status'),
    ]
    expect(lines([plain, longer], ['f(uint256,bool)', 'f(uint256)'])).toEqual([
      ['f(uint256,bool)', 2],
      ['f(uint256)', 1],
    ])
    expect(lines([token, status, longer], ['f(address)', 'f(uint256,bool)'])).toEqual([
      ['f(uint256,bool)', 2],
    ])
    // One of them is inherited from another file.
    expect(lines([token], ['f(address)', 'f(uint8)'])).toEqual([])
  })
})
