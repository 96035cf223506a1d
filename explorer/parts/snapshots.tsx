/** The snapshots of the chain as a tree: to take, name, revert to and drop. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { Action } from './action.tsx'
import { ChainText } from './chain-text.tsx'
import { Field } from './field.tsx'
import type { PartProps } from './field.tsx'
import { BlockLink } from './hex.tsx'
import { Showing } from './page-parts.tsx'

/** A snapshot as the node lists it. */
export type Snapshot = Awaited<ReturnType<typeof ask<'dev_snapshots'>>>[number]

export const nameOfSnapshot = ({ id, name }: Snapshot): string => name ?? id

export function Snapshots({ version, changed }: PartProps): VNode {
  const snapshots = useLoaded(() => ask('dev_snapshots'), ['snapshots', version])
  return (
    <>
      <Action
        label="Take a snapshot"
        run={async (given) => {
          const name = given('name')
          await ask('evm_snapshot', ...(name === '' ? [] : [{ name }]))
          changed()
          return undefined
        }}
      >
        <Field name="name" label="Name of the snapshot (optional)" />
      </Action>
      <Showing of={snapshots}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">No snapshots.</p>
          ) : (
            <ul class="tree">
              <Branches all={all} of={undefined} changed={changed} />
            </ul>
          )
        }
      </Showing>
    </>
  )
}

interface BranchesProps extends Pick<PartProps, 'changed'> {
  readonly all: readonly Snapshot[]
  /** Id of the parent; undefined for the roots: snapshots whose parent is not here. */
  readonly of: string | undefined
}

function Branches({ all, of, changed }: BranchesProps): VNode {
  const ids = new Set(all.map(({ id }) => id))
  const here = all.filter(({ parent }) =>
    of === undefined ? parent === null || !ids.has(parent) : parent === of,
  )
  return (
    <>
      {here.map((one) => (
        <li key={one.id}>
          <SnapshotRow of={one} changed={changed} />
          {all.some(({ parent }) => parent === one.id) && (
            <ul>
              <Branches all={all} of={one.id} changed={changed} />
            </ul>
          )}
        </li>
      ))}
    </>
  )
}

function SnapshotRow({ of, changed }: Pick<PartProps, 'changed'> & { readonly of: Snapshot }): VNode {
  const name = nameOfSnapshot(of)
  return (
    <div class="snapshot">
      <b>
        <ChainText text={name} />
      </b>
      <span>
        block <BlockLink number={Number(of.blockNumber)} />
      </span>
      <time class="quiet" dateTime={of.time}>
        {of.time}
      </time>
      <Action
        label="Revert"
        of={`to ${name}`}
        run={async (given) => {
          await ask('evm_revert', of.id, { keep: given('keep') === 'on' })
          changed()
          return `Reverted to block ${Number(of.blockNumber)}.`
        }}
      >
        <label>
          <input type="checkbox" name="keep" /> keep later ones
        </label>
      </Action>
      <Action
        label="Drop"
        of={name}
        run={async () => {
          await ask('dev_dropSnapshot', of.id)
          changed()
          return undefined
        }}
      />
    </div>
  )
}
