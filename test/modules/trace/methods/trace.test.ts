/** Traces in the form of the trace module. */

import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../../../lib/node/node.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import { COW, COW1 } from '../../../support/signing.ts'
import { HEIR, tracedNode } from '../../../support/tracing.ts'

const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`
const COW2 = '0x0a3aa774752ec2042c46548456c094a76c7f3a79'

/** Blocks 1 to 4: cow to cow1, cow1 to cow, cow to cow2, and an empty block. */
async function fourBlocks(): Promise<Node> {
  const node = await freshNode()
  for (const [from, to] of [
    [COW, COW1],
    [COW1, COW],
    [COW, COW2],
  ]) {
    await call(node, 'eth_sendTransaction', [{ from, to, value: 1 }])
  }
  await call(node, 'evm_mine')
  return node
}

describe('trace_filter', () => {
  test('takes no time for a billion blocks without transactions', async () => {
    const node = await fourBlocks()
    await call(node, 'hardhat_mine', ['0x3b9aca00'])
    await call(node, 'eth_sendTransaction', [{ from: COW, to: COW1, value: 1 }])
    const items = await call(node, 'trace_filter', [{ fromBlock: '0x3' }])
    expect(items.map(({ blockNumber }: { blockNumber: number }) => blockNumber)).toEqual([3, 1_000_000_005])
  })

  test.each([
    ['everything', {}, [1, 2, 3]],
    ['from a block', { fromBlock: '0x2' }, [2, 3]],
    ['to a block', { toBlock: '0x2' }, [1, 2]],
    ['beyond the head', { fromBlock: '0x3', toBlock: '0x99' }, [3]],
    ['above the head', { fromBlock: '0x99' }, []],
    ['of a sender', { fromAddress: [COW] }, [1, 3]],
    ['of one of several senders', { fromAddress: [COW, COW1] }, [1, 2, 3]],
    ['to a receiver', { toAddress: [COW] }, [2]],
    ['of a sender to a receiver', { fromAddress: [COW], toAddress: [COW2] }, [3]],
    ['of a sender to another receiver', { fromAddress: [COW1], toAddress: [COW2] }, []],
    ['of a sender or to a receiver', { fromAddress: [COW1], toAddress: [COW2], mode: 'union' }, [2, 3]],
    ['of any address, as both lists are empty', { fromAddress: [], toAddress: [] }, [1, 2, 3]],
    ['of a sender to any receiver', { fromAddress: [COW1], toAddress: [], mode: 'union' }, [2]],
    ['to the pending block', { toBlock: 'pending' }, [1, 2, 3]],
    ['of the pending block, which is empty', { fromBlock: 'pending', toBlock: 'pending' }, []],
    ['the first', { count: 1 }, [1]],
    ['the second', { after: 1, count: 1 }, [2]],
    ['after the second', { after: '0x2' }, [3]],
    ['none', { count: 0 }, []],
    ['after all', { after: 10 }, []],
  ])('finds the traces %s', async (_case, filter, blocks) => {
    const items = await call(await fourBlocks(), 'trace_filter', [filter])
    expect(items.map(({ blockNumber }: any) => blockNumber)).toEqual(blocks)
  })

  test('pages go through the traces of a transaction in order', async () => {
    const { node, send } = await tracedNode()
    await send('nest', [5n])
    await send('nest', [6n])
    const all = await call(node, 'trace_filter', [{}])
    const pages = await Promise.all(
      all.map((_: unknown, after: number) => call(node, 'trace_filter', [{ after, count: 1 }])),
    )
    expect(pages.flat()).toEqual(all)
    expect(all.length).toBe(2 + 4 + 4)
  })

  test.each([
    ['null', null, 'Invalid trace_filter parameters, got '],
    ['too large a count', { count: 10_001 }, 'Count value too big. Maximum 10000 traces allowed, got 10001'],
    ['a negative start', { after: -1 }, 'After value cannot be negative, got -1'],
    ['too large a start', { after: 10_001 }, 'After value too big. Maximum 10000 traces allowed, got 10001'],
    ['a range backwards', { fromBlock: '0x2', toBlock: '0x1' }, 'fromBlock cannot be greater than toBlock'],
    ['a range from the pending block', { fromBlock: 'pending' }, 'fromBlock cannot be greater than toBlock'],
    ['an unknown member', { blockHash: word(1) }, 'trace_filter parameters: blockHash is unknown, got '],
  ])('refuses %s', async (_case, filter, message) => {
    const refused = await refusal(await fourBlocks(), 'trace_filter', [filter])
    expect(refused.kind).toBe('invalidParams')
    expect(refused.message).toContain(message)
  })
})

describe('trace_filter on Ethereum', () => {
  /** Type, sender and receiver of the items of `createAndEnd`: the sender's call, a creation, a call and a self-destruct. */
  async function ended() {
    const { node, tracer, send } = await tracedNode({ network: 'ethereum' })
    await send('createAndEnd', [HEIR], 5)
    const items = await call(node, 'trace_filter', [{ fromBlock: 'latest' }])
    const [top, creation] = items
    const addresses = { sender: top.action.from, tracer, made: creation.result.address, heir: HEIR }
    return { node, items, addresses }
  }

  const between = (from?: string, to?: string) => ({
    fromAddress: [from],
    toAddress: [to],
    mode: 'intersection',
  })

  test.each<[string, (of: Record<string, string>) => object, readonly number[]]>([
    ['inner calls and creations of a caller', ({ tracer }) => ({ fromAddress: [tracer] }), [1, 2]],
    ['the creation of and the call to a contract', ({ made }) => ({ toAddress: [made] }), [1, 2]],
    ['what a contract that ended did', ({ made }) => ({ fromAddress: [made] }), [3]],
    ['what a beneficiary got', ({ heir }) => ({ toAddress: [heir] }), [3]],
    [
      'calls of one or to the other',
      ({ sender, heir }) => ({ fromAddress: [sender], toAddress: [heir] }),
      [0, 3],
    ],
    ['calls of one to the other', ({ tracer, made }) => between(tracer, made), [1, 2]],
    ['everything with empty lists', () => ({ fromAddress: [], toAddress: [] }), [0, 1, 2, 3]],
    ['what has a receiver and any sender', ({ heir }) => ({ fromAddress: [], toAddress: [heir] }), [3]],
    ['the second of those that match', ({ tracer }) => ({ fromAddress: [tracer], after: 1, count: 1 }), [2]],
  ])('finds %s', async (_case, filterOf, positions) => {
    const { node, items, addresses } = await ended()
    const found = await call(node, 'trace_filter', [{ fromBlock: 'latest', ...filterOf(addresses) }])
    expect(found).toEqual(positions.map((position) => items[position]))
  })

  test('finds no address in a creation that failed', async () => {
    const { node, tracer, send } = await tracedNode({ network: 'ethereum' })
    await send('catchAll')
    const found = await call(node, 'trace_filter', [{ fromBlock: 'latest', fromAddress: [tracer] }])
    expect(found.map(({ type, error }: any) => [type, error])).toEqual([
      ['call', 'Reverted'],
      ['create', 'Reverted'],
    ])
  })

  test('accepts a range of more traces than the reference node does', async () => {
    const { node } = await ended()
    expect(await call(node, 'trace_filter', [{ after: 10_001, count: 20_000 }])).toEqual([])
  })
})

describe('trace_block', () => {
  test('returns the items of all transactions, none for genesis, null for an unknown block', async () => {
    const { node, send } = await tracedNode()
    await call(node, 'evm_stopMining')
    const hashes = [await send('loop', [1n]), await send('send', [HEIR], 1)]
    await call(node, 'evm_mine')
    const items = await call(node, 'trace_block', ['latest'])
    expect(
      items
        .filter(({ traceAddress }: any) => traceAddress.length === 0)
        .map(({ transactionHash, transactionPosition }: any) => [transactionHash, transactionPosition]),
    ).toEqual(hashes.map((hash, position) => [hash, position]))
    expect(await call(node, 'trace_block', [items[0].blockHash])).toEqual(items)
    expect(await call(node, 'trace_block', ['earliest'])).toEqual([])
    expect(await call(node, 'trace_block', ['0x99'])).toBeNull()
  })

  test('refuses an invalid block reference', async () => {
    const { kind, message } = await refusal(await freshNode(), 'trace_block', ['soon'])
    expect([kind, message]).toEqual([
      'invalidParams',
      expect.stringContaining('invalid blocknumber, got "soon"'),
    ])
  })
})

describe('trace_get', () => {
  test('takes the index within the transaction', async () => {
    const { node, send } = await tracedNode()
    await call(node, 'evm_stopMining')
    await send('loop', [1n])
    const hash = await send('nest', [5n])
    await call(node, 'evm_mine')
    const items = await call(node, 'trace_transaction', [hash])
    for (const [position, item] of items.entries()) {
      expect(await call(node, 'trace_get', [hash, [`0x${position}`]])).toEqual(item)
    }
    expect(await refusal(node, 'trace_get', [hash, ['0x4']])).toEqual({
      kind: 'invalidParams',
      message: 'params[1] (positions): the transaction has 4 traces, there is none at position 4',
    })
  })

  test.each([
    ['no positions', [], "'positions' cannot be null or empty"],
    ['no list', null, "'positions' cannot be null or empty"],
    ['two positions', ['0x0', '0x1'], "'positions' accepts only one index"],
  ])('refuses %s', async (_case, positions, message) => {
    const refused = await refusal(await freshNode(), 'trace_get', [word(1), positions])
    expect(refused.kind).toBe('invalidParams')
    expect(refused.message).toContain(message)
  })
})
