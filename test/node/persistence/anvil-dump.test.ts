/** The text of a state of Anvil. That Anvil loads it is tested in anvil-state.test.ts. */

import { describe, expect, test } from '@jest/globals'
import { ChainEntry } from '../../../lib/chain/chain-entry.ts'
import type { Header } from '../../../lib/networks/consensus/consensus.ts'
import type { OptionsInput } from '../../../lib/modules/options.ts'
import { anvilStateTexts } from '../../../lib/node/persistence/anvil-state.ts'
import { call, freshNode } from '../../support/node.ts'

/** The head of a node, its header with other members. */
async function written(options: OptionsInput, changes: Partial<Header> = {}): Promise<any> {
  const { chain, network } = await freshNode({ network: 'ethereum', ...options })
  const { block, state, parent } = chain.head
  const changed = { ...block, header: { ...block.header, ...changes } }
  const entry = new ChainEntry({ block: changed, state, parent })
  return JSON.parse([...anvilStateTexts(entry, network)].join(''))
}

describe('the text of a state of Anvil', () => {
  test.each([
    ['cancun', 0n, 1],
    // e^(excess / fraction) of EIP-4844, and with the fraction of EIP-7691.
    ['cancun', 3_338_477n * 10n, 22026],
    ['prague', 5_007_716n * 10n, 22026],
  ])('has the blob gas price of %s for an excess of %d', async (hardfork, excessBlobGas, price) => {
    const { block } = await written({ hardfork } as OptionsInput, { excessBlobGas })
    expect(block.blob_excess_gas_and_price).toEqual({
      excess_blob_gas: Number(excessBlobGas),
      blob_gasprice: price,
    })
  })

  test('has no blob gas before Cancun', async () => {
    expect((await written({ hardfork: 'shanghai' })).block.blob_excess_gas_and_price).toBeNull()
  })

  test('is made in short pieces, however much storage a contract has', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const { network, chain } = node
    const contract = `0x${'c0'.repeat(20)}`
    for (let slot = 0; slot < 2000; slot++) {
      const [position, word] = [slot, 1].map((value) => `0x${value.toString(16).padStart(64, '0')}`)
      await call(node, 'hardhat_setStorageAt', [contract, position, word])
    }
    const pieces = [...anvilStateTexts(chain.head, network)]
    expect(Object.keys(JSON.parse(pieces.join('')).accounts[contract].storage)).toHaveLength(2000)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(50_000)
  })
})
