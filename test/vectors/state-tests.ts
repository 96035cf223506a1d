/** Runs the cases of the Ethereum Foundation's GeneralStateTests on the engine. */

import { runAtOnce } from '../../lib/base/routine.ts'
import { asAddress, asHash, fromHex, toHash } from '../../lib/base/hex.ts'
import type { Hash } from '../../lib/base/hex.ts'
import { NodeError } from '../../lib/base/errors.ts'
import { encodeRlp } from '../../lib/base/rlp.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import type { BlockContext } from '../../lib/evm/block-context.ts'
import type { Log } from '../../lib/evm/outcome.ts'
import { StateRoot } from '../../lib/state/state-root.ts'
import { State } from '../../lib/state/state.ts'
import { admit, faultOf } from './vector-forks.ts'
import type { ForkRules } from './vector-forks.ts'

/** A test: accounts, a block, and transactions with their results. */
export interface StateTest {
  readonly env: Readonly<Record<string, string>>
  readonly pre: Readonly<Record<string, TestAccount>>
  readonly transaction: Readonly<Record<string, unknown>>
  readonly post: Readonly<Record<string, readonly StateCase[]>>
}

interface TestAccount {
  readonly balance: string
  readonly nonce: string
  readonly code: string
  readonly storage: Readonly<Record<string, string>>
}

/** One transaction of a test, and its result. */
export interface StateCase {
  readonly indexes: { readonly data: number; readonly gas: number; readonly value: number }
  /** The signed transaction. */
  readonly txbytes: string
  /** State root after the transaction. */
  readonly hash: string
  /** Hash of the encoded logs. */
  readonly logs: string
  /** Name of the fault of a transaction that cannot be in a block. */
  readonly expectException?: string
}

/** Result of a case in the form of the expectation. */
export interface StateResult {
  readonly hash: Hash
  readonly logs: Hash
  /** Name of the fault of a rejected transaction. */
  readonly fault: string | undefined
}

/** Expected result of a case. */
export const expectedOf = ({ hash, logs, expectException }: StateCase) => ({
  hash,
  logs,
  fault: expectException,
})

/** Runs a case by the rules of a hard fork. */
export function runStateCase(
  test: StateTest,
  { txbytes, expectException }: StateCase,
  fork: ForkRules,
): StateResult {
  const state = stateOf(test.pre)
  const before = state.commitRoot()
  const context = contextOf(test.env)
  try {
    const transaction = fork.codec.decode(fromHex(txbytes))
    admit(transaction, before, context, fork)
    const { logs } = runAtOnce(fork.engine.execute(state, fork.engine.open(context), transaction))
    return { hash: state.commitRoot().hash, logs: logsHash(logs), fault: undefined }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { hash: state.commitRoot().hash, logs: logsHash([]), fault: faultOf(error, expectException) }
  }
}

/** A state with these accounts. */
export function stateOf(accounts: StateTest['pre']): State {
  const state = new State(StateRoot.empty)
  for (const [key, { balance, nonce, code, storage }] of Object.entries(accounts)) {
    const address = asAddress(key)
    state.putAccount(address, { nonce: BigInt(nonce), balance: BigInt(balance) })
    if (code !== '0x') state.putCode(address, fromHex(code))
    for (const [slot, value] of Object.entries(storage)) {
      state.putStorage(address, asHash(word(slot)), fromHex(evenHex(value)))
    }
  }
  return state
}

const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`

/** Bytes of a number without leading zeros. */
const evenHex = (text: string): `0x${string}` => {
  const digits = text.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

function contextOf(env: StateTest['env']): BlockContext {
  const number = (name: string): bigint => BigInt(env[name] ?? 0)
  return {
    number: number('currentNumber'),
    chainId: 1n,
    timestamp: number('currentTimestamp'),
    coinbase: asAddress(env['currentCoinbase']!),
    gasLimit: number('currentGasLimit'),
    baseFeePerGas: number('currentBaseFee'),
    difficulty: number('currentDifficulty'),
    mixHash: asHash(word(env['currentRandom'] ?? '0x0')),
    // The hash of a block is that of its number in decimal digits, as in geth's runner of these tests.
    blockHash: (height) => toHash(keccak256(new TextEncoder().encode(height.toString()))),
    minimumGasPrice: 0n,
    excessBlobGas: number('currentExcessBlobGas'),
    ancestor: () => undefined,
  }
}

function logsHash(logs: readonly Log[]): Hash {
  const encoded = logs.map(({ address, topics, data }) => [fromHex(address), topics.map(fromHex), data])
  return toHash(keccak256(encodeRlp(encoded)))
}
