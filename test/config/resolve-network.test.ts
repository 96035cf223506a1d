import { describe, expect, test } from '@jest/globals'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HARDFORKS } from '../../lib/config/eips.ts'
import { loadNetwork } from '../support/networks.ts'
import type { Network } from '../../lib/config/network.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { shippedNetworks } from '../../lib/config/network.ts'
import { networkOf } from '../support/networks.ts'

const settle = (values: OptionsInput): Network => networkOf(values)

/** Path of a preset with two keys of its own. */
function presetOfKeys(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'dev-node-keys-')), 'keys.json')
  const keys = ['01', '02'].map((byte) => ({ privateKey: byte.repeat(32), balance: 7 }))
  writeFileSync(file, JSON.stringify({ extends: 'ethereum', accounts: { source: 'keys', keys } }))
  return file
}

test.each(shippedNetworks().map((name) => [name]))(
  'but for predeploys and types of transactions that its EIPs lack %s stays as it is',
  (network) => {
    const transactionTypes: unknown = expect.any(Array)
    const resolved = { ...loadNetwork(network), transactionTypes, release: '9.0.3', estimatesFreely: false }
    expect(settle({ network, predeploys: false })).toEqual(resolved)
  },
)

describe('identity', () => {
  test('the network id follows the chain id', () => {
    expect(settle({ chainId: 1337 })).toMatchObject({ chainId: 1337n, networkId: 1337n })
  })

  test('a network id of its own stays', () => {
    expect(settle({ chainId: 1337, networkId: 5 })).toMatchObject({ chainId: 1337n, networkId: 5n })
  })

  test('port, coinbase, genesis time and minimum gas price are set', () => {
    const coinbase = `0x${'ab'.repeat(20)}`
    const network = settle({ port: 0, coinbase, genesisTimestamp: 5, minimumGasPrice: 9 })
    expect(network).toMatchObject({
      port: 0,
      coinbase,
      genesis: { timestamp: 5n },
      minimumGasPriceTarget: 9n,
    })
  })
})

describe('hard fork', () => {
  test.each([
    ['london', [0, 1, 2]],
    ['cancun', [0, 1, 2, 3]],
    ['prague', [0, 1, 2, 3, 4]],
    ['osaka', [0, 1, 2, 3, 4]],
  ] as const)('ethereum under %s accepts the types %j', (hardfork, types) => {
    expect(settle({ network: 'ethereum', hardfork })).toMatchObject({ hardfork, transactionTypes: types })
  })

  test.each(HARDFORKS.map((fork) => [fork]))(
    'network-33 under %s accepts legacy transactions only',
    (hardfork) => {
      expect(settle({ hardfork })).toMatchObject({ hardfork, transactionTypes: [0] })
    },
  )

  test('the EIPs of the preset stay under every hard fork', () => {
    expect(settle({ hardfork: 'london' }).eips).toEqual([1153, 5656])
  })
})

describe('gas', () => {
  test('a block gas limit holds from genesis on and lifts the caps', () => {
    expect(settle({ blockGasLimit: 30_000_000 })).toMatchObject({
      blockGasLimit: 30_000_000n,
      genesis: { gasLimit: 30_000_000n },
      callGasCap: 30_000_000n,
      estimateGasCap: 30_000_000n,
    })
  })

  test('a block gas limit makes one list of the sub-lists', () => {
    expect(settle({}).sequentialGas).toBe(6_800_000n)
    expect(settle({ blockGasLimit: 30_000_000 }).sequentialGas).toBeUndefined()
  })

  test('a minimum gas price is what that of network 33 moves to, and holds from genesis on elsewhere', () => {
    expect(settle({ minimumGasPrice: 60_000_000 })).toMatchObject({
      minimumGasPrice: 0n,
      minimumGasPriceTarget: 60_000_000n,
    })
    const ethereum = settle({ network: 'ethereum', minimumGasPrice: 60_000_000 })
    expect(ethereum.minimumGasPrice).toBe(60_000_000n)
    expect(ethereum.minimumGasPriceTarget).toBeUndefined()
  })

  test('a smaller block gas limit leaves the cap of calls', () => {
    expect(settle({ blockGasLimit: 1_000_000 })).toMatchObject({ callGasCap: 10_000_000n })
  })

  test.each([
    ['network-33', undefined, 90_000n],
    ['network-33', 'estimate', 'estimate'],
    ['ethereum', undefined, 'estimate'],
    ['ethereum', 200_000, 200_000n],
  ])('of a transaction that names none on %s with --default-gas %j is %p', (network, defaultGas, gas) => {
    const given = defaultGas === undefined ? {} : { defaultGas }
    expect(settle({ network, ...given }).defaultGas).toBe(gas)
  })

  test('a call gas limit wins', () => {
    expect(settle({ blockGasLimit: 30_000_000, callGasLimit: 40_000_000 }).callGasCap).toBe(40_000_000n)
  })

  test('a base fee is set where there is one', () => {
    expect(settle({ network: 'ethereum', baseFee: 7 }).baseFee).toEqual({ initial: 7n })
  })

  test('a base fee is refused where there is none', () => {
    expect(() => settle({ baseFee: 7 })).toThrow('base fee 7: blocks of network-33 have no base fee')
  })
})

describe('the system transaction', () => {
  test.each([
    [{}, false],
    [{ systemTransaction: true }, true],
  ])('of network 33 with %j: %s', (options, expected) => {
    expect(settle(options).systemTransaction).toBe(expected)
  })

  test('is refused where there is none', () => {
    expect(() => settle({ network: 'ethereum', systemTransaction: true })).toThrow(
      'system transaction: blocks of ethereum have no system transaction',
    )
  })
})

describe('faithful', () => {
  test('has the system transaction and the dialect of the reference node', () => {
    expect(settle({ faithful: true })).toMatchObject({ systemTransaction: true, dialect: 'node33' })
  })

  test.each([
    [
      { network: 'ethereum', faithful: true },
      'faithful: ethereum has no reference node, only network 33 has one; leave out --faithful',
    ],
    [
      { network: 'ethereum', gasQuota: true },
      'gas-quota: ethereum has no reference node, only network 33 has one; leave out --gas-quota',
    ],
    [
      { dialect: 'hardhat', faithful: true },
      'faithful: the reference node has the dialect node33, not hardhat; leave out one of the two',
    ],
    [
      { number: 5, faithful: true },
      'number 5: the blocks before it would be empty, and each has a system transaction with --faithful',
    ],
  ] as const)('%j is refused', (options, message) => {
    expect(() => settle(options)).toThrow(message)
  })
})

describe('accounts', () => {
  const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
  const key = `0x${'12'.repeat(32)}`

  test('more or fewer of the network, with another balance', () => {
    expect(settle({ accounts: 20, balance: 2 }).accounts).toEqual({
      source: 'phrases',
      phrase: 'cow',
      count: 20,
      balance: 2n * 10n ** 18n,
    })
  })

  test('a mnemonic replaces the phrases, with their number and balance', () => {
    expect(settle({ mnemonic }).accounts).toEqual({
      source: 'mnemonic',
      mnemonic,
      path: "m/44'/60'/0'/0",
      count: 10,
      balance: 10n ** 30n,
    })
  })

  test('private keys replace everything', () => {
    expect(settle({ privateKeys: [key], balance: 1 }).accounts).toEqual({
      source: 'keys',
      keys: [{ privateKey: key, balance: 10n ** 18n }],
    })
  })

  test('a preset of keys gives as many as asked for', () => {
    const first = { privateKey: `0x${'01'.repeat(32)}`, balance: 7n }
    expect(settle({ network: presetOfKeys(), accounts: 1 }).accounts).toEqual({
      source: 'keys',
      keys: [first],
    })
  })

  test('a preset of keys cannot give more than it has', () => {
    expect(() => settle({ network: presetOfKeys(), accounts: 3 })).toThrow(
      'accounts 3: the network has 2 keys',
    )
  })
})
