/** The slots of a contract that are not zero, page by page, in the order of their hashes. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { linkTo } from '../client/query.ts'
import { Hex } from './hex.tsx'
import { Showing } from './page-parts.tsx'

/** Slots of a page. */
const PAGE = 100

async function slotsOf(address: string, from: string) {
  const block = await ask('eth_getBlockByNumber', 'latest', false)
  if (block === null) throw new Error('the chain has no newest block')
  // After all transactions of the block.
  return ask('debug_storageRangeAt', block.hash ?? 'latest', block.transactions.length, address, from, PAGE)
}

/** Where the list of slots begins. */
export const FIRST_SLOT = '0x00'

interface SlotsProps {
  readonly address: string
  /** Hash of the first slot of the page. */
  readonly from: string
}

export function StorageSlots({ address, from }: SlotsProps): VNode {
  const path = `/address/${address}/storage`
  const found = useLoaded(() => slotsOf(address, from), [`${address} ${from}`, calmVersion.value])
  return (
    <Showing of={found}>
      {({ storage, nextKey }) => {
        const slots = Object.values(storage)
        return slots.length === 0 ? (
          <p class="quiet">All slots of the contract are zero.</p>
        ) : (
          <>
            <table>
              <thead>
                <tr>
                  <th>Slot</th>
                  <th>Word</th>
                </tr>
              </thead>
              <tbody>
                {slots.map(({ key, value }) => (
                  <tr key={key}>
                    <td>
                      <Hex value={key} isWhole />
                    </td>
                    <td>
                      <Hex value={value} isWhole />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <nav class="steps" aria-label="Pages of slots">
              {from !== FIRST_SLOT && <a href={linkTo(path, { by: 'slot' })}>First</a>}
              {nextKey !== null && <a href={linkTo(path, { by: 'slot', from: nextKey })}>Next →</a>}
            </nav>
          </>
        )
      }}
    </Showing>
  )
}
