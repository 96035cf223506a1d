import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../lib/base/hex.ts'
import { blockSize } from '../../lib/chain/block.ts'
import type { OptionsInput } from '../../lib/config/options.ts'
import { loadContracts } from '../support/contracts.ts'
import { LibraryChain, libraryForm, ranBlock, stockCommon } from '../support/library-chain.ts'
import { freshNode } from '../support/node.ts'
import { Playground, anyTransaction, runs } from '../support/transaction-steps.ts'
import type { TransactionStep } from '../support/transaction-steps.ts'

const FORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const

const NETWORKS: readonly (readonly [name: string, options: OptionsInput])[] = [
  ['network-33', { network: 'network-33' }],
  ...FORKS.map((hardfork) => [`ethereum ${hardfork}`, { network: 'ethereum', hardfork }] as const),
]

const contracts = await loadContracts()
const program = fc.array(anyTransaction(), { minLength: 10, maxLength: 50, size: 'max' })

/** Plays the steps on a node and on the stock library and compares every block. */
async function compare(options: OptionsInput, steps: readonly TransactionStep[]): Promise<void> {
  const node = await freshNode(options)
  const library = await LibraryChain.at(node)
  expect(await library.stateRoot()).toBe(node.chain.head.state.hash)
  const playground = await Playground.on(node, contracts)
  expect(await library.run(node.chain.head.block)).toEqual(ranBlock(node.chain.head.block))
  for await (const block of playground.blocks(steps)) {
    expect(ranBlock(block)).toEqual(await library.run(block))
    const form = libraryForm(block, stockCommon(node.network))
    if (node.network.kind !== 'ethereum') continue
    expect(block.hash).toBe(toHex(form.hash()))
    expect(blockSize(block)).toBe(form.serialize().length)
  }
}

describe('transactions of a node beside the stock library', () => {
  test.each(NETWORKS)(
    'have the same gas, status, logs, answers and roots on %s',
    async (_name, options) => {
      await fc.assert(
        fc.asyncProperty(program, (steps) => compare(options, steps)),
        runs(8),
      )
    },
    60_000,
  )
})
