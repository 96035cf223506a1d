import { describe, expect, test } from '@jest/globals'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import type { StateManagerInterface } from '@ethereumjs/common'
import type { EVMRunCallOpts } from '@ethereumjs/evm'
import { createEVM } from '@ethereumjs/evm'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Address, KECCAK256_RLP, createAccount } from '@ethereumjs/util'
import fc from 'fast-check'
import { asAddress, fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import { InvariantError } from '../../lib/base/invariant.ts'
import { StateAdapter } from '../../lib/evm/state-adapter.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { runs } from '../support/state-steps.ts'

const ALICE = asAddress(`0x${'a1'.repeat(20)}`)
const SLOT = toWord(7n)
const alice = new Address(fromHex(ALICE))
const slot = fromHex(SLOT)

function adapterOverAlice() {
  const state = new State(StateRoot.empty)
  state.putAccount(ALICE, { nonce: 1n, balance: 100n })
  return { state, adapter: new StateAdapter(state) }
}

describe('accounts', () => {
  test('are fresh objects, so that changing one changes nothing', async () => {
    const { adapter } = adapterOverAlice()
    const account = await adapter.getAccount(alice)
    account!.balance = 5n
    expect((await adapter.getAccount(alice))?.balance).toBe(100n)
  })

  test('are absent when absent', async () => {
    const { adapter } = adapterOverAlice()
    expect(await adapter.getAccount(new Address(new Uint8Array(20)))).toBeUndefined()
  })

  test('keep code and storage when put', async () => {
    const { adapter, state } = adapterOverAlice()
    await adapter.putCode(alice, Uint8Array.of(1))
    await adapter.putStorage(alice, slot, Uint8Array.of(2))
    await adapter.putAccount(alice, createAccount({ nonce: 2n, balance: 3n }))
    expect(state.account(ALICE)).toMatchObject({ nonce: 2n, balance: 3n, code: Uint8Array.of(1) })
    expect(state.hasStorage(ALICE)).toBe(true)
  })

  test('are deleted when nothing is put', async () => {
    const { adapter, state } = adapterOverAlice()
    await adapter.putAccount(alice, undefined)
    expect(state.account(ALICE)).toBeUndefined()
  })

  test('change in the given fields only', async () => {
    const { adapter, state } = adapterOverAlice()
    await adapter.modifyAccountFields(alice, { balance: 0n })
    expect(state.account(ALICE)).toMatchObject({ nonce: 1n, balance: 0n })
    await adapter.modifyAccountFields(alice, { nonce: 9n })
    expect(state.account(ALICE)).toMatchObject({ nonce: 9n, balance: 0n })
  })

  test('tell empty storage from other storage', async () => {
    const { adapter } = adapterOverAlice()
    expect((await adapter.getAccount(alice))?.storageRoot).toEqual(KECCAK256_RLP)
    await adapter.putStorage(alice, slot, Uint8Array.of(2))
    expect((await adapter.getAccount(alice))?.storageRoot).not.toEqual(KECCAK256_RLP)
    await adapter.clearStorage(alice)
    expect((await adapter.getAccount(alice))?.storageRoot).toEqual(KECCAK256_RLP)
  })
})

describe('adapter', () => {
  test('works on the state it is told to use', async () => {
    const { adapter } = adapterOverAlice()
    await adapter.getAccount(alice)
    adapter.use(new State(StateRoot.empty))
    expect(await adapter.getAccount(alice)).toBeUndefined()
  })

  test('has the root of all changes, also inside a checkpoint', async () => {
    const { adapter, state } = adapterOverAlice()
    await adapter.checkpoint()
    await adapter.putStorage(alice, slot, Uint8Array.of(2))
    const root = toHex(await adapter.getStateRoot())
    await adapter.commit()
    expect(state.seal().hash).toBe(root)
  })

  test('copies what has been sealed', async () => {
    const { adapter, state } = adapterOverAlice()
    state.seal()
    await adapter.putCode(alice, Uint8Array.of(1))
    const copy = adapter.shallowCopy()
    await copy.putAccount(alice, createAccount({ nonce: 5n, balance: 5n }))
    expect(await copy.getCodeSize(alice)).toBe(0)
    expect(await adapter.getCodeSize(alice)).toBe(1)
    expect(state.account(ALICE)?.nonce).toBe(1n)
  })

  test('gives the storage at the start of the transaction', async () => {
    const { adapter } = adapterOverAlice()
    await adapter.putStorage(alice, slot, Uint8Array.of(2))
    expect(await adapter.originalStorageCache.get(alice, slot)).toEqual(Uint8Array.of(2))
    await adapter.putStorage(alice, slot, Uint8Array.of(3))
    expect(await adapter.originalStorageCache.get(alice, slot)).toEqual(Uint8Array.of(2))
    adapter.originalStorageCache.clear()
    expect(await adapter.originalStorageCache.get(alice, slot)).toEqual(Uint8Array.of(3))
  })

  test('does not choose states by hash', async () => {
    const { adapter } = adapterOverAlice()
    await expect(adapter.setStateRoot()).rejects.toThrow(InvariantError)
    await expect(adapter.hasStateRoot()).rejects.toThrow(InvariantError)
  })
})

const PUSH = (byte: number) => [0x60, byte]
const CONTRACTS = [0x11, 0x22, 0x33].map((byte) => new Address(new Uint8Array(20).fill(byte)))
/** PUSH20 of a contract. */
const pushContract = (index: number) => [0x73, ...CONTRACTS[index]!.bytes]
const small = fc.integer({ min: 0, max: 3 })
const contract = fc.integer({ min: 0, max: 2 })

/** A piece of program that leaves the stack as it found it. */
const anyPiece = fc.oneof(
  { arbitrary: fc.tuple(small, small).map(([at, value]) => [...PUSH(value), ...PUSH(at), 0x55]), weight: 4 }, // SSTORE
  small.map((at) => [...PUSH(at), 0x54, 0x50]), // SLOAD
  // CALL with 1 wei, 80,000 gas
  contract.map((to) => [
    ...PUSH(0),
    ...PUSH(0),
    ...PUSH(0),
    ...PUSH(0),
    ...PUSH(1),
    ...pushContract(to),
    0x62,
    0x01,
    0x38,
    0x80,
    0xf1,
    0x50,
  ]),
  // CREATE with 1 wei of code that stores its own address: ADDRESS, PUSH1 1, SSTORE
  fc.constant([
    0x63,
    0x30,
    0x60,
    0x01,
    0x55,
    ...PUSH(0),
    0x52,
    ...PUSH(4),
    ...PUSH(28),
    ...PUSH(1),
    0xf0,
    0x50,
  ]),
  contract.map((to) => [...pushContract(to), 0x31, 0x50, ...pushContract(to), 0x3f, 0x50]), // BALANCE, EXTCODEHASH
)
const anyEnd = fc.oneof(
  { arbitrary: fc.constant([0x00]), weight: 4 }, // STOP
  fc.constant([...PUSH(0), ...PUSH(0), 0xfd]), // REVERT
  fc.constant([0xfe]), // INVALID
  contract.map((to) => [...pushContract(to), 0xff]), // SELFDESTRUCT
)
const anyProgram = fc
  .tuple(fc.array(anyPiece, { maxLength: 8 }), anyEnd)
  .map(([pieces, end]) => Uint8Array.from([...pieces.flat(), ...end]))

/** Runs each call on the programs and notes everything the EVM answers, and the root after it. */
async function transcript(
  stateManager: StateManagerInterface,
  programs: readonly Uint8Array[],
  hardfork: string,
) {
  const common = new Common({ chain: Mainnet, hardfork })
  const evm = await createEVM({ common, stateManager })
  for (const [index, program] of programs.entries()) {
    await stateManager.putAccount(CONTRACTS[index]!, createAccount({ nonce: 1n, balance: 10n }))
    await stateManager.putCode(CONTRACTS[index]!, program)
  }
  await stateManager.putAccount(alice, createAccount({ nonce: 0n, balance: 10n ** 18n }))
  const lines: unknown[] = []
  for (const to of [...CONTRACTS, ...CONTRACTS]) {
    const call: EVMRunCallOpts = { caller: alice, to, value: 1n, gasLimit: 1_000_000n }
    const { execResult } = await evm.runCall(call)
    for (const destroyed of execResult.selfdestruct?.keys() ?? []) {
      await stateManager.clearStorage(new Address(fromHex(destroyed)))
      await evm.journal.deleteAccount(new Address(fromHex(destroyed)))
    }
    await evm.journal.cleanup()
    stateManager.originalStorageCache.clear()
    const { executionGasUsed, gasRefund, exceptionError } = execResult
    lines.push([executionGasUsed, gasRefund, exceptionError?.error, toHex(await stateManager.getStateRoot())])
  }
  return lines
}

describe('the EVM', () => {
  test.each([Hardfork.Byzantium, Hardfork.Istanbul, Hardfork.Cancun])(
    'answers on it as on its own state manager: %s',
    async (hardfork) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyProgram, { minLength: 3, maxLength: 3 }), async (programs) => {
          const expected = await transcript(new MerkleStateManager(), programs, hardfork)
          expect(await transcript(new StateAdapter(new State(StateRoot.empty)), programs, hardfork)).toEqual(
            expected,
          )
        }),
        runs(60),
      )
    },
    60_000,
  )
})
