import { describe, expect, test } from '@jest/globals'
import { SourceMap } from '../../../lib/insight/artifacts/source-map.ts'
import { fromHex } from '../../../lib/base/hex.ts'

/** PUSH2, JUMP, JUMPDEST, JUMP, STOP. */
const CODE = fromHex('0x61000456' + '5b5600')

describe('SourceMap', () => {
  const map = new SourceMap('10:5:0:-:0;:2;20:7:1:o;;-1:-1:-1:i', CODE)

  test('empty fields are those of the instruction before', () => {
    expect([0, 3, 4, 5].map((position) => map.locationAt(position))).toEqual([
      { file: 0, start: 10, end: 15 },
      { file: 0, start: 10, end: 12 },
      { file: 1, start: 20, end: 27 },
      { file: 1, start: 20, end: 27 },
    ])
  })

  test('jumps are regular, or enter or leave functions', () => {
    expect([3, 4, 5, 6].map((position) => map.jumpAt(position))).toEqual(['regular', 'out', 'out', 'into'])
  })

  test.each([
    ['data of a PUSH', 1],
    ['code without a source', 6],
    ['the end of the code', 7],
  ])('there is no location for %s', (_case, position) => {
    expect(map.locationAt(position)).toBeUndefined()
  })

  test('code after the map has no location', () => {
    expect(new SourceMap('10:5:0', CODE).locationAt(3)).toBeUndefined()
  })
})
