/** Hooks: their events match the execution, on random programs on network 33 and on every hard fork. */

import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { EMPTY_BYTES, fromHex, toHex, toWord } from '../../lib/base/hex.ts'
import type { Address } from '../../lib/base/hex.ts'
import { activeEips } from '../../lib/config/active-eips.ts'
import { HARDFORKS } from '../../lib/config/eips.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { loadNetwork } from '../support/networks.ts'
import { Engine } from '../../lib/evm/engine.ts'
import type { SyncObserver } from '../../lib/evm/observer.ts'
import { network33Precompiles } from '../../lib/modules/network-33/precompiles/precompiles.ts'
import { network33Rules } from '../../lib/modules/network-33/rules.ts'
import type { Rules } from '../../lib/evm/rules.ts'
import type { State } from '../../lib/state/state.ts'
import { CallTree } from '../../lib/insight/replay/call-tree.ts'
import type { CallNode } from '../../lib/insight/replay/call-tree.ts'
import { ChangedState } from './changed-state.ts'
import { FrameGas } from './frame-gas.ts'
import { BLOCK, SENDER, contextOf, execute, rulesOf, stateOf } from '../support/machine-runs.ts'
import type { Sent, World } from '../support/machine-runs.ts'
import { anyScene } from '../support/random-programs.ts'
import { runs } from '../support/state-steps.ts'
import { addressOf, transactionOf } from '../support/transactions.ts'

const network33 = network33Rules({
  eips: activeEips(loadNetwork('network-33')),
  precompiles: network33Precompiles,
  allowUnlimitedContractSize: false,
})

/** Rules with a maximum depth that random programs exceed. */
const shallow = (rules: Rules, maxDepth: number): Rules => ({ ...rules, call: { ...rules.call, maxDepth } })
const anyDepth = fc.constantFrom(0, 1, 400)

const NETWORKS: readonly (readonly [name: string, rules: Rules, programs: Hardfork])[] = [
  ['network 33', network33, 'cancun'],
  ...HARDFORKS.map((fork) => [fork, rulesOf(fork), fork] as const),
]

/** Passes the events of an execution to both observers. */
const both = (first: SyncObserver, second: SyncObserver): SyncObserver => ({
  ...first,
  onFault: (step, exception) => {
    first.onFault?.(step, exception)
    second.onFault?.(step, exception)
  },
  onEnter: (event) => {
    first.onEnter?.(event)
    second.onEnter?.(event)
  },
  onExit: (event) => {
    first.onExit?.(event)
    second.onExit?.(event)
  },
  onLog: (log) => second.onLog?.(log),
})

const framesOf = (node: CallNode): readonly CallNode[] => [node, ...node.children.flatMap(framesOf)]

/** Runs a message with an observer; the accounts are warm as in a transaction. */
function run(rules: Rules, { world, sent }: { world: World; sent: Sent }, observer: SyncObserver) {
  const state = stateOf(world)
  state.listen(observer)
  return { state, result: execute(contextOf(rules, state, { observer }), sent) }
}

/** Ends of the frames of all networks. */
const exceptions = new Set<string | undefined>()

describe.each(NETWORKS)('%s', (_name, rules, programs) => {
  test('the gas of every frame matches the gas of its instructions, also of refused frames', async () => {
    const law = fc.property(anyScene(programs), anyDepth, (scene, maxDepth) => {
      const gas = new FrameGas(rules)
      const tree = new CallTree()
      const { result } = run(shallow(rules, maxDepth), scene, both(gas.observer, tree.observer))
      expect(gas.complaints).toEqual([])
      expect(gas.frames[0]?.slice(1, 3)).toEqual([
        BigInt(scene.sent.gas),
        BigInt(scene.sent.gas - result.gasLeft),
      ])
      expect(framesOf(tree.root).map((node) => [node.kind, node.gas, node.gasUsed, node.exception])).toEqual(
        gas.frames,
      )
      const logs = framesOf(tree.root).flatMap((node) => node.logs)
      expect(logs.toSorted((left, right) => left.order - right.order).map(({ data }) => data)).toEqual(
        result.logs.map(({ data }) => toHex(data)),
      )
      for (const [, , , exception] of gas.frames) exceptions.add(exception)
    })
    fc.assert(law, runs(200))
  })

  test('the changes of successful frames are the difference of the states', () => {
    const law = fc.property(anyScene(programs), (scene) => {
      const changed = new ChangedState()
      const { state } = run(rules, scene, changed.observer)
      const before = stateOf(scene.world)
      expect(changed.complaints(before, state)).toEqual([])
      expect(differences(before, state, [...scene.world.keys()])).toEqual(
        changed.addresses.filter((address) => scene.world.has(address)).toSorted(),
      )
    })
    fc.assert(law, runs(60))
  })
})

/** Which of the accounts have another balance, nonce, code or word in the slots 0 to 3. */
function differences(before: State, after: State, addresses: readonly Address[]): readonly Address[] {
  const textOf = (state: State, address: Address) => {
    const { balance = 0n, nonce = 0n, code = EMPTY_BYTES } = state.account(address) ?? {}
    const words = [0n, 1n, 2n, 3n].map((slot) => toHex(state.storage(address, toWord(slot))))
    return [balance, nonce, toHex(code), ...words].join()
  }
  return addresses.filter((address) => textOf(before, address) !== textOf(after, address)).toSorted()
}

test('a transaction notifies of the gas payment, the refund and the coinbase payment', () => {
  const engine = new Engine(rulesOf('prague'))
  const to = addressOf(0x99)
  const state = stateOf(new Map())
  const { balance = 0n } = state.account(SENDER) ?? {}
  const told: unknown[] = []
  const onBalanceChange = (...change: unknown[]) => void told.push(change)
  const onNonceChange = (...change: unknown[]) => void told.push(change)
  const transaction = transactionOf({
    type: 0,
    sender: SENDER,
    nonce: 1n,
    to,
    value: 5n,
    gasLimit: 30_000n,
    maxFeePerGas: 8n,
    maxPriorityFeePerGas: 8n,
  })
  runAtOnce(engine.execute(state, engine.open(BLOCK), transaction, { onBalanceChange, onNonceChange }))
  const paid = balance - 240_000n
  expect(told).toEqual([
    [SENDER, balance, paid],
    [SENDER, 1n, 2n],
    [SENDER, paid, paid - 5n],
    [to, 0n, 5n],
    [SENDER, paid - 5n, paid - 5n + 72_000n],
    [BLOCK.coinbase, 0n, 63_000n],
  ])
  // It no longer observes the state.
  state.putAccount(to, { nonce: 0n, balance: 0n })
  expect(told).toHaveLength(6)
})

test('refused calls, self-destructs and logs are notified in order', () => {
  const contract = addressOf(0x1001)
  // LOG0 without data, CALL with a wei above the balance, SELFDESTRUCT.
  const code = fromHex('0x60006000a06000600060006000600160aa611388f15060bbff')
  const told: unknown[] = []
  const observer: SyncObserver = {
    onEnter: ({ kind, depth, from, to, value, gas }) => void told.push({ kind, depth, from, to, value, gas }),
    onExit: ({ status, gasUsed, exception }) => void told.push({ status, gasUsed, exception }),
    onLog: ({ address }) => void told.push(address),
  }
  const sent = { to: contract, data: EMPTY_BYTES, value: 0n, gas: 100_000 }
  run(rulesOf('prague'), { world: new Map([[contract, { code }]]), sent }, observer)
  expect(told).toMatchObject([
    { kind: 'call', depth: 0, from: SENDER, to: contract, gas: 100_000n },
    contract,
    { kind: 'call', depth: 1, from: contract, to: addressOf(0xaa), value: 1n, gas: 5000n + 2300n },
    { status: 'failed', gasUsed: 0n, exception: 'insufficient balance' },
    { kind: 'selfdestruct', depth: 1, from: contract, to: addressOf(0xbb), value: 0n, gas: 0n },
    { status: 'success', gasUsed: 0n, exception: undefined },
    { status: 'success' },
  ])
})

test('some frames above were refused for their depth, and some succeeded', () => {
  expect([...exceptions]).toEqual(expect.arrayContaining(['max call depth exceeded', undefined]))
})
