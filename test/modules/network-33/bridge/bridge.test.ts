import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { asAddress, fromHex, toHex } from '../../../../lib/base/hex.ts'
import type { Hex } from '../../../../lib/base/hex.ts'
import { addressOfPrivateKey } from '../../../../lib/crypto/address.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { scriptBridge, bridge, BRIDGE_METHODS } from '../../../../lib/modules/network-33/bridge/bridge.ts'
import {
  AUTHORIZERS,
  BRIDGE_ADDRESS,
  FEDERATORS,
} from '../../../../lib/modules/network-33/bridge/constants.ts'
import { BRIDGE_EVENTS } from '../../../../lib/modules/network-33/bridge/events.ts'
import { isFreeBridgeCall } from '../../../../lib/modules/network-33/rules.ts'
import type { PrecompileCall } from '../../../../lib/evm/precompile.ts'
import { AUX_GENESIS_HEADER } from '../support/aux-chain.ts'
import { BridgeBench, COW, MEMBER, dataOf, refusalOf } from '../support/bridge.ts'
import { callData, decoded, precompileCall } from '../../../support/precompile-calls.ts'
import { BRIDGE_TABLE } from './bridge-table.ts'

/** Selectors of methods that the network retired. */
const RETIRED_SELECTORS = [
  ...(['0xecefd339', '0x502bbbce', '0xcf4ff2d2', '0x6b89a1af', '0x492f7c44', '0x4675d6de'] as const),
]

const WORD = `0x${'11'.repeat(32)}`

/** A value of each type that every method can decode. */
const SAMPLE: Readonly<Record<string, unknown>> = {
  address: COW,
  bool: true,
  bytes: '0x1234',
  bytes32: WORD,
  'bytes[]': [],
  'bytes32[]': [],
  int256: 0n,
  string: 'x',
  uint256: 1n,
}

const typesOf = (signature: string) =>
  /\((.*)\)/
    .exec(signature)![1]!
    .split(',')
    .filter((type) => type !== '')

function sampleData(selector: Hex, signature: string): Hex {
  const types = typesOf(signature)
  return callData(
    selector,
    types,
    types.map((type) => SAMPLE[type]),
  )
}

describe('the table (node-chain 10.4)', () => {
  test('lists every method once', () => {
    expect(BRIDGE_METHODS.map(({ selector }) => selector).sort()).toEqual(
      BRIDGE_TABLE.map(([id]) => id).sort(),
    )
  })

  test.each(BRIDGE_TABLE)('%s is %s', (selector, signature, output, gas, use, isView) => {
    const method = BRIDGE_METHODS.find((one) => one.selector === selector)!
    expect([method.signature, method.output.name, method.use]).toEqual([signature, output, use])
    expect(method.mutability === 'view').toBe(isView)
    if (gas === 'dynamic') return
    const data = fromHex(sampleData(selector, signature))
    expect(bridge.gas(precompileCall(data))).toBe(gas + 2 * data.length)
  })

  test('all selectors but nineteen are the hashes of their neutral signatures', () => {
    const others = BRIDGE_TABLE.filter(
      ([selector, signature]) =>
        toHex(keccak256(new Uint8Array(Buffer.from(signature))).subarray(0, 4)) !== selector,
    )
    expect(others).toHaveLength(19)
    const names = others.map(([, signature]) => signature.replace(/\(.*/, ''))
    expect(names.filter((name) => !name.includes('Aux'))).toEqual([
      'getActivePegRedeemScript',
      'requestUnionBridgeCoin',
      'releaseUnionBridgeCoin',
    ])
  })

  test('events have the topics of the deployed contract (node-chain 10.7)', () => {
    expect(new Set(Object.values(BRIDGE_EVENTS).map(({ topic }) => topic)).size).toBe(19)
    const { update_collections, release_requested } = BRIDGE_EVENTS
    // Two names that are neutral already: their topics are the hashes of their signatures.
    const hash = (text: string) => toHex(keccak256(new Uint8Array(Buffer.from(text))))
    expect(update_collections.topic).toBe(hash('update_collections(address)'))
    expect(release_requested.topic).toBe(hash('release_requested(bytes32,bytes32,uint256)'))
  })
})

const KEYS = [
  '0x02cd53fc53a07f211641a677d250f6de99caf620e8e77071e811a28b3bcddf0be1',
  '0x0362634ab57dae9cb373a5d536e66a8c4f67468bbcfb063809bab643072d78a124',
  '0x03c5946b3fbae03a654237da863c9ed534e0878657175b132b8ca630f245df04db',
]
const GENESIS_HASH = '0x0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
const GENESIS_HEADER = `0x01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000`
/** The key types as bytes of the network's texts. */
const KEY_TYPES = ['627463', '72736b', '6d7374'].map((hex) => Buffer.from(hex, 'hex').toString())

describe('results on a fresh chain (node-chain 10.4)', () => {
  test.each<[string, unknown[], unknown]>([
    ['getAuxBlockchainBestChainHeight', [], 0n],
    ['getAuxBlockchainInitialBlockHeight', [], 0n],
    ['getAuxBlockchainBlockHashAtDepth', [0n], GENESIS_HASH],
    ['getAuxTransactionConfirmations', [WORD, WORD, 0n, []], -1n],
    ['getAuxTxHashProcessedHeight', ['ab'.repeat(32)], -1n],
    ['getFederationCreationBlockNumber', [], 1n],
    ['getFederationCreationTime', [], 1_451_606_400n],
    ['getFederationSize', [], 3n],
    ['getFederationThreshold', [], 2n],
    ...KEYS.flatMap((key, index) =>
      KEY_TYPES.map((type): [string, unknown[], unknown] => [
        'getFederatorPublicKeyOfType',
        [BigInt(index), type],
        key,
      ]),
    ),
    ['getFeePerKb', [], 100_000n],
    ['getLockWhitelistAddress', [0n], ''],
    ['getLockWhitelistEntryByAddress', ['mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8'], -1n],
    ['getLockWhitelistSize', [], 0n],
    ['getMinimumLockTxValue', [], 500_000n],
    ['getPendingFederationHash', [], '0x'],
    ['getPendingFederationSize', [], -1n],
    ['getPendingFederatorPublicKeyOfType', [0n, KEY_TYPES[0]], '0x'],
    ['getRetiringFederationAddress', [], ''],
    ['getRetiringFederationCreationBlockNumber', [], -1n],
    ['getRetiringFederationCreationTime', [], -1n],
    ['getRetiringFederationSize', [], -1n],
    ['getRetiringFederationThreshold', [], -1n],
    ['getRetiringFederatorPublicKeyOfType', [0n, KEY_TYPES[0]], '0x'],
    ['getProposedFederationAddress', [], ''],
    ['getProposedFederationSize', [], -1n],
    ['getProposedFederationCreationTime', [], -1n],
    ['getProposedFederationCreationBlockNumber', [], -1n],
    ['getProposedFederatorPublicKeyOfType', [0n, KEY_TYPES[0]], '0x'],
    ['getLockingCap', [], 100_000_000_000n],
    ['isAuxTxHashAlreadyProcessed', ['ab'.repeat(32)], false],
    ['hasAuxBlockCoinbaseTransactionInformation', [WORD], false],
    ['getAuxBlockchainBestBlockHeader', [], GENESIS_HEADER],
    ['getAuxBlockchainBlockHeaderByHash', [GENESIS_HASH], GENESIS_HEADER],
    ['getAuxBlockchainBlockHeaderByHash', [WORD], '0x'],
    ['getAuxBlockchainBlockHeaderByHeight', [0n], GENESIS_HEADER],
    ['getAuxBlockchainBlockHeaderByHeight', [1n], '0x'],
    ['getAuxBlockchainParentBlockHeaderByHash', [GENESIS_HASH], '0x'],
    ['getNextPegoutCreationBlockNumber', [], 0n],
    ['getQueuedPegoutsCount', [], 0n],
    ['getUnionBridgeContractAddress', [], `0x${'00'.repeat(20)}`],
    ['getUnionBridgeLockingCap', [], 10n ** 18n],
    ['getSuperEvent', [], '0x'],
    ['getBaseEvent', [], '0x'],
  ])('%s(%j)', (name, args, answer) => {
    expect(new BridgeBench().read(name, args)).toBe(answer)
  })

  test('the redeem script has 252 bytes and names the keys in their order (node-chain 10.6)', () => {
    const script = String(new BridgeBench().read('getActivePegRedeemScript'))
    expect(script).toHaveLength(2 + 2 * 252)
    expect(
      script.startsWith(`0x6452${KEYS.map((key) => `21${key.slice(2)}`).join('')}53ae6702f401b27553`),
    ).toBe(true)
  })
})

describe('gas (node-chain 10.3)', () => {
  const zeros = (length: number): Hex => `0x${'00'.repeat(length)}`

  test.each<[string, Hex, number]>([
    ['no data: releaseAux', '0x', 23_000],
    ['an unknown selector', '0x12345678', 23_000],
    ['half a selector', '0x1234', 23_000],
    ['invalid arguments', '0x0461313e00', 23_000],
    ['a retired method', RETIRED_SELECTORS[0]!, 23_000],
    ['no header', dataOf('receiveHeaders', [[]]), 25_000 + 2 * 68],
    [
      'three headers',
      dataOf('receiveHeaders', [[zeros(1), zeros(1), zeros(1)]]),
      25_000 + 7_000 + 2 * (68 + 3 * 96),
    ],
  ])('%s', (_, data, gas) => {
    expect(bridge.gas(precompileCall(fromHex(data)))).toBe(gas)
  })

  test.each([...FEDERATORS, ...AUTHORIZERS.feePerKb])('%s pays no gas', (caller) => {
    expect(new BridgeBench().gas('updateCollections', [], { depth: 0, caller })).toBe(0)
    expect(new BridgeBench().gas('updateCollections', [], { depth: 1, caller })).toBe(48_008)
  })

  test.each([...AUTHORIZERS.lockingCap, ...AUTHORIZERS.unionAddress])('%s pays', (caller) => {
    expect(isFreeBridgeCall(caller, BRIDGE_ADDRESS)).toBe(false)
    expect(new BridgeBench().gas('increaseLockingCap', [1n], { depth: 0, caller })).toBe(8000 + 2 * 36)
  })
})

describe('a bare selector (node-chain 10.2)', () => {
  test.each<[string, string]>([
    ['getAuxBlockchainBlockHeaderByHeight', toHex(AUX_GENESIS_HEADER)],
    ['getLockWhitelistAddress', ''],
  ])('%s: the argument is 0', (name, answer) => {
    const { selector, output } = BRIDGE_METHODS.find((method) => method.name === name)!
    expect(decoded(output.name, new BridgeBench().run(selector, { isSimulated: true }))).toBe(answer)
  })

  test.each(['addSignature', 'getAuxBlockchainBlockHeaderByHash'])('%s has no arguments', (name) => {
    const { selector } = BRIDGE_METHODS.find((method) => method.name === name)!
    expect(refusalOf(() => new BridgeBench().run(selector))).toContain('Invalid data given')
  })
})

describe('kinds of calls (node-chain 10.3)', () => {
  const prefix = 'Exception executing bridge: '

  test.each(['delegatecall', 'callcode'] as const)('%s is rejected', (kind) => {
    const bench = new BridgeBench()
    expect(refusalOf(() => bench.send('getBaseEvent', [], { kind }))).toBe(
      `${prefix}${kind.toUpperCase()} is not supported`,
    )
  })

  const locals = BRIDGE_TABLE.filter(([, , , , use]) => use === 'ethCallOnly')
  test.each(locals)('%s %s is for local calls only', (selector, signature) => {
    const bench = new BridgeBench()
    expect(refusalOf(() => bench.run(sampleData(selector, signature)))).toBe(
      `${prefix}${signature} is for local calls only`,
    )
  })

  const writers = BRIDGE_TABLE.filter(([, , , , , isView]) => !isView)
  test.each(writers)('%s %s rejects STATICCALL', (selector, signature) => {
    const message = `${prefix}${signature} cannot be reached by STATICCALL`
    const bench = new BridgeBench()
    const data = sampleData(selector, signature)
    expect(refusalOf(() => bench.run(data, { kind: 'staticcall', isStatic: true }))).toBe(message)
    expect(refusalOf(() => bench.run(data, { isStatic: true }))).toBe(message)
  })

  test.each(['0x12345678', '0x1234', ...RETIRED_SELECTORS] as const)('%s is an unknown method', (data) => {
    expect(refusalOf(() => new BridgeBench().run(data))).toBe(
      `${prefix}Invalid data given: ${data.slice(2)}.`,
    )
  })

  test('invalid arguments are rejected with the reason', () => {
    expect(refusalOf(() => new BridgeBench().run('0x0461313e00'))).toBe(
      `${prefix}Invalid data given: 0461313e00: voteFeePerKbChange(int256): 1 bytes of arguments, expected at least 32`,
    )
  })

  const memberMethods = BRIDGE_TABLE.filter(([, , , , use]) => use === 'membersOnly')
  test.each(memberMethods)(
    '%s %s is for members of the federation (node-next 4.1)',
    (selector, signature) => {
      const bench = new BridgeBench()
      const data = sampleData(selector, signature)
      const send = (caller: typeof COW, depth = 0) => bench.run(data, { caller, depth, origin: MEMBER })
      // A contract that a member calls is not a member.
      expect(refusalOf(() => send(COW, 1))).toBe(
        `${prefix}${COW} is not a member of the federation, which alone calls ${signature}`,
      )
      for (const member of FEDERATORS) expect(send(member)).toBe('0x')
    },
  )

  test('a static call reads', () => {
    const bench = new BridgeBench()
    const data = dataOf('getAuxBlockchainBestChainHeight', [])
    expect(decoded('int256', bench.run(data, { kind: 'staticcall', isStatic: true }))).toBe(0n)
  })
})

describe('the keys of 11.3', () => {
  test.each([
    ['federator1', [...FEDERATORS][1]],
    ['federator2', [...FEDERATORS][2]],
    ['federator3', [...FEDERATORS][0]],
    ['auth-a', [...AUTHORIZERS.federation][0]],
    ['auth-b', [...AUTHORIZERS.federation][1]],
    ['auth-c', [...AUTHORIZERS.federation][2]],
    ['auth-d', [...AUTHORIZERS.federation][3]],
    ['auth-e', [...AUTHORIZERS.federation][4]],
    ['auth-fee-per-kb', [...AUTHORIZERS.feePerKb][0]],
    ['auth-lock-whitelist', [...AUTHORIZERS.whitelist][0]],
    ['auth-increase_locking_cap', [...AUTHORIZERS.lockingCap][0]],
    ['changeUnionBridgeContractAddressAuthorizer', [...AUTHORIZERS.unionAddress][0]],
  ])('%s', (phrase, address) => {
    expect(addressOfPrivateKey(keccak256(new Uint8Array(Buffer.from(phrase))))).toBe(address)
  })
})

describe('scripted responses', () => {
  const ANSWER = `0x${'00'.repeat(31)}07` as const
  const fee = dataOf('getFeePerKb', [])
  const vote = dataOf('voteFeePerKbChange', [1n])

  function scripted(...selectors: readonly Hex[]): BridgeBench {
    const bench = new BridgeBench()
    for (const selector of selectors) {
      scriptBridge(bench.state, selector, { isRevert: false, data: fromHex(ANSWER) })
    }
    return bench
  }

  test.each<[string, Hex, Partial<PrecompileCall>]>([
    ['a transaction', fee, { depth: 0 }],
    ['a contract', fee, { depth: 1 }],
    ['a static call of a writing method', vote, { kind: 'staticcall', isStatic: true }],
    ['invalid arguments', '0x0461313e', {}],
    ['a plain transfer', '0x', {}],
  ])('reach %s', (_, data, special) => {
    const bench = scripted('0x724ec886', '0x0461313e', '0x80af2871')
    expect(bench.run(data, special)).toBe(ANSWER)
    expect(bench.logs).toEqual([])
  })

  test('do not reach DELEGATECALL, and change no gas', () => {
    const bench = scripted('0x724ec886')
    expect(refusalOf(() => bench.run(fee, { kind: 'delegatecall' }))).toContain(
      'DELEGATECALL is not supported',
    )
    expect(bench.gas('getFeePerKb')).toBe(2_008)
  })

  test('may revert with data', () => {
    const bench = new BridgeBench()
    scriptBridge(bench.state, '0x724ec886', { isRevert: true, data: fromHex('0x99') })
    expect(() => bench.run(fee)).toThrow(expect.objectContaining({ data: fromHex('0x99') }))
    scriptBridge(bench.state, '0x724ec886', undefined)
    expect(bench.read('getFeePerKb')).toBe(100_000n)
  })
})

test('the Bridge returns or rejects for any data', () => {
  const bench = new BridgeBench()
  const coder = AbiCoder.defaultAbiCoder()
  const noise = coder.encode(['bytes', 'uint256'], [`0x${'ff'.repeat(70)}`, 2n ** 256n - 1n]).slice(2)
  for (const [selector] of BRIDGE_TABLE) {
    for (const tail of ['', 'ff', noise, noise.repeat(3), 'ff'.repeat(256)]) {
      const run = () => bench.run(`${selector}${tail}`, { isSimulated: true, caller: asAddress(COW) })
      try {
        run()
      } catch (error) {
        expect(error).toMatchObject({ name: 'PrecompileFailure' })
      }
    }
  }
})
