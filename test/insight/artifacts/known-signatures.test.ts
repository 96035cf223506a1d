import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { encodeErrorResult, encodeFunctionData, parseAbi, toBytes } from 'viem'
import { fragmentKey, fragmentSignature } from '../../../lib/abi/fragments.ts'
import { readSignature } from '../../../lib/abi/signatures.ts'
import { findPackage } from '../../../lib/config/package.ts'
import { KnownSignatures } from '../../../lib/insight/artifacts/known-signatures.ts'

const STANDARDS = join(findPackage().folder, 'fixtures/signatures.txt')

const folder = await mkdtemp(join(tmpdir(), 'signatures-'))
afterAll(() => rm(folder, { recursive: true }))

/** The lists in files with these contents, and the faults of reading them. */
async function listsOf(...contents: readonly string[]) {
  const paths = contents.map((_, index) => join(folder, `${index}.txt`))
  for (const [index, path] of paths.entries()) await writeFile(path, contents[index]!)
  const faults: string[] = []
  const lists = await KnownSignatures.in(paths[0]!, paths.slice(1), ({ message }) => faults.push(message))
  await lists.load()
  return { lists, faults }
}

const callOf = (signature: string, args: readonly unknown[]): Uint8Array =>
  toBytes(encodeFunctionData({ abi: parseAbi([signature]) as any, args: args as any }))

describe('the list of common standards', () => {
  test('has each signature once, with the first bytes of its hash', async () => {
    const lines = (await readFile(STANDARDS, 'utf8')).split('\n').filter((line) => /^[^#]/.test(line))
    expect(lines.length).toBeGreaterThan(700)
    for (const line of lines) {
      const items = readSignature(line)
      expect(items.map((item) => fragmentKey(item).slice(0, 10))).toEqual([line.slice(0, 10)])
    }
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('names calls, errors and events, also of two standards', async () => {
    const lists = await KnownSignatures.in(STANDARDS, [], () => undefined)
    const to = `0x${'1b'.repeat(20)}` as const
    const input = callOf('function transfer(address,uint256)', [to, 5n])
    expect(lists.callText(input)).toBeUndefined()
    await lists.load()
    expect(lists.callText(input)).toMatch(/^transfer\(0x1b.*, 5\)$/i)
    const abi = parseAbi(['error OwnableUnauthorizedAccount(address account)'])
    expect(lists.errorText(encodeErrorResult({ abi, args: [to] }))).toMatch(
      /^OwnableUnauthorizedAccount\(0x1b/i,
    )
    const hash = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef' as any
    const word = `0x${'00'.repeat(31)}05` as any
    const names = ([topics, data]: [any[], Uint8Array]) =>
      lists.eventOf({ topics, data })?.inputs?.map(({ name }) => name)
    expect(names([[hash, word, word], new Uint8Array(32)])).toEqual(['from', 'to', 'value'])
    expect(names([[hash, word, word, word], new Uint8Array(0)])).toEqual(['from', 'to', 'tokenId'])
    expect(names([[hash], new Uint8Array(96)])).toBeUndefined()
  })
})

describe('of functions with one selector', () => {
  // github.com/ethereum-lists/4bytes: both have the selector 0xa9059cbb.
  const CLASH = 'transfer(address,uint256);\nmany_msg_babbage(bytes1)'

  test('the one counts that the data encodes exactly', async () => {
    const { lists } = await listsOf(CLASH)
    const input = callOf('function transfer(address,uint256)', [`0x${'00'.repeat(20)}`, 0n])
    expect(lists.functionsOf(input).map(fragmentSignature)).toEqual(['transfer(address,uint256)'])
  })

  test('both are named if further data follows', async () => {
    const { lists } = await listsOf(CLASH)
    const input = new Uint8Array(4 + 33 + 64)
    input.set([0xa9, 0x05, 0x9c, 0xbb])
    expect(lists.callText(input)).toBe(
      'transfer(0x0000000000000000000000000000000000000000, 0) or many_msg_babbage(0x00)',
    )
  })

  test('none is named for data that is too short', async () => {
    const { lists } = await listsOf(CLASH)
    expect(lists.callText(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb, 1))).toBeUndefined()
    expect(lists.callText(Uint8Array.of(0xa9, 0x05))).toBeUndefined()
  })
})

describe('a file', () => {
  const WRONG = { name: 'f', type: 'function', inputs: [{ type: 'uint256' }] }
  test.each([
    ['an ABI', JSON.stringify([WRONG])],
    ['an artifact', JSON.stringify({ abi: [WRONG] })],
    ['lines with comments', '// mine\n\n# more\r\nf(uint256)\r\n'],
    ['lines with selectors', '0xb3de648b f(uint256)'],
  ])('may have %s', async (_case, content) => {
    const { lists, faults } = await listsOf(content)
    expect([lists.callText(callOf('function f(uint256)', [7n])), faults]).toEqual(['f(7)', []])
  })

  test.each([
    ['JSON without an ABI', '{"a":1}', /0\.txt: it has no ABI$/],
    [
      'lines of another kind',
      'f(uint256)\nhello\nworld',
      /0\.txt: 2 lines are no signatures, such as "hello"$/,
    ],
    ['a long line', 'x'.repeat(10_000), /1 lines are no signatures, such as "x{80}\.\.\."$/],
  ])('with %s is reported', async (_case, content, expected) => {
    expect((await listsOf(content)).faults).toEqual([expect.stringMatching(expected)])
  })

  test('with a selector that is not that of its signature names nothing', async () => {
    const { lists } = await listsOf('0xb3de648b g(uint256)')
    expect(lists.callText(callOf('function f(uint256)', [7n]))).toBeUndefined()
  })

  test('that is missing is refused at the start', async () => {
    const opened = KnownSignatures.in(STANDARDS, [join(folder, 'none')], () => undefined)
    await expect(opened).rejects.toMatchObject({
      kind: 'invalidOption',
      message: expect.stringMatching(/^--selectors: cannot read .*none: ENOENT/),
    })
  })
})
