import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from '../../lib/base/hex.ts'
import { nextExcessBlobGas } from '../../lib/chain/fees.ts'
import { blockSize } from '../../lib/chain/raw-forms.ts'
import { activeEips } from '../../lib/config/active-eips.ts'
import { LIBRARY_HARDFORKS } from '../support/machine-runs.ts'
import type { Hardfork } from '../../lib/config/eips.ts'
import { loadContracts } from '../support/contracts.ts'
import { LibraryChain, ranBlock, stockCommon } from '../support/library-chain.ts'
import { libraryBlock } from '../../lib/modules/cross-check/ethereumjs/ethereumjs.ts'
import { freshNode } from '../support/node.ts'
import { Playground, anyTransaction, runs } from '../support/transaction-steps.ts'
import type { TransactionStep } from '../support/transaction-steps.ts'

const contracts = await loadContracts()
const program = fc.array(anyTransaction(), { minLength: 10, maxLength: 50, size: 'max' })

/** Runs the steps on a node and on the stock library, and compares every block. */
async function compare(hardfork: Hardfork, steps: readonly TransactionStep[]): Promise<void> {
  const node = await freshNode({ network: 'ethereum', hardfork })
  const library = await LibraryChain.at(node)
  const common = stockCommon(node.network)
  const schedule = activeEips({ ownEips: undefined, hardfork, eips: [] }).blobs
  expect(await library.stateRoot()).toBe(node.chain.head.state.hash)
  const playground = await Playground.on(node, contracts)
  expect(await library.run(node.chain.head.block)).toEqual(ranBlock(node.chain.head.block))
  for await (const block of playground.blocks(steps)) {
    expect(ranBlock(block)).toEqual(await library.run(block))
    const form = libraryBlock(block, common)
    expect(block.hash).toBe(toHex(form.hash()))
    expect(blockSize(block)).toBe(form.serialize().length)
    if (schedule !== undefined) {
      expect(nextExcessBlobGas(block.header, schedule)).toBe(form.header.calcNextExcessBlobGas(form.common))
    }
  }
}

describe('transactions of a node compared with ethereumjs', () => {
  test.each(LIBRARY_HARDFORKS)(
    'have the same gas, status, logs, return data and roots on %s',
    async (hardfork) => {
      await fc.assert(
        fc.asyncProperty(program, (steps) => compare(hardfork, steps)),
        // A run has up to 50 transactions, and each tier makes one.
        runs(1),
      )
    },
  )
})
