/** dev_addWithdrawal, and withdrawals in blocks, results and encodings (EIP-4895). */

import { runAtOnce } from '../../lib/base/routine.ts'
import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { blockSize } from '../../lib/chain/raw-forms.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { LibraryChain, stockCommon } from '../support/library-chain.ts'
import { libraryBlock } from '../../lib/modules/cross-check/ethereumjs/ethereumjs.ts'
import { call, freshNode, refusal } from '../support/node.ts'

const RECEIVER = `0x${'5a'.repeat(20)}`

/** SHA-3 root of no withdrawals. */
const NO_WITHDRAWALS_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

const ethereum = (options: OptionsInput = {}): Promise<Node> =>
  freshNode({ network: 'ethereum', genesisTimestamp: '1700000000', ...options })

/** A withdrawal of an amount of gwei. */
const withdrawal = (index: number, gwei = 3, address = RECEIVER) => ({
  index: `0x${index.toString(16)}`,
  validatorIndex: '0x2a',
  address,
  amount: `0x${gwei.toString(16)}`,
})

const add = (node: Node, ...withdrawals: readonly object[]) =>
  Promise.all(withdrawals.map((one) => call(node, 'dev_addWithdrawal', [one])))

const balanceOf = async (node: Node, address = RECEIVER, block = 'latest') =>
  BigInt(await call(node, 'eth_getBalance', [address, block]))

describe('withdrawals compared with ethereumjs', () => {
  test.each(['shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'give the same root, hash, size and state on %s',
    async (hardfork) => {
      const node = await ethereum({ hardfork })
      const library = await LibraryChain.at(node)
      const funded = node.funded[0]!.address
      const lists = [
        [withdrawal(0)],
        [],
        [withdrawal(1, 2 ** 40), withdrawal(2, 0, `0x${'77'.repeat(20)}`), withdrawal(3, 5, funded)],
        Array.from({ length: 16 }, (_, index) => withdrawal(4 + index, 1 + index)),
      ]
      for (const list of lists) {
        await add(node, ...list)
        await call(node, 'eth_sendTransaction', [{ from: funded, to: RECEIVER, value: '0x1' }])
        const { block } = node.chain.head
        const encoded = libraryBlock(block, stockCommon(node.network)).serialize()
        expect(blockSize(block)).toBe(encoded.length)
        expect(await call(node, 'debug_getRawBlock', ['latest'])).toBe(toHex(encoded))
        await library.import(block)
      }
      // 19 gwei amounts and the wei of four transfers.
      expect(await balanceOf(node)).toBe((3n + 2n ** 40n + 136n) * 10n ** 9n + 4n)
    },
  )
})

describe('dev_addWithdrawal', () => {
  test('adds the withdrawal to the next block only', async () => {
    const node = await ethereum()
    expect(await add(node, withdrawal(7))).toEqual([null])
    expect(await balanceOf(node)).toBe(0n)
    await call(node, 'evm_mine', [])
    await call(node, 'evm_mine', [])
    const [first, second] = await Promise.all(
      ['0x1', '0x2'].map((number) => call(node, 'eth_getBlockByNumber', [number, false])),
    )
    expect(first.withdrawals).toEqual([withdrawal(7)])
    expect(first.withdrawalsRoot).not.toBe(NO_WITHDRAWALS_ROOT)
    expect(second).toMatchObject({ withdrawals: [], withdrawalsRoot: NO_WITHDRAWALS_ROOT })
    expect(await call(node, 'eth_getBlockByHash', [first.hash, true])).toEqual(first)
    expect(await balanceOf(node)).toBe(3n * 10n ** 9n)
  })

  test('changes the pending block and its state', async () => {
    const node = await ethereum()
    const before = await call(node, 'eth_getBlockByNumber', ['pending', false])
    await add(node, withdrawal(1))
    const pending = await call(node, 'eth_getBlockByNumber', ['pending', false])
    expect([before.withdrawals, pending.withdrawals]).toEqual([[], [withdrawal(1)]])
    expect(await balanceOf(node, RECEIVER, 'pending')).toBe(3n * 10n ** 9n)
  })

  test('refuses a seventeenth withdrawal', async () => {
    const node = await ethereum()
    await add(node, ...Array.from({ length: 16 }, (_, index) => withdrawal(index)))
    expect(await refusal(node, 'dev_addWithdrawal', [withdrawal(16)])).toEqual({
      kind: 'limitExceeded',
      message: 'withdrawal queue full: the next block contains 16 withdrawals already',
    })
    await call(node, 'evm_mine', [])
    await add(node, withdrawal(16))
  })

  test.each([
    [
      { network: 'ethereum', hardfork: 'paris' } as const,
      'blocks of ethereum (paris) contain no withdrawals',
    ],
    [{ network: 'network-33' } as const, 'blocks of network-33 contain no withdrawals'],
  ])('is refused under %j', async (options, reason) => {
    const { kind, message } = await refusal(await freshNode(options), 'dev_addWithdrawal', [withdrawal(0)])
    expect([kind, message]).toEqual([
      'invalidParams',
      `params[0] (withdrawal): ${reason}; they came with shanghai (EIP-4895)`,
    ])
  })

  test.each([
    [{ ...withdrawal(0), amount: undefined }],
    [{ ...withdrawal(0), address: '0x1' }],
    [{ ...withdrawal(0), amount: `0x1${'00'.repeat(8)}` }],
    [{ ...withdrawal(0), validator: '0x1' }],
    [[]],
  ])('refuses %j', async (given) => {
    expect(await refusal(await ethereum(), 'dev_addWithdrawal', [given])).toMatchObject({
      kind: 'invalidParams',
    })
  })
})

describe('a withdrawal', () => {
  test.each([true, false])('mined or queued is in a dumped state, with receipts: %s', async (receipts) => {
    const [node, other] = [await ethereum(), await ethereum()]
    await add(node, withdrawal(0))
    await call(node, 'eth_sendTransaction', [{ from: node.funded[0]!.address, to: RECEIVER, value: '0x1' }])
    await add(node, withdrawal(1))
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState', [{ receipts }])])
    expect(other.chain.head.block).toEqual(node.chain.head.block)
    const next = [node, other].map(({ miner }) => runAtOnce(miner.mine()))
    expect(next[1]).toEqual(next[0])
    expect(await balanceOf(other)).toBe(6n * 10n ** 9n + 1n)
  })

  test('is in the first block of a long run', async () => {
    const node = await ethereum()
    await add(node, withdrawal(0))
    await call(node, 'hardhat_mine', ['0xf4240'])
    const listsOf = async (number: string) =>
      (await call(node, 'eth_getBlockByNumber', [number, false])).withdrawals
    expect(await Promise.all(['0x1', '0x2', '0x3e8', '0xf4240'].map(listsOf))).toEqual([
      [withdrawal(0)],
      [],
      [],
      [],
    ])
    expect(await balanceOf(node)).toBe(3n * 10n ** 9n)
  })
})

describe('eth_simulateV1', () => {
  const simulate = (node: Node, ...blockStateCalls: readonly object[]) =>
    call(node, 'eth_simulateV1', [{ blockStateCalls }, 'latest'])

  test('credits the withdrawals of a block after its calls', async () => {
    const node = await ethereum()
    const withdrawals = [withdrawal(0), withdrawal(1, 4)]
    const spend = { from: RECEIVER, to: `0x${'66'.repeat(20)}`, value: '0x77359400' }
    const [first, second] = await simulate(node, { blockOverrides: { withdrawals } }, { calls: [spend] })
    expect([first.withdrawals, second.withdrawals]).toEqual([withdrawals, []])
    const early = [{ blockStateCalls: [{ blockOverrides: { withdrawals }, calls: [spend] }] }, 'latest']
    expect(await refusal(node, 'eth_simulateV1', early)).toMatchObject({ kind: 'insufficientFunds' })
    expect(second.calls[0].status).toBe('0x1')
    await add(node, ...withdrawals)
    expect(runAtOnce(node.miner.mine()).header.withdrawalsRoot).toBe(first.withdrawalsRoot)
  })

  test('refuses withdrawals on a network without them', async () => {
    const overrides = { blockOverrides: { withdrawals: [withdrawal(0)] } }
    for (const options of [{}, { network: 'ethereum', hardfork: 'london' } as const]) {
      const node = await freshNode(options)
      expect(
        await refusal(node, 'eth_simulateV1', [{ blockStateCalls: [overrides] }, 'latest']),
      ).toMatchObject({
        kind: 'invalidParams',
      })
      expect(await simulate(node, { blockOverrides: { withdrawals: [] } })).toHaveLength(1)
    }
  })
})
