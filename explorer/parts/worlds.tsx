/** The worlds of the node: to open, to make from a snapshot, to delete. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { defaultPath, pathOfWorld, worldHere } from '../client/paths.ts'
import { Action } from './action.tsx'
import { Field } from './field.tsx'
import type { PartProps } from './field.tsx'
import { Showing } from './page-parts.tsx'
import { nameOfSnapshot } from './snapshots.tsx'

export function Worlds({ version, changed }: PartProps): VNode {
  const worlds = useLoaded(() => ask('dev_worlds'), ['worlds', version])
  return (
    <>
      {worldHere !== undefined && (
        <p>
          This page shows world {worldHere}. <a href={`${defaultPath}#/controls`}>Go to the default chain</a>
        </p>
      )}
      <NewWorld version={version} changed={changed} />
      <Showing of={worlds}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">No worlds but this chain.</p>
          ) : (
            <WorldTable worlds={all} changed={changed} />
          )
        }
      </Showing>
    </>
  )
}

function NewWorld({ version, changed }: PartProps): VNode {
  // A world is made from the default chain, so only its page offers its snapshots.
  const snapshots = useLoaded(
    async () => (worldHere === undefined ? ask('dev_snapshots') : []),
    ['snapshots', version],
  )
  return (
    <Action
      label="Open a world"
      isPrimary
      run={async (given) => {
        const [id, from] = [given('id'), given('from')]
        await ask('dev_createWorld', { ...(id === '' ? {} : { id }), ...(from === '' ? {} : { from }) })
        changed()
        return undefined
      }}
    >
      <Field name="id" label="World name" />
      <label>
        <span>From</span>
        <select name="from">
          <option value="">head of the default chain</option>
          {snapshots.state === 'loaded' &&
            snapshots.value.map((one) => (
              <option key={one.id} value={one.id}>
                snapshot {nameOfSnapshot(one)}
              </option>
            ))}
        </select>
      </label>
    </Action>
  )
}

interface WorldTableProps extends Pick<PartProps, 'changed'> {
  readonly worlds: Awaited<ReturnType<typeof ask<'dev_worlds'>>>
}

const WorldTable = ({ worlds, changed }: WorldTableProps): VNode => (
  <div class="wide">
    <table>
      <thead>
        <tr>
          <th>World</th>
          <th>Network</th>
          <th class="number">Block</th>
          <th>Created</th>
          <th>Actions</th>
        </tr>
      </thead>
      <tbody>
        {worlds.map(({ id, blockNumber, time, network, hardfork, chainId }) => (
          <tr key={id}>
            <td>{id === worldHere ? `${id} (this page)` : <a href={pathOfWorld(id)}>{id}</a>}</td>
            <td>
              {network}, {hardfork}, id {Number(chainId)}
            </td>
            <td class="number">{Number(blockNumber)}</td>
            <td>{time}</td>
            <td>
              {id !== worldHere && (
                <Action
                  label="Delete"
                  of={`world ${id}`}
                  drops={() => `Its ${Number(blockNumber)} blocks and its snapshots are lost.`}
                  run={async () => {
                    await ask('dev_deleteWorld', id)
                    changed()
                    return undefined
                  }}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
