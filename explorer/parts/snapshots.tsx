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
        isPrimary
        run={async (given) => {
          const name = given('name')
          await ask('evm_snapshot', ...(name === '' ? [] : [{ name }]))
          changed()
          return undefined
        }}
      >
        <Field name="name" label="Snapshot name" unit="optional" />
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
          <SnapshotRow all={all} of={one} changed={changed} />
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

interface RowProps extends Pick<PartProps, 'changed'> {
  readonly all: readonly Snapshot[]
  readonly of: Snapshot
}

function SnapshotRow({ all, of, changed }: RowProps): VNode {
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
        drops={() => droppedBy(of, all)}
        instead="Take a snapshot, then revert"
        run={async (given) => {
          const isKept = given('instead') === 'on'
          if (isKept) await ask('evm_snapshot', { name: `before the revert to ${name}` })
          await ask('evm_revert', of.id, { keep: isKept || given('keep') === 'on' })
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
        drops={() => 'The state of the snapshot is lost.'}
        run={async () => {
          await ask('dev_dropSnapshot', of.id)
          changed()
          return undefined
        }}
      />
    </div>
  )
}

/** Blocks whose transactions are counted. */
const MAX_COUNTED = 500

/** What a revert to a snapshot drops. */
async function droppedBy({ id, blockNumber }: Snapshot, all: readonly Snapshot[]): Promise<string> {
  const [first, head] = [Number(blockNumber) + 1, Number(await ask('eth_blockNumber'))]
  const numbers = Array.from({ length: Math.max(0, head - first + 1) }, (_, index) => first + index)
  const counts = await Promise.all(
    numbers.slice(-MAX_COUNTED).map((number) => ask('eth_getBlockTransactionCountByNumber', number)),
  )
  const transactions = counts.reduce((sum, count) => sum + Number(count), 0)
  const later = laterThan(id, all)
  const dropped = [
    ...(numbers.length > 0 ? [counted(numbers.length, 'block')] : []),
    ...(transactions > 0 ? [counted(transactions, 'transaction')] : []),
    ...(later > 0 ? [`${counted(later, 'later snapshot')} unless kept`] : []),
  ]
  return dropped.length === 0
    ? 'Drops what has changed since.'
    : `Drops ${dropped.join(', ')}, and what else has changed since.`
}

const laterThan = (id: string, all: readonly Snapshot[]): number =>
  all.filter(({ parent }) => parent === id).reduce((sum, one) => sum + 1 + laterThan(one.id, all), 0)

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
