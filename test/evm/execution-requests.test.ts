import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import type { Block } from '../../lib/chain/block.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { toQuantity } from '../../lib/base/hex.ts'
import type { Node } from '../../lib/node/node.ts'
import { CONSOLIDATION_REQUESTS, WITHDRAWAL_REQUESTS } from '../../lib/evm/system-contracts.ts'
import { loadContracts } from '../support/contracts.ts'
import { LibraryChain } from '../support/library-chain.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { runs } from '../support/transaction-steps.ts'

const { Deposits } = await loadContracts()

/** Mainnet's deposit contract (EIP-6110). */
const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa'

/** SHA-256 of no bytes. */
const NO_REQUESTS = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const bytes = (length: number, fill: number): Hex => `0x${fill.toString(16).padStart(2, '0').repeat(length)}`

/** A call that pays a system contract. */
interface Paid {
  readonly to: string
  readonly data: Hex
  readonly value: bigint
}

const deposit = (fill: number): Paid => ({
  to: DEPOSIT_CONTRACT,
  data: encodeFunctionData({
    abi: Deposits.abi,
    functionName: 'deposit',
    args: [bytes(48, fill), bytes(32, fill + 1), bytes(96, fill + 2)],
  }),
  value: 32n * 10n ** 18n,
})

const withdrawal = (fill: number, value = 10n ** 9n): Paid => ({
  to: WITHDRAWAL_REQUESTS.address,
  data: `${bytes(48, fill)}0000000773594000`,
  value,
})

const consolidation = (fill: number, value = 10n ** 9n): Paid => ({
  to: CONSOLIDATION_REQUESTS.address,
  data: bytes(96, fill),
  value,
})

/** A node that mines when asked to, with a deposit contract. */
async function requestNode(hardfork: Hardfork): Promise<Node> {
  const node = await freshNode({ network: 'ethereum', hardfork, mining: false })
  await call(node, 'hardhat_setCode', [DEPOSIT_CONTRACT, Deposits.deployedBytecode])
  return node
}

/** Sends the calls, the senders taking turns, and mines one block of them. */
async function mineAny(node: Node, calls: readonly Paid[]): Promise<Block> {
  for (const [index, { to, data, value }] of calls.entries()) {
    const from = node.funded[index % 5]!.address
    await call(node, 'eth_sendTransaction', [{ from, to, data, value: toQuantity(value), gas: '0x40000' }])
  }
  return runAtOnce(node.miner.mine())
}

/** The same, of calls that succeed. */
async function mineWith(node: Node, calls: readonly Paid[]): Promise<Block> {
  const block = await mineAny(node, calls)
  expect(block.receipts.map(({ outcome }) => outcome.status)).toEqual(calls.map(() => 'success'))
  return block
}

const times = (count: number, make: (index: number) => Paid) =>
  Array.from({ length: count }, (_, index) => make(index))

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest()

describe('execution requests compared with ethereumjs', () => {
  test.each(['prague', 'osaka'] as const)(
    'have the same hash and leave the same state on %s',
    async (hardfork) => {
      const node = await requestNode(hardfork)
      const library = await LibraryChain.at(node)
      const blocks: readonly (readonly Paid[])[] = [
        [],
        [deposit(1)],
        [withdrawal(1)],
        [consolidation(1)],
        [withdrawal(2), deposit(7), consolidation(2), deposit(9), withdrawal(3)],
        // More requests of each kind than a block takes: the rest follows in later blocks, and the fee stays high meanwhile.
        [...times(20, withdrawal), ...times(5, consolidation)],
        [],
        [withdrawal(4)],
        ...Array.from({ length: 12 }, () => []),
      ]
      const hashes: unknown[] = []
      for (const calls of blocks) {
        const block = await mineWith(node, calls)
        await library.import(block)
        hashes.push(block.header.requestsHash)
      }
      const isEmpty = hashes.map((hash) => hash === NO_REQUESTS)
      expect(isEmpty.slice(0, 9)).toEqual([true, false, false, false, false, false, false, false, true])
      expect(isEmpty.at(-1)).toBe(true)
    },
  )
})

/** Calls as users make them: some pay too little, or send data of another length. */
const anyCall: fc.Arbitrary<Paid> = fc
  .tuple(fc.nat(200), fc.constantFrom(0n, 1n, 2n, 10n ** 9n), fc.nat(9))
  .chain(([fill, value, kind]) => {
    const call = kind < 4 ? withdrawal(fill, value) : consolidation(fill, value)
    return fc.constantFrom(call, call, call, deposit(fill), { ...call, data: `${call.data}00` as Hex })
  })

/** The calls of a block, and the gwei it credits. */
const anyBlock = fc.record({
  calls: fc.array(anyCall, { maxLength: 12, size: 'max' }),
  gwei: fc.array(fc.nat(1_000_000), { maxLength: 3 }),
})

describe('random requests and withdrawals', () => {
  test.each(['prague', 'osaka'] as const)('make the same blocks as the stock library on %s', (hardfork) =>
    fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { minLength: 4, maxLength: 10, size: 'max' }), async (blocks) => {
        const node = await requestNode(hardfork)
        const library = await LibraryChain.at(node)
        for (const { calls, gwei } of blocks) {
          for (const amount of gwei) {
            const address = node.funded[amount % 12]?.address ?? CONSOLIDATION_REQUESTS.address
            await call(node, 'dev_addWithdrawal', [{ index: amount, address, amount }])
          }
          await library.import(await mineAny(node, calls))
        }
      }),
      runs(2),
    ),
  )
})

describe('execution requests', () => {
  test('are hashed by type, types without requests left out (EIP-7685)', async () => {
    const node = await requestNode('osaka')
    const { header } = await mineWith(node, [withdrawal(5), consolidation(6)])
    const source = node.funded[0]!.address.slice(2)
    const other = node.funded[1]!.address.slice(2)
    // The amount is little-endian.
    const requests = [`01${source}${'05'.repeat(48)}0040597307000000`, `02${other}${'06'.repeat(96)}`].map(
      (text) => sha256(Buffer.from(text, 'hex')),
    )
    expect(header.requestsHash).toBe(`0x${sha256(Buffer.concat(requests)).toString('hex')}`)
  })

  test('are listed as the Engine API lists them', async () => {
    const node = await requestNode('osaka')
    const requestsOf = (block: string) => call(node, 'dev_getExecutionRequests', [block])
    const { hash } = await mineWith(node, [withdrawal(5), deposit(6), consolidation(7), deposit(8)])
    const [first, , third] = node.funded.map(({ address }) => address.slice(2))
    const depositOf = (fill: number, index: string) =>
      [bytes(48, fill), bytes(32, fill + 1), '0x0040597307000000', bytes(96, fill + 2), index]
        .map((field) => field.slice(2))
        .join('')
    expect(await requestsOf(hash)).toEqual([
      `0x00${depositOf(6, '0x0000000000000000')}${depositOf(8, '0x0100000000000000')}`,
      `0x01${first}${'05'.repeat(48)}0040597307000000`,
      `0x02${third}${'07'.repeat(96)}`,
    ])
    expect(await requestsOf('earliest')).toEqual([])
    expect(await requestsOf('0x9')).toBeNull()
  })

  test('are in the pending block and in simulated blocks as in the one that is mined', async () => {
    const node = await requestNode('osaka')
    const { to, data, value } = withdrawal(5)
    const request = { from: node.funded[0]!.address, to, data, value: toQuantity(value), gas: '0x40000' }
    const [simulated] = await call(node, 'eth_simulateV1', [
      { blockStateCalls: [{ calls: [request] }] },
      'latest',
    ])
    await call(node, 'eth_sendTransaction', [request])
    const pending = await call(node, 'eth_getBlockByNumber', ['pending', false])
    const { requestsHash } = runAtOnce(node.miner.mine()).header
    expect(requestsHash).not.toBe(NO_REQUESTS)
    expect([simulated.requestsHash, pending.requestsHash]).toEqual([requestsHash, requestsHash])
  })

  test.each([true, false])('are in a state file with receipts: %s', async (receipts) => {
    const [node, other] = await Promise.all([requestNode('osaka'), requestNode('osaka')])
    await mineWith(node, [...times(20, withdrawal), deposit(1)])
    const { block } = node.chain.head
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ receipts }])])
    expect(other.chain.head.block).toEqual(block)
    // The queue, too: four of the twenty are left.
    const next = [node, other].map(({ miner }) => runAtOnce(miner.mine()))
    expect(next[1]).toEqual(next[0])
    expect(next[0]!.requests![0]).toHaveLength(1 + 4 * 76)
  })

  test('are deposits at the contract that the preset names', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dev-node-'))
    const network = join(folder, 'own.json')
    const depositContract = `0x${'de'.repeat(20)}`
    await writeFile(network, JSON.stringify({ extends: 'ethereum', depositContract }))
    const node = await freshNode({ network, mining: false })
    await rm(folder, { recursive: true })
    for (const address of [DEPOSIT_CONTRACT, depositContract]) {
      await call(node, 'hardhat_setCode', [address, Deposits.deployedBytecode])
    }
    expect((await mineWith(node, [deposit(1)])).requests).toBeUndefined()
    const { requests } = await mineWith(node, [{ ...deposit(1), to: depositContract }])
    expect(requests?.map((list) => [list[0], list.length])).toEqual([[0, 1 + 192]])
  })

  test('are not made by a contract whose code was removed', async () => {
    const node = await requestNode('osaka')
    await call(node, 'hardhat_setCode', [WITHDRAWAL_REQUESTS.address, '0x'])
    const { header } = await mineWith(node, [withdrawal(1), consolidation(1)])
    const requests = sha256(Buffer.from(`02${node.funded[1]!.address.slice(2)}${'01'.repeat(96)}`, 'hex'))
    expect(header.requestsHash).toBe(`0x${sha256(requests).toString('hex')}`)
  })

  test('are none if code that replaced a contract reverts, and its changes are reverted', async () => {
    const node = await requestNode('osaka')
    // Writes slot 9, then reverts.
    await call(node, 'hardhat_setCode', [WITHDRAWAL_REQUESTS.address, '0x60016009555f5ffd'])
    const { header } = await mineWith(node, [])
    expect(header.requestsHash).toBe(NO_REQUESTS)
    expect(await call(node, 'eth_getStorageAt', [WITHDRAWAL_REQUESTS.address, '0x9', 'latest'])).toMatch(
      /^0x0+$/,
    )
  })
})

describe('a deposit whose log has another layout', () => {
  const DEPOSIT_EVENT = '649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'

  test.each([
    ['32 bytes', '6020', 'has 32 bytes, expected 576'],
    ['576 zeros', '610240', 'has its pubkey (0 bytes) at 0, expected 48 bytes at 160'],
  ])('such as %s is refused and changes nothing', async (_case, size, fault) => {
    const node = await freshNode({ network: 'ethereum', hardfork: 'osaka' })
    await call(node, 'hardhat_setCode', [DEPOSIT_CONTRACT, `0x7f${DEPOSIT_EVENT}${size}5fa100`])
    const from = node.funded[0]!.address
    const before = await call(node, 'eth_getBalance', [from, 'latest'])
    expect(
      await refusal(node, 'eth_sendTransaction', [{ from, to: DEPOSIT_CONTRACT, gas: '0x40000' }]),
    ).toEqual({
      kind: 'transactionRejected',
      message: `transaction cannot be executed: a deposit log of ${DEPOSIT_CONTRACT} ${fault}`,
    })
    expect(node.mempool.size).toBe(0)
    expect(await call(node, 'eth_getBalance', [from, 'latest'])).toBe(before)
    expect(await call(node, 'eth_getTransactionCount', [from, 'latest'])).toBe('0x0')
  })
})
