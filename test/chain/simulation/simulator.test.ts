import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { asAddress, fromHex, toHex, toQuantity } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import type { CodeName } from '../../support/bytecode.ts'
import { loadContracts } from '../../support/contracts.ts'
import { createContractAddress } from '../../support/created-address.ts'
import { call, freshNode, refusal } from '../../support/node.ts'
import { runAtOnce } from '../../../lib/base/routine.ts'
import { Playground, anyTransaction, runs } from '../../support/transaction-steps.ts'

const contracts = await loadContracts()

const playground = async (network: string) => Playground.on(await freshNode({ network }), contracts)

/** Mines the transaction with an amount of gas, reverts it, and returns whether it succeeded. */
async function succeedsWith(node: Node, request: object, gas: bigint): Promise<boolean> {
  const id = node.snapshots.take()
  try {
    await call(node, 'eth_sendTransaction', [{ ...request, gas: toQuantity(gas) }])
    const block = runAtOnce(node.miner.mine())
    return block.receipts[0]!.outcome.status === 'success'
  } catch {
    // The gas is less than the intrinsic gas.
    return false
  } finally {
    node.snapshots.revert(id)
  }
}

/** Contracts that continue when an inner call fails, so that they succeed with less gas but do less. */
const FORGIVING: readonly string[] = ['create', 'create2', 'delegate', 'forward']

/** Programs that no gas is enough for. */
const FAILING: readonly string[] = ['burn', 'invalid', 'revert', 'endless', 'reverts', 'reservedByte']

/** Transactions that mostly succeed, and fail if an inner call fails. */
const strictTransaction = anyTransaction().filter(({ target }) => {
  const parts = Object.values(target).map(String)
  return !parts.some((part) => FORGIVING.includes(part) || FAILING.includes(part))
})

describe('estimate', () => {
  test.each(['network-33', 'ethereum'])(
    'is the minimum gas with which a transaction succeeds, on %s',
    async (network) => {
      const place = await playground(network)
      let exact = 0
      await fc.assert(
        fc.asyncProperty(strictTransaction, async (step) => {
          const request = place.request(step)
          const answer = await call(place.node, 'eth_estimateGas', [request]).catch(() => undefined)
          if (answer === undefined) return
          exact++
          expect(await succeedsWith(place.node, request, BigInt(answer))).toBe(true)
          expect(await succeedsWith(place.node, request, BigInt(answer) - 1n)).toBe(false)
        }),
        runs(120),
      )
      expect(exact).toBeGreaterThan(5)
    },
  )

  test('is enough for every successful transaction', async () => {
    const place = await playground('network-33')
    await fc.assert(
      fc.asyncProperty(anyTransaction(), async (step) => {
        // A limit, so that endless programs end soon.
        const request = { ...place.request(step), gas: '0x7a120' }
        const answer = await call(place.node, 'eth_estimateGas', [request]).catch(() => undefined)
        if (answer !== undefined) expect(await succeedsWith(place.node, request, BigInt(answer))).toBe(true)
      }),
      runs(60),
    )
  })

  test('includes gas that a call must have and does not use', async () => {
    // A caller that keeps a 64th (EIP-150) needs more.
    const { node, addresses } = await playground('ethereum')
    const [from] = node.funded
    const data = words([addresses.get('store')!, 5n, 6n])
    const request = { from: from!.address, to: addresses.get('forwardLimited'), data }
    const estimate = BigInt(await call(node, 'eth_estimateGas', [request]))
    const { gasUsed } = runAtOnce(
      node.simulator.call(node.blockResolver.at({ tag: 'latest' }), {
        from: from!.address,
        to: addresses.get('forwardLimited')!,
        data: fromHex(data),
      }),
    )
    expect(estimate).toBeGreaterThan(gasUsed)
    expect(await succeedsWith(node, request, estimate)).toBe(true)
    expect(await succeedsWith(node, request, estimate - 1n)).toBe(false)
  })

  test.each(['network-33', 'ethereum'])('shows contracts the default gas price, on %s', async (network) => {
    const { node } = await playground(network)
    // GASPRICE, ISZERO, JUMPI over SSTORE(0, 1): creations that are paid for write a slot, and need its gas.
    const request = { from: node.funded[0]!.address, data: '0x3a15600a5760016000555b00' }
    const estimate = BigInt(await call(node, 'eth_estimateGas', [request]))
    expect(await succeedsWith(node, request, estimate)).toBe(true)
    expect(await succeedsWith(node, request, estimate - 1n)).toBe(false)
    // A sender without a balance can estimate, too.
    const stranger = { ...request, from: `0x${'12'.repeat(20)}` }
    expect(BigInt(await call(node, 'eth_estimateGas', [stranger]))).toBe(estimate)
  })

  test.each([
    ['the caller names', { gas: '0x7530' }, '30000'],
    ['the sender can pay for', { gasPrice: toQuantity(10n ** 25n) }, '100000'],
  ])('is refused above the gas that %s: %s', async (_case, fields, most) => {
    const { node, addresses } = await playground('network-33')
    const request = { from: node.funded[0]!.address, to: addresses.get('burn'), ...fields }
    const { kind, message } = await refusal(node, 'eth_estimateGas', [request])
    expect(kind).toBe('estimationFailed')
    expect(message).toContain(most)
  })

  test.each([
    ['the value', { value: '0x1' }, 'insufficient funds for transfer: address FROM have 0, want 1'],
    [
      'the gas of any transaction',
      { gasPrice: '0x2', value: '0x0' },
      'insufficient funds for gas * price + value: address FROM have 0, want 42000',
    ],
  ])('is refused when %s costs more than the sender has', async (_case, fields, expected) => {
    const node = await freshNode()
    const request = { from: `0x${'12'.repeat(20)}`, to: node.funded[0]!.address, ...fields }
    const { kind, message } = await refusal(node, 'eth_estimateGas', [request])
    expect([kind, message]).toEqual(['estimationFailed', expected.replace('FROM', request.from)])
  })
})

describe('init code longer than a transaction may have (EIP-3860)', () => {
  const methods = ['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall']
  const cases = ['network-33', 'ethereum'].flatMap((network) => methods.map((name) => [network, name]))

  test.each(cases)('is refused on %s by %s', async (network, name) => {
    const node = await freshNode({ network })
    const creating = (length: number) => [{ data: `0x${'00'.repeat(length)}` }]
    await call(node, name, creating(49_152))
    const { kind, message } = await refusal(node, name, creating(49_153))
    // The error of an estimate says that no gas is enough, and why.
    expect(kind).toBe(name === 'eth_estimateGas' ? 'estimationFailed' : 'initCodeTooLarge')
    expect(message).toContain('max initcode size exceeded: code size 49153, limit 49152')
  })
})

describe('call', () => {
  test('uses the gas that the transaction uses', async () => {
    const place = await playground('ethereum')
    const { node } = place
    await fc.assert(
      fc.asyncProperty(anyTransaction(), async (step) => {
        const sent = await place.send({ ...step, spareGas: 'enough' })
        const [waiting] = node.mempool.all()
        if (!sent || waiting === undefined) return
        const { sender: from, gasLimit: gas, ...fields } = waiting.transaction
        const { gasUsed, status } = runAtOnce(
          node.simulator.call(node.blockResolver.at({ tag: 'latest' }), {
            ...fields,
            type: BigInt(fields.type),
            from,
            gas,
            gasPrice: fields.maxFeePerGas,
          }),
        )
        const { receipts } = runAtOnce(node.miner.mine())
        expect({ gasUsed, status }).toEqual({
          gasUsed: receipts[0]!.outcome.gasUsed,
          status: receipts[0]!.outcome.status,
        })
      }),
      runs(60),
    )
  })

  test('does not see the changes of an estimate that pauses', async () => {
    // With call data it returns its balance. Without, it loops until 1.2 million gas are used. It reads its gas, so that the
    // estimate needs a second run.
    const code = '0x3660125762124f805a035b805a11600a57005b4760005260206000f3'
    const node = await freshNode({ network: 'ethereum' })
    const to = asAddress(`0x${'77'.repeat(20)}`)
    await call(node, 'hardhat_setCode', [to, code])
    const view = node.blockResolver.at({ tag: 'latest' })
    const read = { to, data: Uint8Array.of(1) }
    const paying = { from: node.funded[0]!.address, to, value: 5n, gas: 3_000_000n }
    const routine = node.simulator.estimate(view, paying, {}, { onSlice: () => Promise.resolve() })
    let pauses = 0
    for (let step = routine.next(); step.done !== true; step = routine.next()) {
      pauses++
      expect(toHex(runAtOnce(node.simulator.call(view, read)).returnData)).toBe(words([0n]))
    }
    expect(pauses).toBeGreaterThan(3)
  })

  test('runs in the requested block, on the state after it', async () => {
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

  test('returns the code of a creation', async () => {
    const node = await freshNode()
    const data = toHex(creationCode(CONTRACTS.store))
    expect(await call(node, 'eth_call', [{ data }, 'latest'])).toBe(toHex(CONTRACTS.store))
  })
})

describe('overrides of a call', () => {
  const TARGET = asAddress(`0x${'aa'.repeat(20)}`)
  const load: CodeName = 'load'
  const code = toHex(CONTRACTS[load])
  const readWith = async (overridden: object, slot = 1n) => {
    const node = await freshNode()
    return call(node, 'eth_call', [{ to: TARGET, data: words([slot]) }, 'latest', { [TARGET]: overridden }])
  }

  test.each<readonly [string, object, bigint]>([
    ['code alone has no storage', { code }, 0n],
    ['single slots', { code, stateDiff: { [words([1n])]: words([7n]) } }, 7n],
    ['the whole storage', { code, state: { [words([1n])]: words([8n]) } }, 8n],
    ['a slot of zero', { code, stateDiff: { [words([1n])]: words([0n]) } }, 0n],
    // SELFBALANCE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    ['a balance', { code: '0x4760005260206000f3', balance: '0x9' }, 9n],
  ])('%s', async (_case, overridden, expected) => {
    expect(await readWith(overridden)).toBe(words([expected]))
  })

  test('replace all slots, or only those they name', async () => {
    const { node, addresses } = await playground('network-33')
    const store = addresses.get('store')!
    const from = node.funded[0]!.address
    await call(node, 'eth_sendTransaction', [{ from, to: store, data: words([1n, 5n]) }])
    runAtOnce(node.miner.mine())
    const read = (overridden: object) =>
      call(node, 'eth_call', [
        { to: store, data: words([1n]) },
        'latest',
        { [store]: { code, ...overridden } },
      ])
    expect(await read({ stateDiff: { [words([2n])]: words([6n]) } })).toBe(words([5n]))
    expect(await read({ state: { [words([2n])]: words([6n]) } })).toBe(words([0n]))
  })

  test('of a nonce change the address of a creation', async () => {
    const node = await freshNode()
    const from = node.funded[0]!.address
    // ADDRESS PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN
    const request = [{ from, data: '0x3060005260206000f3' }, 'latest', { [from]: { nonce: '0x5' } }]
    const created = await call(node, 'eth_call', request)
    expect(created).toBe(words([createContractAddress(from, 5n)]))
  })
})
