import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node.ts'
import { CONTRACTS, creationCode, words } from '../support/bytecode.ts'
import type { CodeName } from '../support/bytecode.ts'
import { loadContracts } from '../support/contracts.ts'
import { createContractAddress } from '../support/created-address.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { Playground, anyTransaction, runs } from '../support/transaction-steps.ts'
import type { TransactionStep } from '../support/transaction-steps.ts'

const contracts = await loadContracts()

const playground = async (network: string) => Playground.on(await freshNode({ network }), contracts)

const callTo = async (node: Node, to: string, params: object = {}, block = 'latest') =>
  call(node, 'eth_call', [{ to, ...params }, block])

/** Mines the transaction with so much gas, takes it back, and answers whether it succeeded. */
async function succeedsWith(node: Node, request: object, gas: bigint): Promise<boolean> {
  const id = node.snapshots.take()
  try {
    await call(node, 'eth_sendTransaction', [{ ...request, gas: toQuantity(gas) }])
    const block = await node.miner.mine()
    return block.receipts[0]!.outcome.status === 'success'
  } catch {
    // Too little gas even to begin.
    return false
  } finally {
    node.snapshots.revert(id)
  }
}

/** Contracts that go on when what they call fails: they succeed with less gas, but do less. */
const FORGIVING: readonly string[] = ['create', 'create2', 'delegate', 'forward']

function isForgiving({ target }: TransactionStep): boolean {
  const names = [target.kind === 'call' ? target.contract : '', 'by' in target ? target.by : '']
  return names.some((name) => FORGIVING.includes(name)) || isThroughForgiving(target)
}

const isThroughForgiving = (target: TransactionStep['target']): boolean =>
  target.kind === 'through' && FORGIVING.includes(target.contract)

describe('estimate', () => {
  test.each([
    ['network-33', 250],
    ['ethereum', 250],
  ])(
    'is the least gas with which a transaction succeeds, on %s',
    async (network, count) => {
      const place = await playground(network)
      let exact = 0
      await fc.assert(
        fc.asyncProperty(anyTransaction(), async (step) => {
          // Endless programs end sooner.
          const request = { ...place.request(step), gas: '0x1e8480' }
          const answer = await call(place.node, 'eth_estimateGas', [request]).catch(() => undefined)
          if (answer === undefined) return
          const estimate = BigInt(answer)
          expect(await succeedsWith(place.node, request, estimate)).toBe(true)
          if (isForgiving(step)) return
          exact++
          expect(await succeedsWith(place.node, request, estimate - 1n)).toBe(false)
        }),
        runs(count),
      )
      expect(exact).toBeGreaterThanOrEqual(100)
    },
    60_000,
  )

  test('counts what a callee must have at hand beyond what it uses', async () => {
    const { node, addresses } = await playground('network-33')
    const [from] = node.funded
    const data = words([addresses.get('store')!, 5n, 6n])
    const request = { from: from!.address, to: addresses.get('forwardLimited'), data }
    const estimate = BigInt(await call(node, 'eth_estimateGas', [request]))
    const { gasUsed } = await node.simulator.call(await node.views.at({ tag: 'latest' }), {
      ...{ from: from!.address, to: addresses.get('forwardLimited')! },
      data: fromHex(data),
    })
    expect(estimate).toBeGreaterThan(gasUsed)
    expect(await succeedsWith(node, request, estimate)).toBe(true)
    expect(await succeedsWith(node, request, estimate - 1n)).toBe(false)
  })

  test.each([
    ['the caller names', { gas: '0x7530' }, '30000'],
    ['the sender can pay for', { gasPrice: toQuantity(10n ** 25n) }, '100000'],
  ])('is refused when it is above what %s: %s', async (_case, fields, most) => {
    const { node, addresses } = await playground('network-33')
    const request = { from: node.funded[0]!.address, to: addresses.get('burn'), ...fields }
    const { kind, message } = await refusal(node, 'eth_estimateGas', [request])
    expect(kind).toBe('estimationFailed')
    expect(message).toContain(most)
  })

  test('is refused when the value is more than the sender has', async () => {
    const node = await freshNode()
    const request = { from: `0x${'12'.repeat(20)}`, to: node.funded[0]!.address, value: '0x1' }
    expect(await refusal(node, 'eth_estimateGas', [request])).toMatchObject({ kind: 'estimationFailed' })
  })
})

describe('call', () => {
  test('leaves nothing behind', async () => {
    const { node, addresses } = await playground('network-33')
    const before = node.chain.head.state.hash
    await callTo(node, addresses.get('store')!, { data: words([1n, 2n]) })
    expect(node.chain.head.state.hash).toBe(before)
    expect(await callTo(node, addresses.get('load')!, { data: words([1n]) })).toBe(words([0n]))
  })

  test('needs no balance for the value it sends', async () => {
    const { node, addresses } = await playground('network-33')
    const sent = { from: `0x${'12'.repeat(20)}`, value: '0xffff', data: words([3n]) }
    expect(await callTo(node, addresses.get('echo')!, sent)).toBe(words([3n]))
  })

  test('sees the block it is asked for, and the state after it', async () => {
    // NUMBER PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    const code = '0x4360005260206000f3'
    const node = await freshNode()
    await node.miner.mineMany(3n)
    const overrides = { [`0x${'aa'.repeat(20)}`]: { code } }
    const numberAt = (block: string) =>
      call(node, 'eth_call', [{ to: `0x${'aa'.repeat(20)}` }, block, overrides])
    expect(await Promise.all(['earliest', '0x2', 'latest', 'pending'].map(numberAt))).toEqual(
      [0n, 2n, 3n, 4n].map((number) => words([number])),
    )
  })

  test('answers the code that a creation would leave', async () => {
    const node = await freshNode()
    const data = toHex(creationCode(CONTRACTS.store))
    expect(await call(node, 'eth_call', [{ data }, 'latest'])).toBe(toHex(CONTRACTS.store))
  })
})

describe('pretences of a call', () => {
  const TARGET = asAddress(`0x${'aa'.repeat(20)}`)
  const load: CodeName = 'load'
  const code = toHex(CONTRACTS[load])
  const pretending = async (pretence: object, slot = 1n) => {
    const node = await freshNode()
    return call(node, 'eth_call', [{ to: TARGET, data: words([slot]) }, 'latest', { [TARGET]: pretence }])
  }

  test.each<readonly [string, object, bigint]>([
    ['code alone has no storage', { code }, 0n],
    ['single slots', { code, stateDiff: { [words([1n])]: words([7n]) } }, 7n],
    ['the whole storage', { code, state: { [words([1n])]: words([8n]) } }, 8n],
    ['a slot of zero', { code, stateDiff: { [words([1n])]: words([0n]) } }, 0n],
    // SELFBALANCE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    ['a balance', { code: '0x4760005260206000f3', balance: '0x9' }, 9n],
  ])('%s', async (_case, pretence, expected) => {
    expect(await pretending(pretence)).toBe(words([expected]))
  })

  test('replace all slots, or only those they name', async () => {
    const { node, addresses } = await playground('network-33')
    const store = addresses.get('store')!
    const from = node.funded[0]!.address
    await call(node, 'eth_sendTransaction', [{ from, to: store, data: words([1n, 5n]) }])
    await node.miner.mine()
    const read = (pretence: object) =>
      call(node, 'eth_call', [{ to: store, data: words([1n]) }, 'latest', { [store]: { code, ...pretence } }])
    expect(await read({ stateDiff: { [words([2n])]: words([6n]) } })).toBe(words([5n]))
    expect(await read({ state: { [words([2n])]: words([6n]) } })).toBe(words([0n]))
  })

  test('of a nonce decide where a creation stands', async () => {
    const node = await freshNode()
    const from = node.funded[0]!.address
    // ADDRESS PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    const request = [{ from, data: '0x3060005260206000f3' }, 'latest', { [from]: { nonce: '0x5' } }]
    const created = await call(node, 'eth_call', request)
    expect(created).toBe(words([createContractAddress(from, 5n)]))
  })
})
