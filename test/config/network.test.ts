import { describe, expect, test } from '@jest/globals'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeError } from '../../lib/base/errors.ts'
import { toHex } from '../../lib/base/hex.ts'
import { loadNetwork } from '../support/networks.ts'
import { mergePresets, shippedNetworks } from '../../lib/config/network.ts'

/** Writes preset files to a fresh folder and returns their paths. */
function presetFolder(files: Record<string, unknown>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'dev-node-presets-'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return Object.fromEntries(Object.keys(files).map((name) => [name, join(folder, name)]))
}

function loadError(content: unknown): NodeError {
  const file = presetFolder({ 'mine.json': content })['mine.json']!
  try {
    loadNetwork(file)
  } catch (error) {
    if (error instanceof NodeError) {
      expect(error.message).toContain(file)
      return error
    }
  }
  throw new Error('the preset was accepted')
}

describe('shipped networks', () => {
  test('are those of the table in docs/configuration.md', () => {
    const [table = ''] =
      readFileSync('docs/configuration.md', 'utf8').match(/^\| `--network`[^]*?\n\n/m) ?? []
    const names = table
      .split('\n')
      .slice(2)
      .flatMap((row) => row.split('|')[1]?.match(/(?<=`)[\w-]+(?=`)/g) ?? [])
    expect(names.toSorted()).toEqual(shippedNetworks())
  })

  test.each(shippedNetworks().map((name) => [name]))('%s loads under its own name', (name) => {
    expect(loadNetwork(name).name).toBe(name)
  })

  test.each([
    ['network-30', 30n],
    ['network-31', 31n],
    ['network-32', 32n],
    ['network-33', 33n],
    ['ethereum', 31337n],
  ])('%s has chain id %s, which is its network id too', (name, chainId) => {
    expect(loadNetwork(name)).toMatchObject({ chainId, networkId: chainId })
  })

  test.each([['network-30'], ['network-31'], ['network-32']])(
    '%s has the rules and genesis of network-33',
    (name) => {
      const identity = { name: '', description: '', chainId: 0n, networkId: 0n, source: {} }
      expect({ ...loadNetwork(name), ...identity }).toEqual({ ...loadNetwork('network-33'), ...identity })
    },
  )
})

describe('network-33', () => {
  const network = loadNetwork('network-33')

  test('has the genesis of the reference', () => {
    const { extraData, accounts, ...genesis } = network.genesis
    expect(genesis).toEqual({
      timestamp: 0n,
      difficulty: 1n,
      gasLimit: 10_000_000n,
      systemContracts: true,
      coinbase: `0x${'33'.repeat(20)}`,
    })
    expect(toHex(extraData)).toBe('0x686f727365')
    expect(accounts).toHaveLength(1)
    expect(accounts[0]).toMatchObject({
      address: '0x0000000000000000000000000000000001000006',
      balance: 21n * 10n ** 24n,
      nonce: 0n,
      code: new Uint8Array(0),
      storage: new Map(),
    })
  })

  test('has the rules and fees of the reference', () => {
    expect(network).toMatchObject({
      port: 4444,
      kind: { name: 'merged-mining' },
      hardfork: 'shanghai',
      eips: [1153, 5656],
      baseFee: false,
      transactionTypes: [0, 1, 2, 4],
      accounts: { source: 'phrases', phrase: 'cow', count: 10, balance: 10n ** 30n },
      coinbase: '0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d',
      blockGasLimit: 7_500_000n,
      transactionGasCap: undefined,
      callGasCap: 10_000_000n,
      estimateGasCap: 6_800_000n,
      minimumGasPrice: 0n,
      maxCodeSize: 24_576,
      maxInitCodeSize: 49_152,
    })
  })

  test('has a source for every value', () => {
    const file = JSON.parse(
      readFileSync(new URL('../../fixtures/networks/network-33.json', import.meta.url), 'utf8'),
    )
    const { source, genesis, ...others } = file
    const described = Object.keys(others).filter((key) => !['name', 'description', 'kind'].includes(key))
    const keys = [...described, ...Object.keys(genesis).map((key) => `genesis.${key}`)]
    expect(Object.keys(source).sort()).toEqual(keys.sort())
  })
})

test('ethereum has base fees, the accounts of other development nodes, and every type of transaction', () => {
  expect(loadNetwork('ethereum')).toMatchObject({
    kind: { name: 'ethereum' },
    hardfork: 'osaka',
    baseFee: { initial: 10n ** 9n },
    transactionTypes: [0, 1, 2, 3, 4],
    genesis: { timestamp: undefined, accounts: [] },
    accounts: { source: 'mnemonic', path: "m/44'/60'/0'/0", count: 10, balance: 10n ** 22n },
    coinbase: '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e',
    blockGasLimit: 30_000_000n,
  })
})

describe('a preset file of the user', () => {
  const child = { extends: 'ethereum' }
  const SOMEBODY = `0x${'11'.repeat(20)}`
  const withAccount = (account: object) => ({ ...child, genesis: { accounts: [account] } })

  test('may extend a shipped preset and change a single value', () => {
    const content = { extends: 'network-33', name: 'mine', genesis: { gasLimit: '0x1c9c380' } }
    const network = loadNetwork(presetFolder({ 'mine.json': content })['mine.json']!)
    expect(network).toMatchObject({
      name: 'mine',
      chainId: 33n,
      genesis: { gasLimit: 30_000_000n, difficulty: 1n },
    })
  })

  test('may extend a file beside it, named like a shipped one', () => {
    const files = presetFolder({
      'network-33.json': { extends: 'network-33', chainId: 1033 },
      'mine.json': { extends: 'network-33', name: 'mine' },
    })
    expect(loadNetwork(files['mine.json']!).chainId).toBe(1033n)
  })

  test('may fund accounts with code and storage', () => {
    const account = {
      address: `0x${'AB'.repeat(20)}`,
      nonce: 1,
      code: '0x6001',
      storage: { '0x1': '0xff', 2: 3 },
    }
    const content = { extends: 'ethereum', genesis: { accounts: [account] } }
    const network = loadNetwork(presetFolder({ 'mine.json': content })['mine.json']!)
    expect(network.genesis.accounts[0]).toEqual({
      address: `0x${'ab'.repeat(20)}`,
      balance: 0n,
      nonce: 1n,
      code: new Uint8Array([0x60, 1]),
      storage: new Map([
        [1n, 255n],
        [2n, 3n],
      ]),
    })
  })

  test('replaces accounts of another source as a whole', () => {
    const keys = [{ privateKey: '01'.repeat(32), balance: 5 }]
    const content = { extends: 'network-33', accounts: { source: 'keys', keys } }
    const network = loadNetwork(presetFolder({ 'mine.json': content })['mine.json']!)
    expect(network.accounts).toEqual({
      source: 'keys',
      keys: [{ privateKey: `0x${'01'.repeat(32)}`, balance: 5n }],
    })
  })

  test.each([
    ['an unknown key', { ...child, chainID: 5 }, 'unknown key chainID'],
    ['an unknown inner key', { ...child, genesis: { gas: 5 } }, 'unknown key genesis.gas'],
    [
      'a bad quantity',
      { ...child, genesis: { gasLimit: '10M' } },
      'genesis.gasLimit: expected an amount of gas',
    ],
    ['a bad address', { ...child, coinbase: '0x12' }, 'coinbase: expected a 20-byte address, got "0x12"'],
    ['an address in a list', withAccount({ address: 5 }), 'genesis.accounts[0].address: expected a 20-byte'],
    ['an unknown hard fork', { ...child, hardfork: 'berlin' }, 'hardfork: expected one of london, paris'],
    ['a bad base fee', { ...child, baseFee: true }, 'baseFee: expected false or { "initial": wei }'],
    ['a bad slot', withAccount({ address: SOMEBODY, storage: { x: 1 } }), 'genesis.accounts[0].storage'],
    ['2^31 in a derivation path', { ...child, accounts: { path: 'm/0/2147483648' } }, 'got "m/0/2147483648"'],
    ['missing keys', { name: 'x' }, 'chainId: expected a whole number (decimal or 0x), got nothing'],
    ['an unknown parent', { extends: './nowhere.json' }, 'nowhere.json'],
    ['a parent that is no name', { extends: 5 }, 'extends: expected the name of a preset'],
    ['a list', [], 'expected an object'],
    ['no JSON', '{', 'cannot be read as JSON'],
  ])('with %s is refused, naming file and key', (_case, content, message) => {
    const error = loadError(content)
    expect(error.kind).toBe('invalidOption')
    expect(error.message).toContain(message)
  })

  test('may not extend itself through another file', () => {
    const files = presetFolder({ 'a.json': { extends: 'b' }, 'b.json': { extends: './a.json' } })
    expect(() => loadNetwork(files['a.json']!)).toThrow(
      /b\.json: extends: .*a\.json extends this file in turn/,
    )
  })

  test('may have many ancestors', () => {
    const line = Array.from({ length: 12 }, (_, index) => [`p${index}.json`, { extends: `p${index + 1}` }])
    const files = presetFolder({ ...Object.fromEntries(line), 'p12.json': { extends: 'network-33' } })
    expect(loadNetwork(files['p0.json']!).name).toBe(loadNetwork('network-33').name)
  })
})

test.each([
  ['atlantis', /unknown network "atlantis": shipped are .*network-30/],
  ['./atlantis.json', /no network file at .*atlantis\.json; shipped are .*network-30/],
])('an unknown network is refused with the list of networks: %s', (name, message) => {
  expect(() => loadNetwork(name)).toThrow(message)
})

test('merging keeps values that the child lacks and replaces lists', () => {
  const parent = { a: { b: 1, c: [1, 2] }, d: 4 }
  expect(mergePresets(parent, { a: { c: [3] }, e: 5 })).toEqual({ a: { b: 1, c: [3] }, d: 4, e: 5 })
})
