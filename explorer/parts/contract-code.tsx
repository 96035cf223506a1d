/** The code of a contract: its sources where they are known, and its instructions. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Contract } from '../client/contracts.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { linkTo } from '../client/query.ts'
import { disassembled } from '../format/disassembly.ts'
import type { PartProps } from './account-transactions.tsx'
import { ChainText } from './chain-text.tsx'
import { Hex } from './hex.tsx'
import { LongTable } from './long-table.tsx'
import { Count, Fields, Showing } from './page-parts.tsx'
import { SourceView } from './source-view.tsx'
import './address.css'

interface CodeProps extends PartProps {
  readonly code: string
  readonly contract: Contract | null
}

export function ContractCode({ address, code, query, contract }: CodeProps): VNode {
  const sources = useLoaded(() => ask('dev_contractSources', address), [`${address} ${code}`])
  const path = `/address/${address}/code`
  const isBelow = new URLSearchParams(query).get('show') === 'instructions'
  return (
    <Showing of={sources}>
      {(found) => {
        const hasSources = found?.some(({ content }) => content !== undefined) === true
        return (
          <>
            {hasSources ? (
              <nav class="choice" aria-label="Forms of the code">
                <a href={linkTo(path, {})} aria-current={isBelow ? undefined : 'true'}>
                  Sources
                </a>
                <a href={linkTo(path, { show: 'instructions' })} aria-current={isBelow ? 'true' : undefined}>
                  Instructions
                </a>
              </nav>
            ) : (
              <p class="quiet">
                The sources are not known: no artifacts of the node have this code. These are its
                instructions.
              </p>
            )}
            {hasSources && !isBelow ? (
              found.map((source, index) => (
                <Source key={source.id} {...source} contract={contract} isOpen={index === 0} />
              ))
            ) : (
              <Instructions code={code} />
            )}
          </>
        )
      }}
    </Showing>
  )
}

interface SourceProps {
  readonly path: string
  readonly content?: string | undefined
  readonly contract: Contract | null
  readonly isOpen: boolean
}

/** A source, rendered when it is first opened. */
function Source({ path, content, contract, isOpen }: SourceProps): VNode {
  const [isShown, setShown] = useState(isOpen)
  return (
    <details open={isOpen} onToggle={(event) => event.currentTarget.open && setShown(true)}>
      <summary>
        <ChainText text={path} />
      </summary>
      {content === undefined ? (
        <p class="quiet">The text of this source is not known.</p>
      ) : (
        isShown && <SourceView path={path} content={content} mark={lineOfContract(content, contract)} />
      )}
    </details>
  )
}

/** The line on which a contract, or the one behind a proxy, is declared. */
function lineOfContract(content: string, contract: Contract | null): number | undefined {
  const names = [contract?.name, contract?.implementation?.name].filter((name) => name !== undefined)
  const declared = content
    .split('\n')
    .map((line) => /^(?:abstract )?(?:contract|library) (\w+)/.exec(line)?.[1] ?? '')
  const index = declared.findIndex((name) => names.includes(name))
  return index === -1 ? undefined : index + 1
}

let names: Promise<readonly (string | null)[]> | undefined

function Instructions({ code }: { readonly code: string }): VNode {
  names ??= ask('dev_instructions')
  const known = useLoaded(() => names ?? Promise.resolve([]), ['instructions'])
  return (
    <Showing of={known}>
      {(table) => {
        const { instructions, metadataBytes } = disassembled(code, table)
        return (
          <>
            <Fields
              rows={[
                ['Code', <Hex value={code} />],
                ['Instructions', <Count of={instructions.length} />],
                [
                  'Metadata of the compiler',
                  metadataBytes === 0 ? undefined : `${metadataBytes} bytes after them`,
                ],
              ]}
            />
            <LongTable
              class="instructions"
              items={instructions}
              label="Instructions"
              head={
                <>
                  <th class="number">Position</th>
                  <th>Instruction</th>
                  <th>Pushes</th>
                </>
              }
            >
              {({ pc, name, data }) => (
                <>
                  <td class="number">{pc}</td>
                  <td>{name}</td>
                  <td class="value">{data}</td>
                </>
              )}
            </LongTable>
          </>
        )
      }}
    </Showing>
  )
}
