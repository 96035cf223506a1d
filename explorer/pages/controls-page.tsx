/** Controls of the chain: blocks, time, mining, pool, snapshots, worlds. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { TransactionObject } from '../../lib/embedded/rpc-types.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { Action } from '../parts/action.tsx'
import { BlockLink } from '../parts/hex.tsx'
import { Section, Showing } from '../parts/page-parts.tsx'
import { TransactionTable } from '../parts/transaction-table.tsx'

export function ControlsPage(): VNode {
  // A change of the chain is noticed by itself; what a button changes besides is loaded again.
  const [changes, setChanges] = useState(0)
  const version = `${chainVersion.value} ${changes}`
  const changed = (): void => setChanges((count) => count + 1)
  return (
    <>
      <h1>Controls</h1>
      <Section title="Blocks and time">
        <Action label="Mine" run={mine}>
          <Field name="blocks" label="Blocks" value="1" />
        </Action>
        <Action label="Increase the time" run={increaseTime}>
          <Field name="seconds" label="Seconds" value="3600" />
        </Action>
        <Automine version={version} changed={changed} />
      </Section>
      <Section title="Pool">
        <Pool version={version} />
      </Section>
      <Section title="Snapshots">
        <Snapshots version={version} changed={changed} />
      </Section>
      <Section title="Worlds">
        <Worlds version={version} changed={changed} />
      </Section>
    </>
  )
}

const Field = ({
  name,
  label,
  value,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
}): VNode => (
  <label>
    {label} <input name={name} defaultValue={value} autocomplete="off" />
  </label>
)

async function mine(given: (name: string) => string): Promise<undefined> {
  await ask('hardhat_mine', given('blocks'))
}

async function increaseTime(given: (name: string) => string): Promise<string> {
  await ask('evm_increaseTime', given('seconds'))
  return 'The next block has the later time.'
}

interface PartProps {
  readonly version: string
  readonly changed: () => void
}

function Automine({ version, changed }: PartProps): VNode {
  const isOn = useLoaded(() => ask('hardhat_getAutomine'), ['automine', version])
  return (
    <Showing of={isOn}>
      {(on) => (
        <Action
          label={on ? 'Stop mining each transaction' : 'Mine each transaction'}
          run={async () => {
            await ask('evm_setAutomine', !on)
            changed()
            return undefined
          }}
        />
      )}
    </Showing>
  )
}

function Pool({ version }: { readonly version: string }): VNode {
  const pool = useLoaded(pooled, ['pool', version])
  return (
    <Showing of={pool}>
      {({ pending, queued }) => (
        <>
          {pending.length === 0 && queued.length === 0 && <p class="quiet">No transaction waits.</p>}
          {pending.length > 0 && <TransactionTable transactions={pending} />}
          {queued.length > 0 && (
            <>
              <p>These wait for a transaction of their sender with an earlier nonce:</p>
              <TransactionTable transactions={queued} />
            </>
          )}
        </>
      )}
    </Showing>
  )
}

interface Pooled {
  readonly pending: readonly TransactionObject[]
  readonly queued: readonly TransactionObject[]
}

/** Transactions by sender and nonce; the reference node lists those of a nonce. */
type PoolPart = Readonly<
  Record<string, Readonly<Record<string, TransactionObject | readonly TransactionObject[]>>>
>

async function pooled(): Promise<Pooled> {
  const { pending, queued } = await ask('txpool_content')
  const all = (bySender: PoolPart): readonly TransactionObject[] =>
    Object.values(bySender).flatMap((byNonce) => Object.values(byNonce).flat())
  return { pending: all(pending), queued: all(queued) }
}

function Snapshots({ version, changed }: PartProps): VNode {
  const snapshots = useLoaded(() => ask('node_snapshots'), ['snapshots', version])
  const then = (action: () => Promise<unknown>) => async (): Promise<undefined> => {
    await action()
    changed()
  }
  return (
    <>
      <Action label="Take a snapshot" run={then(() => ask('evm_snapshot'))} />
      <Showing of={snapshots}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">No snapshots.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th>Snapshot</th>
                  <th>Block</th>
                  <th>Taken after</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {all.map(({ id, name, blockNumber, parent }) => (
                  <tr key={id}>
                    <td>
                      <bdi>{name ?? id}</bdi>
                    </td>
                    <td>
                      <BlockLink number={Number(blockNumber)} />
                    </td>
                    <td>{parent ?? '–'}</td>
                    <td class="actions">
                      <Action label="Revert" run={then(() => ask('evm_revert', id))} />
                      <Action label="Drop" run={then(() => ask('node_dropSnapshot', id))} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Showing>
    </>
  )
}

function Worlds({ version, changed }: PartProps): VNode {
  const worlds = useLoaded(() => ask('node_worlds'), ['worlds', version])
  return (
    <>
      <Action
        label="Open a world"
        run={async (given) => {
          await ask('node_createWorld', { id: given('id') })
          changed()
          return undefined
        }}
      >
        <Field name="id" label="Name" value="" />
      </Action>
      <Showing of={worlds}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">No worlds but this chain.</p>
          ) : (
            <table>
              <thead>
                <tr>
                  <th>World</th>
                  <th>Block</th>
                  <th>Created</th>
                </tr>
              </thead>
              <tbody>
                {all.map(({ id, path, blockNumber, time }) => (
                  <tr key={id}>
                    <td>
                      <a href={path}>{id}</a>
                    </td>
                    <td>{Number(blockNumber)}</td>
                    <td>{time}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Showing>
    </>
  )
}
