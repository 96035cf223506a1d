/** Contracts whose names, or the names of whose functions, contain a text. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { usePageTitle } from '../client/page-title.ts'
import { ChainText } from '../parts/chain-text.tsx'
import { AddressLink } from '../parts/hex.tsx'
import { Showing } from '../parts/page-parts.tsx'

export function SearchPage({ text }: { readonly text: string }): VNode {
  usePageTitle(`Search: ${text}`)
  const search = useLoaded(() => ask('dev_findContracts', text), [text, chainVersion.value])
  return (
    <>
      <h1>
        <span>
          Contracts with “<ChainText text={text} />”
        </span>
      </h1>
      <Showing of={search}>
        {({ contracts, hasMore }) =>
          contracts.length === 0 ? (
            <p class="quiet">
              No contract and no function has this name. The names come from the artifacts of the compiler,
              and from dev_addContract.
            </p>
          ) : (
            <>
              <table>
                <thead>
                  <tr>
                    <th>Contract</th>
                    <th>Address</th>
                    <th>Functions</th>
                  </tr>
                </thead>
                <tbody>
                  {contracts.map(({ address, name, functions }) => (
                    <tr key={address}>
                      <td>
                        <ChainText text={name} />
                      </td>
                      <td>
                        <AddressLink value={address} />
                      </td>
                      <td>
                        <ChainText text={functions.join(', ')} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {hasMore && <p class="quiet">There are more; a longer part of the name finds fewer.</p>}
            </>
          )
        }
      </Showing>
    </>
  )
}
