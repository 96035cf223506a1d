import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { JsonFile } from '../../../lib/insight/artifacts/json-file.ts'

/** A megabyte, so that the file is read in parts, with every kind of value below and above the outlined levels. */
const content = {
  text: 'é "quoted" \\ {[,]} \u2028 \\',
  numbers: [1, -2.5e10, 0],
  flags: { yes: true, no: false, none: null },
  empty: { object: {}, list: [], text: '' },
  output: {
    contracts: {
      'contracts/A".sol': { A: { deep: { object: 'fe'.repeat(300_000) }, 'a"b\\': [{ c: '}' }] } },
      ['__proto__']: { B: { abi: [{ name: 'ü'.repeat(300) }] } },
    },
    filler: ['x'.repeat(500_000)],
  },
}

describe('a file of more than a megabyte', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'json-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const fileOf = (text: string): string => {
    const path = join(folder, 'large.json')
    writeFileSync(path, text)
    return path
  }

  test.each([
    ['compact', JSON.stringify(content)],
    ['indented, with a byte order mark', `\uFEFF\n${JSON.stringify(content, null, 2)}\n`],
  ])('has the values of JSON.parse: %s', (_case, text) => {
    const { root } = new JsonFile(fileOf(text))
    expect(JSON.stringify(root.value)).toBe(JSON.stringify(content))
    expect(root.at('output').at('contracts').at('__proto__').at('B').at('abi').value).toEqual(
      content.output.contracts['__proto__'].B.abi,
    )
    expect(root.at('output').at('contracts').at('absent').isPresent).toBe(false)
  })

  test('has the last of the members with one name', () => {
    const { root } = new JsonFile(fileOf(JSON.stringify(content).replace('{', '{"text":1,')))
    expect(root.at('text').value).toBe(content.text)
  })

  test('cannot be opened without its end', () => {
    const path = fileOf(JSON.stringify(content).slice(0, -3))
    expect(() => new JsonFile(path)).toThrow(SyntaxError)
  })

  test('has no other content after it has changed', () => {
    const { root } = new JsonFile(fileOf(JSON.stringify(content)))
    const object = root.at('output').at('contracts').at('contracts/A".sol').at('A').at('deep').at('object')
    fileOf(JSON.stringify({ ...content, numbers: [] }))
    expect(object.value).toBeUndefined()
  })
})
