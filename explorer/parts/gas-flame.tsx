/** The gas of a transaction as a flame graph, and the lines that used most. */

import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { treeOf } from '../format/folded-gas.ts'
import { ChainText } from './chain-text.tsx'
import { Count, Fields, Section, Showing } from './page-parts.tsx'
import './gas-flame.css'
import './debug-controls.css'

type Profile = NonNullable<RpcMethods['dev_profile']['result']>

export function GasFlame({ hash }: { readonly hash: string }): VNode {
  const profile = useLoaded(() => ask('dev_profile', hash), [hash])
  return (
    <Showing of={profile}>
      {(found) =>
        found === null ? (
          <p class="quiet">The transaction is in no block yet.</p>
        ) : (
          <>
            <Section title="Gas by call">
              <FlameGraph folded={found.folded} />
            </Section>
            <Lines profile={found} />
          </>
        )
      }
    </Showing>
  )
}

function FlameGraph({ folded }: { readonly folded: string }): VNode {
  const frame = useRef<HTMLDivElement>(null)
  const [message, setMessage] = useState('')
  const [drawn, setDrawn] = useState(0)
  useEffect(() => {
    const element = frame.current
    let isWanted = true
    let remove = (): void => undefined
    if (element === null) return
    import('./flame-chart.ts').then(
      ({ drawFlameGraph }) => {
        if (isWanted) remove = drawFlameGraph(element, treeOf(folded, 'transaction'))
      },
      () => setMessage('The flame graph could not be loaded; the table below has the same gas by line.'),
    )
    return () => {
      isWanted = false
      remove()
    }
  }, [folded, drawn])
  return (
    <>
      <p class="quiet controls">
        The width of a function is its gas, with that of the functions below it, which it calls. A click or
        Enter enlarges it, arrow keys move.
        <button type="button" onClick={() => setDrawn(drawn + 1)}>
          Show all
        </button>
      </p>
      <div
        class="flame"
        ref={frame}
        role="group"
        aria-label="Flame graph of gas; the table of lines follows"
      />
      {message !== '' && (
        <p class="error" role="alert">
          {message}
        </p>
      )}
    </>
  )
}

/** Lines that are shown. */
const SHOWN = 50

const Lines = ({ profile }: { readonly profile: Profile }): VNode => (
  <Section title="Gas by line">
    <Fields
      rows={[
        ['Gas used', <Count of={profile.gasUsed} />],
        ['Before execution', <Count of={profile.intrinsicGas} />],
        ['Refund', profile.refund === 0 ? undefined : <Count of={profile.refund} />],
        ['Minimum for data', profile.floorGas === 0 ? undefined : <Count of={profile.floorGas} />],
      ]}
    />
    {profile.lines.length === 0 ? (
      <p class="quiet">The transaction executed no code.</p>
    ) : (
      <table>
        <thead>
          <tr>
            <th class="number">Gas</th>
            <th>Place</th>
            <th>Line</th>
          </tr>
        </thead>
        <tbody>
          {profile.lines.slice(0, SHOWN).map(({ gas, file, line, title, excerpt }, index) => (
            <tr key={index}>
              <td class="number">
                <Count of={gas} />
              </td>
              <td class="value">
                <ChainText text={title ?? [file, line].filter((part) => part !== undefined).join(':')} />
              </td>
              <td class="value hex">{excerpt !== undefined && <ChainText text={excerpt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {profile.lines.length > SHOWN && (
      <p class="quiet">
        The {SHOWN} lines that used most of {profile.lines.length}.
      </p>
    )}
  </Section>
)
