import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBlock } from '@ethereumjs/block'
import { createCommonFromGethGenesis, parseGethGenesisState } from '@ethereumjs/common'
import type { GethGenesis } from '@ethereumjs/common'
import { genesisMPTStateRoot } from '@ethereumjs/mpt'
import { bytesToHex } from '@ethereumjs/util'
import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { networkOf } from '../support/networks.ts'
import type { Node } from '../../lib/node/node.ts'
import { call, freshNode } from '../support/node.ts'

const fixture = (name: string): string =>
  join(import.meta.dirname, '..', '..', 'fixtures', 'genesis', `${name}.json`)
const devnet = fixture('devnet')
const contentOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as GethGenesis

/** Path of a file with this content. */
function written(content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), 'dev-node-genesis-')), 'genesis.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const settle = (values: OptionsInput) => networkOf(values)
const hashOf = (node: Node): string => node.chain.genesis.block.hash

/** Hash and state root of the first block as the stock library makes it of the same file. */
async function libraryGenesis(content: GethGenesis, hardfork: string) {
  const common = createCommonFromGethGenesis(content, { hardfork })
  const stateRoot = await genesisMPTStateRoot(parseGethGenesisState(content))
  // It knows more members than its type says.
  const params: object = common.genesis()
  const header = { ...params, number: 0n, stateRoot, nonce: common.genesis().nonce }
  return bytesToHex(createBlock({ header }, { common, skipConsensusFormatValidation: true }).hash())
}

describe('the first block', () => {
  test('of Sepolia has the hash that Sepolia has', async () => {
    const node = await freshNode({ genesis: fixture('sepolia') })
    expect(hashOf(node)).toBe('0x25a5cc106eea7138acab33231d7160d69cb777ee0c2c553fcddf5138993e6dd9')
    expect(node.network).toMatchObject({ chainId: 11155111n, hardfork: 'london' })
  })

  test.each(['london', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'has the hash that the stock library gives it under %s',
    async (hardfork) => {
      const node = await freshNode({ genesis: devnet, hardfork })
      expect(hashOf(node)).toBe(await libraryGenesis(contentOf(devnet), hardfork))
    },
  )

  test('has the accounts of the file, and no others', async () => {
    const node = await freshNode({ genesis: devnet })
    const code = '0x000000000000000000000000000000000000c0de'
    expect([...node.chain.genesis.state.accounts()]).toHaveLength(3)
    expect(await call(node, 'eth_getCode', [code, 'latest'])).toBe('0x60005460005260206000f3')
    expect(await call(node, 'eth_getStorageAt', [code, '0x1', 'latest'])).toBe(`0x${'00'.repeat(31)}ff`)
    expect(await call(node, 'eth_call', [{ to: code }, 'latest'])).toBe(`0x${'00'.repeat(31)}2a`)
    expect(await call(node, 'eth_getTransactionCount', [code, 'latest'])).toBe('0x1')
  })
})

describe('a chain with a genesis file', () => {
  test('signs for the accounts that the file funds, and makes blocks on its first', async () => {
    const node = await freshNode({ genesis: devnet, frozenTime: true })
    const [from, poor] = (await call(node, 'eth_accounts')) as string[]
    expect(await call(node, 'eth_getBalance', [from, 'latest'])).toBe('0x56bc75e2d63100000')
    expect(await call(node, 'eth_getBalance', [poor, 'latest'])).toBe('0x5')
    const hash = await call(node, 'eth_sendTransaction', [{ from, to: poor, value: '0x1' }])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      blockNumber: '0x1',
    })
    expect(node.funded.map(({ balance }) => balance).slice(0, 3)).toEqual([10n ** 20n, 5n, 0n])
  })

  test('funds the other accounts when a balance is asked for', async () => {
    const node = await freshNode({ genesis: devnet, balance: 2 })
    const [first, second] = (await call(node, 'eth_accounts')) as string[]
    expect(await call(node, 'eth_getBalance', [first, 'latest'])).toBe('0x1bc16d674ec80000')
    expect(await call(node, 'eth_getTransactionCount', [second, 'latest'])).toBe('0x9')
  })

  test('has the values of options instead', () => {
    const values = {
      genesis: devnet,
      chainId: 5,
      hardfork: 'paris',
      baseFee: 1,
      blockGasLimit: 50_000,
      genesisTimestamp: 9,
    }
    expect(settle({ ...values, hardfork: 'paris' })).toMatchObject({
      chainId: 5n,
      networkId: 5n,
      hardfork: 'paris',
      baseFee: { initial: 1n },
      blockGasLimit: 50_000n,
      genesis: { gasLimit: 50_000n, timestamp: 9n },
    })
  })

  test('has predeployed contracts only when asked for', async () => {
    expect(settle({ genesis: devnet }).genesis.accounts).toHaveLength(3)
    expect(settle({ genesis: devnet, predeploys: true }).genesis.accounts).toHaveLength(6)
  })
})

describe('the hard fork', () => {
  const london = { londonBlock: 0 }
  const merged = { ...london, terminalTotalDifficulty: 0 }
  const cancun = { ...merged, shanghaiTime: 0, cancunTime: 0 }

  test.each<[string, object, string]>([
    ['no fork named', {}, 'osaka'],
    ['london at block 0', london, 'london'],
    ['a terminal difficulty that is reached', merged, 'paris'],
    ['a difficulty beyond the safe numbers', { ...london, terminalTotalDifficulty: 5.875e22 }, 'london'],
    ['shanghai before the genesis', { ...merged, shanghaiTime: 99 }, 'shanghai'],
    ['cancun after the genesis', { ...merged, shanghaiTime: 0, cancunTime: 101 }, 'shanghai'],
    ['all at zero', { ...cancun, pragueTime: 0, osakaTime: 0, bpo1Time: 0 }, 'osaka'],
  ])('%s', (_case, config, hardfork) => {
    expect(settle({ genesis: written({ config, timestamp: 100, alloc: {} }) }).hardfork).toBe(hardfork)
  })
})

describe('a file that cannot be used is refused with its name and the member', () => {
  const alloc = {}
  const withAccount = (account: object) => ({ alloc: { [`0x${'12'.repeat(20)}`]: account } })
  test.each<[unknown, RegExp]>([
    ['{', /^genesis file .*genesis\.json: it cannot be read as JSON: /],
    [{}, /genesis\.json: alloc: /],
    [{ alloc, gasLimit: 'much' }, /: gasLimit: expected a whole number from 1 to \d+, got "much"$/],
    [{ alloc, gasLimit: 0 }, /: gasLimit: expected a whole number from 1 to \d+, got 0$/],
    [
      { alloc, baseFeePerGas: `0x1${'00'.repeat(32)}` },
      /: baseFeePerGas: expected a whole number from 0 to /,
    ],
    [{ alloc, number: '0x1' }, /: number: expected a whole number from 0 to 0, got "0x1"$/],
    [{ alloc: { '0x12': {} } }, /: alloc: expected addresses of 20 bytes as hex, got "0x12"$/],
    [withAccount({ code: '0x1' }), /: alloc\.0x1212\w+\.code: expected bytes .*, got "0x1"$/],
    [withAccount({ storage: { zz: '0x1' } }), /: alloc\.0x1212\w+\.storage: expected slots .*, got "zz"$/],
    [
      { alloc, config: { berlinBlock: 0 } },
      /: config\.londonBlock: expected 0, .* known is london \(--hardfork\)$/,
    ],
    [{ alloc, config: { bogotaTime: 0 } }, /: config\.bogotaTime: the newest hard fork known is amsterdam$/],
  ])('%j', (content, message) => {
    const settling = () => settle({ genesis: written(content) })
    expect(settling).toThrow(NodeError)
    expect(settling).toThrow(message)
  })

  test('also where the network has another form of genesis', () => {
    expect(() => settle({ network: 'network-33', genesis: devnet })).toThrow(
      /^genesis file .*devnet\.json: network-33 has another form of genesis \(--network ethereum\)$/,
    )
  })

  test('or where there is none', () => {
    expect(() => settle({ genesis: './nowhere.json' })).toThrow(/^genesis file \.\/nowhere\.json: .*ENOENT/)
  })
})
