/** Executions on a state that is loaded while they run, against the same executions on the whole state. */

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Address } from '../../lib/base/hex.ts'
import { ZERO_ADDRESS, asAddress, toWord } from '../../lib/base/hex.ts'
import { finish, runAtOnce } from '../../lib/base/routine.ts'
import { Engine } from '../../lib/evm/engine.ts'
import { createdByNonce } from '../../lib/evm/machine/instructions/creation.ts'
import type { Observer } from '../../lib/evm/observer.ts'
import type { Outcome } from '../../lib/evm/outcome.ts'
import type { Authorization, Transaction } from '../../lib/evm/transaction.ts'
import { minGasLimit } from '../../lib/evm/transaction-gas.ts'
import { State } from '../../lib/state/state.ts'
import type { StateRoot } from '../../lib/state/state-root.ts'
import { NETWORKS } from '../support/core-laws.ts'
import { BLOCK, COINBASE, SENDER, stateOf } from '../support/machine-runs.ts'
import type { Given, World } from '../support/machine-runs.ts'
import { noting } from '../support/core-runs.ts'
import { CONTRACTS, anyScene } from '../support/random-programs.ts'
import { SlowSource, contentOf, keysOf } from '../support/slow-source.ts'
import { runs } from '../support/state-steps.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

/** Accounts at addresses where the contracts will create others: with nonce, code, balance, or none of them. */
const anyTaken: fc.Arbitrary<World> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...CONTRACTS, SENDER),
      fc.constantFrom(1n, 2n),
      fc.constantFrom<Given>(
        { nonce: 1n },
        { code: Uint8Array.of(0x60, 0, 0x54, 0x60, 1, 0x55), storage: new Map([[0n, 3n]]) },
        { balance: 7n },
        {},
      ),
    ),
    { maxLength: 3 },
  )
  .map((taken) => new Map(taken.map(([from, nonce, given]) => [createdByNonce(from, nonce), given])))

/** Observes everything, everything but the instructions, or nothing. */
const OBSERVERS = ['all', 'frames', 'none'] as const

function observerOf(kind: (typeof OBSERVERS)[number], events: string[]): Observer | undefined {
  if (kind === 'none') return undefined
  const { onOpcode, onFault, ...frames } = noting(events)
  return kind === 'all' ? { ...frames, onOpcode, onFault } : frames
}

/** Runs two transactions, or two calls, one after the other on one state. */
function* runTwo(engine: Engine, root: StateRoot, sent: Transaction, { kind, isCall }: How) {
  const state = new State(root)
  const block = engine.open(BLOCK)
  const events: string[] = []
  const observer = observerOf(kind, events)
  const second = { ...sent, nonce: sent.nonce + 1n }
  const outcomes: Outcome[] = []
  for (const transaction of [sent, second]) {
    if (isCall)
      outcomes.push(
        yield* engine.simulate(state, block, { ...transaction, gasPrice: 7n, isPrepaid: false }, observer),
      )
    else outcomes.push(yield* engine.execute(state, block, transaction, observer))
  }
  return { outcomes, events, root: state.commitRoot() }
}

interface How {
  readonly kind: (typeof OBSERVERS)[number]
  readonly isCall: boolean
}

/** Keys that sign authorizations. */
const KEYS = [1, 2, 3].map((n) => privateKeyToAccount(toWord(BigInt(n))))

/** An authorization with a signature; the nonce may be wrong. */
const anyAuthorization = fc.record({
  key: fc.constantFrom(...KEYS),
  to: fc.constantFrom(...CONTRACTS, ZERO_ADDRESS),
  nonce: fc.constantFrom(0, 0, 1),
})

async function signed(given: { key: PrivateKeyAccount; to: Address; nonce: number }): Promise<Authorization> {
  const { key, to, nonce } = given
  const { r, s, yParity = 0 } = await key.signAuthorization({ chainId: 33, contractAddress: to, nonce })
  return {
    chainId: 33n,
    address: to,
    nonce: BigInt(nonce),
    yParity: BigInt(yParity),
    r: BigInt(r),
    s: BigInt(s),
  }
}

const anyAccess = fc.record({
  address: fc.constantFrom(...CONTRACTS, addressOf(0xdead)),
  storageKeys: fc.subarray([0n, 1n, 2n, 9n].map(toWord)),
})

/** What a transaction can have besides a call. */
const anyLists = fc.record({
  accessList: fc.option(fc.array(anyAccess, { maxLength: 2 }), { nil: undefined }),
  authorizations: fc.array(anyAuthorization, { maxLength: 3 }),
})

const SLOTS = Array.from({ length: 4 }, (_, slot) => toWord(BigInt(slot)))

describe.each(NETWORKS)('on $name', ({ rules, programs }) => {
  const engine = new Engine({ ...rules, transaction: { ...rules.transaction, gasCap: undefined } })

  test('outcome, hook events and content are those of the whole state', async () => {
    const how = fc.record({ kind: fc.constantFrom(...OBSERVERS), isCall: fc.boolean() })
    const law = fc.asyncProperty(
      anyScene(programs),
      anyTaken,
      anyLists,
      how,
      async (scene, taken, lists, how) => {
        const { world, sent } = scene
        const whole = stateOf(new Map<Address, Given>([...taken, ...world])).commitRoot()
        const { accessList } = lists
        const authorizationList = await Promise.all(lists.authorizations.map((each) => signed(each)))
        const content = { ...sent, accessList, authorizationList, gasLimit: 0n }
        const transaction = transactionOf({
          accessList,
          authorizationList,
          sender: SENDER,
          nonce: 1n,
          to: sent.to,
          data: sent.data,
          value: sent.value,
          gasLimit: minGasLimit(engine.rules, transactionOf(content)) + BigInt(sent.gas),
          maxFeePerGas: 9n,
          maxPriorityFeePerGas: 2n,
        })
        const expected = runAtOnce(runTwo(engine, whole, transaction, how))
        const source = new SlowSource(whole)
        const ran = await finish(runTwo(engine, source.root, transaction, how))
        expect(ran.outcomes).toEqual(expected.outcomes)
        expect(ran.events).toEqual(expected.events)
        const keys = [keysOf(whole), keysOf(expected.root), keysOf(ran.root)]
        const known = {
          addresses: new Set([
            COINBASE,
            ...KEYS.map(({ address }) => asAddress(address.toLowerCase())),
            ...keys.flatMap(({ addresses }) => addresses),
          ]),
          slots: [...SLOTS, ...new Set(keys.flatMap(({ slots }) => slots))],
        }
        expect(await contentOf(ran.root, known)).toEqual(await contentOf(expected.root, known))
        expect(source.loads.length).toBe(new Set(source.loads).size)
      },
    )
    await fc.assert(law, runs(30))
  })
})
