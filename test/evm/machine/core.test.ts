/** The core where its memory has to grow, and where runs are nested. */

import { describe, expect, test } from '@jest/globals'
import { toHex, toWord } from '../../../lib/base/hex.ts'
import { giveCore, takeCore } from '../../../lib/evm/machine/core.ts'
import { createdBySalt } from '../../../lib/evm/machine/instructions/creation.ts'
import { tableImage } from '../../../lib/evm/machine/core-tables.ts'
import type { Observer } from '../../../lib/evm/observer.ts'
import type { Rules } from '../../../lib/evm/rules.ts'
import { assembler } from '../../support/assembler.ts'
import { BLOCK, contextOf, machineOf, rulesOf, stateOf } from '../../support/machine-runs.ts'
import type { World } from '../../support/machine-runs.ts'
import type { Noted } from '../../support/core-runs.ts'
import { noting, observe, runAlike, runMachine } from '../../support/core-runs.ts'
import { addressOf } from '../../support/transactions.ts'

const CONTRACT = addressOf(0x1001)
const CALLEE = addressOf(0x1002)
const prague = rulesOf('prague')
const unlimited: Rules = {
  ...prague,
  create: { ...prague.create, maxCodeSize: Infinity, maxInitCodeSize: Infinity },
}
const assemble = assembler(prague)
const NO_DATA = new Uint8Array(0)

/** A contract and another one, which it may call. */
const worldOf = (source: string, callee = 'STOP', storage = new Map<bigint, bigint>()): World =>
  new Map([
    [CONTRACT, { code: assemble(source), nonce: 1n, storage }],
    [CALLEE, { code: assemble(callee), nonce: 1n }],
  ])

/** Runs a contract in all loops of the core. */
function run(source: string, callee = 'STOP', gas = 2_000_000_000): Noted {
  const sent = { to: CONTRACT, data: NO_DATA, value: 0n, gas }
  return runAlike({ rules: unlimited, world: worldOf(source, callee), sent })
}

/** Runs a body with 1 to a number on the stack, which it leaves there; the last instructions follow. */
const loop = (count: number, body: string, end = 'STOP') =>
  // JUMPDEST at 1.
  `0 JUMPDEST 1 ADD ${body} DUP1 ${count} GT 2 JUMPI ${end}`

describe('large runs', () => {
  test.each([
    ['STOP', 10_000],
    ['0 0 REVERT', 35_000],
  ])('a transaction that ends with %s writes %d slots', (end, count) => {
    const source = loop(count, 'DUP1 DUP1 SSTORE DUP1 SLOAD POP', end)
    const isKept = end === 'STOP'
    const words = Array.from({ length: isKept ? count : 0 }, (_, index) => BigInt(index + 1))
    const after = stateOf(worldOf(source, 'STOP', new Map(words.map((word) => [word, word]))))
    expect(run(source)).toMatchObject({
      status: isKept ? 'success' : 'reverted',
      stateRoot: after.commitRoot().hash,
    })
  })

  test('40,000 words of transient storage', () => {
    expect(run(loop(40_000, 'DUP1 DUP1 TSTORE', '77 TLOAD 0 MSTORE 32 0 RETURN')).output).toMatch(/4d$/)
  })

  test.each([
    ['STOP', 'success', 60_000n],
    ['0 0 REVERT', 'reverted', 0n],
  ])('60,000 calls that write the same slot: %s', (end, status, value) => {
    const callee = '0 SLOAD 1 ADD 0 SSTORE'
    const world = worldOf(loop(60_000, `0 0 0 0 0 ${BigInt(CALLEE)} GAS CALL POP`, end), callee)
    const sent = { to: CONTRACT, data: NO_DATA, value: 0n, gas: 2_000_000_000 }
    const storage = new Map(value === 0n ? [] : [[0n, value]])
    const after = stateOf(new Map([...world, [CALLEE, { ...world.get(CALLEE)!, storage }]]))
    // In one loop of the core: the slots are the same code for all.
    expect(runMachine({ rules: unlimited, world, sent })).toMatchObject({
      status,
      stateRoot: after.commitRoot().hash,
    })
  })

  test('memory of 40 megabytes, and again a small one', () => {
    expect(run('7 40000000 MSTORE MSIZE 0 MSTORE 32 0 RETURN', 'STOP', 2 ** 42).status).toBe('success')
    expect(run('7 40 MSTORE MSIZE 0 MSTORE 32 0 RETURN').output).toMatch(/60$/)
  })

  test('init code of a megabyte', () => {
    const scene = {
      rules: unlimited,
      world: new Map(),
      sent: { to: undefined, data: new Uint8Array(1_000_000).fill(0x5b), value: 0n, gas: 10_000_000 },
    }
    expect(runAlike(scene)).toMatchObject({ status: 'success', gasLeft: 9_000_000 })
  })

  test('code of more contracts than are kept', () => {
    // JUMPDEST everywhere, and a jump over all but the last ones, whose number is the contract's own.
    const large = (index: number) => {
      const code = new Uint8Array(400_000).fill(0x5b)
      code.set(assemble(`${400_000 - 100 * (index + 1)} JUMP`))
      return code
    }
    const addresses = [...new Array(4).keys()].map((index) => addressOf(0x2000 + index))
    const callAll = addresses.map((address) => `0 0 0 0 0 ${BigInt(address)} GAS CALL POP`).join(' ')
    const contracts = addresses.map((address, index) => [address, { code: large(index) }] as const)
    const world = new Map([...contracts, [CONTRACT, { code: assemble(`${callAll} ${callAll}`) }] as const])
    const scene = {
      rules: unlimited,
      world,
      sent: { to: CONTRACT, data: NO_DATA, value: 0n, gas: 9_000_000 },
    }
    const { status, gasLeft } = runAlike(scene)
    const executed = 2 * (1 + 2 + 3 + 4) * 100
    const { gasLeft: ofOne } = runAlike({ ...scene, world: new Map([[CONTRACT, world.get(CONTRACT)!]]) })
    // A JUMPDEST costs one gas; PUSH3 and JUMP eleven.
    expect([status, ofOne - gasLeft]).toEqual(['success', executed + 8 * 11])
  })
})

describe('return data', () => {
  const FILL = '0x1111 0 MSTORE 0x2222 32 MSTORE'
  const CALL_IT = `0 0 0 0 ${BigInt(CALLEE)} GAS STATICCALL POP`

  test('does not change when memory grows over it', () => {
    const source = `${CALL_IT} 1 100000 MSTORE RETURNDATASIZE 0 0 RETURNDATACOPY 64 0 RETURN`
    expect(run(source, `${FILL} 64 0 RETURN`).output).toMatch(/1111[0]{60}2222$/)
  })

  test('is that of the identity precompile, whose input it overlaps', () => {
    const source = `${FILL} 64 32 64 0 4 GAS STATICCALL POP RETURNDATASIZE 0 200 RETURNDATACOPY 264 0 RETURN`
    expect(run(source).output).toHaveLength(2 + 2 * 264)
  })

  test('of a megabyte reaches a frame with little memory', () => {
    const source = `${CALL_IT} 32 999968 0 RETURNDATACOPY 32 0 RETURN`
    expect(run(source, '5 999968 MSTORE 1000000 0 RETURN').output).toMatch(/05$/)
  })
})

test('hashes of two words are those of the words, also of zeros and of words met before', () => {
  for (const position of ['0', '1', `0x01${'00'.repeat(24)}`]) {
    // Adds up the hashes of 300 keys at a position, most of them twice.
    const body = `DUP1 300 SWAP1 MOD 0 MSTORE ${position} 32 MSTORE 64 0 KECCAK256 128 MLOAD ADD 128 MSTORE`
    expect(run(loop(600, body, '32 128 RETURN')).status).toBe('success')
  }
})

test('words of the block and the transaction are those of each run', () => {
  const assembled = assemble(
    'ORIGIN GASPRICE COINBASE TIMESTAMP NUMBER PREVRANDAO GASLIMIT BASEFEE BLOBBASEFEE',
  )
  const pushed = 9
  const store = Array.from({ length: pushed }, (_, index) => `${32 * index} MSTORE`).join(' ')
  const code = Uint8Array.of(...assembled, ...assemble(`${store} ${32 * pushed} 0 RETURN`))
  const world = new Map([[CONTRACT, { code, nonce: 1n }]])
  const sent = { to: CONTRACT, data: NO_DATA, value: 0n, gas: 100_000 }
  const answers = new Set<string>()
  const large = { ...BLOCK, number: 2n ** 64n, timestamp: 2n ** 130n, gasLimit: 2n ** 255n, coinbase: CALLEE }
  for (const block of [BLOCK, large, { ...large }, BLOCK]) {
    for (const gasPrice of [0n, 2n ** 200n]) {
      const scene = { rules: prague, world, sent, special: { block, gasPrice, blobBaseFee: gasPrice } }
      answers.add(runAlike(scene).output)
    }
  }
  expect(answers.size).toBe(4)
})

test('the output that an observer gets at the end of a frame does not change later', () => {
  const outputs: Uint8Array[] = []
  const callee = { code: assemble('0x1111 0 MSTORE 32 0 RETURN'), nonce: 1n }
  const source = `0 0 0 0 ${BigInt(CALLEE)} GAS STATICCALL POP 7 99999 MSTORE 8 8000 MSTORE`
  const state = stateOf(
    new Map([
      [CONTRACT, { code: assemble(source), nonce: 1n }],
      [CALLEE, callee],
    ]),
  )
  const observer: Observer = { onExit: ({ output }) => void outputs.push(output) }
  const machine = machineOf(contextOf(prague, state, { observer }), {
    to: CONTRACT,
    value: 0n,
    data: NO_DATA,
    gas: 1_000_000,
  })
  expect(machine.run()).toBeUndefined()
  expect(outputs.map(toHex)).toEqual([expect.stringMatching(/0{60}1111$/), '0x'])
})

test('an address that is made again, after a constructor that failed, begins with empty storage and warm slots', () => {
  // Reads a slot, writes it and returns, or reverts without value.
  const init = assemble(
    '5 SLOAD 1 ADD 5 SSTORE GAS 0 MSTORE CALLVALUE 22 JUMPI 32 0 REVERT JUMPDEST 32 0 RETURN',
  )
  const create = (value: number) => `0 CALLDATASIZE 0 ${value} CREATE2 POP RETURNDATASIZE 0 0 RETURNDATACOPY`
  const source = `CALLDATASIZE 0 0 CALLDATACOPY ${create(0)} GAS CALLDATASIZE 0 0 CALLDATACOPY ${create(1)} GAS`
  const world = new Map([[CONTRACT, { code: assemble(source), nonce: 1n, balance: 9n }]])
  const created = createdBySalt(CONTRACT, new Uint8Array(32), init)
  for (const warmSlots of [[], [[created, toWord(5n)] as const]]) {
    const sent = { to: CONTRACT, data: init, value: 0n, gas: 1_000_000 }
    const scene = { rules: prague, world, sent, special: { warmSlots } }
    const reads: unknown[] = []
    const events: string[] = []
    const { onCodeChange } = noting(events)
    const { status } = observe(scene, {
      onCodeChange,
      onOpcode: ({ name, cost, stack }) => {
        if (name === 'SLOAD') reads.push(cost)
        // The next instruction has what it read below the one that is added.
        if (name === 'ADD') reads.push(stack[0])
        return undefined
      },
    })
    expect(status).toBe('success')
    const cost = warmSlots.length === 0 ? 2100n : 100n
    expect(reads).toEqual([cost, 0n, cost, 0n])
    expect(events).toHaveLength(1)
    expect(runAlike(scene).status).toBe('success')
  }
})

test('creations that fail at one address with many warm slots', () => {
  const init = assemble('0 0 REVERT')
  const create = 'CALLDATASIZE 0 0 CALLDATACOPY 0 CALLDATASIZE 0 0 CREATE2 POP '
  const world = new Map([[CONTRACT, { code: assemble(`${create.repeat(8)} GAS`), nonce: 1n }]])
  const created = createdBySalt(CONTRACT, new Uint8Array(32), init)
  const warmSlots = Array.from({ length: 5_000 }, (_, slot) => [created, toWord(BigInt(slot))] as const)
  const sent = { to: CONTRACT, data: init, value: 0n, gas: 20_000_000 }
  const scene = { rules: prague, world, sent, special: { warmSlots } }
  expect(runAlike(scene).status).toBe('success')
})

test('a creation that fails gives back storage that an account without code has', () => {
  // Networks without EIP-7610 create there. The constructor writes a slot and fails; the storage is there afterwards.
  const rules: Rules = { ...prague, create: { ...prague.create, storageCollides: false } }
  const init = assemble('9 5 SSTORE 0 0 REVERT')
  const code = assemble(
    'CALLDATASIZE 0 0 CALLDATACOPY 0 CALLDATASIZE 0 0 CREATE2 POP 0 CALLDATASIZE 0 0 CREATE2 POP',
  )
  const created = createdBySalt(CONTRACT, new Uint8Array(32), init)
  const world = new Map([
    [CONTRACT, { code, nonce: 1n }],
    [created, { balance: 1n, storage: new Map([[5n, 7n]]) }],
  ])
  const sent = { to: CONTRACT, data: init, value: 0n, gas: 1_000_000 }
  const ran = runAlike({ rules, world, sent })
  expect(ran.status).toBe('success')
  const after = stateOf(new Map([...world, [CONTRACT, { code, nonce: 3n }]]))
  expect(ran.stateRoot).toBe(after.commitRoot().hash)
})

test('a precompile is warm though no transaction names it', () => {
  const context = contextOf(prague, stateOf(new Map([[CONTRACT, { code: assemble('4 BALANCE') }]])))
  const machine = machineOf(context, { to: CONTRACT, value: 0n, data: NO_DATA, gas: 1000 })
  expect(machine.run()).toBeUndefined()
  expect(machine.result).toMatchObject({ status: 'success', gasLeft: 1000 - 3 - 100 })
})

describe('runs', () => {
  const started = (source: string, observer?: Observer) => {
    const state = stateOf(new Map([[CONTRACT, { code: assemble(source), nonce: 1n }]]))
    const machine = machineOf(contextOf(prague, state, { warmAddresses: [CONTRACT], observer }), {
      to: CONTRACT,
      value: 0n,
      data: NO_DATA,
      gas: 100_000,
    })
    return machine
  }

  const STORE_AND_ANSWER = (word: number) => `${word} 5 SSTORE 5 SLOAD 0 MSTORE 32 0 RETURN`

  test('that are paused keep their data while others run', () => {
    const pausing: Observer = { onOpcode: ({ name }) => (name === 'SLOAD' ? Promise.resolve() : undefined) }
    const paused = [1, 2, 3].map((word) => started(STORE_AND_ANSWER(word), pausing))
    for (const machine of paused) expect(machine.run()).toBeInstanceOf(Promise)
    const other = started(STORE_AND_ANSWER(4))
    expect(other.run()).toBeUndefined()
    for (const machine of paused) expect(machine.run()).toBeUndefined()
    const answers = [...paused, other].map((machine) => Number(toHex(machine.result.output)))
    expect(answers).toEqual([1, 2, 3, 4])
  })

  test('that begin during another run have their own core', () => {
    const inner: number[] = []
    const nesting: Observer = {
      onOpcode: ({ name }) => {
        if (name !== 'SLOAD') return undefined
        const machine = started(STORE_AND_ANSWER(9))
        expect(machine.run()).toBeUndefined()
        return void inner.push(Number(toHex(machine.result.output)))
      },
    }
    const outer = started(STORE_AND_ANSWER(8), nesting)
    expect(outer.run()).toBeUndefined()
    expect([Number(toHex(outer.result.output)), ...inner]).toEqual([8, 9])
  })

  test('use the core of an earlier one that threw, and are not affected by it', () => {
    const throwing: Observer = {
      onOpcode: ({ name }) => {
        if (name === 'SLOAD') throw new Error('enough')
        return undefined
      },
    }
    const ended = started(STORE_AND_ANSWER(8), throwing)
    const { core } = ended.execution.storage
    expect(() => ended.run()).toThrow('enough')
    const again = takeCore(tableImage(prague))
    expect(again).toBe(core)
    giveCore(again)
    const next = started('5 SLOAD 0 MSTORE 32 0 RETURN')
    expect(next.run()).toBeUndefined()
    expect(Number(toHex(next.result.output))).toBe(0)
  })
})
