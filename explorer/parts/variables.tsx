/** Variables with their values. Those with parts open; those that changed since the last stop are marked. */

import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { DebugSession, Variable } from '../client/debug-session.ts'
import { useLoaded } from '../client/loaded.ts'
import { ChainText } from './chain-text.tsx'
import { LongList } from './long-list.tsx'
import { NamedText } from './named-text.tsx'
import { Showing } from './page-parts.tsx'
import './call-tree.css'

/** A running function at a step. */
export interface DebugPoint {
  readonly session: DebugSession
  readonly at: number
  readonly frame: number
}

interface VariablesProps extends DebugPoint {
  /** Name of the scope, then names of variables. */
  readonly path: readonly string[]
  readonly list: readonly Variable[]
  readonly empty: string
}

export function Variables({ path, list, empty, ...point }: VariablesProps): VNode {
  const before = useBefore(point.at, list)
  if (list.length === 0) return <p class="quiet">{empty}</p>
  return (
    <LongList items={list} class="debug-variables" label="Variables" keyOf={({ name }) => name}>
      {(variable) => (
        <VariableRow
          {...point}
          path={[...path, variable.name]}
          variable={variable}
          before={before?.find(({ name }) => name === variable.name)}
        />
      )}
    </LongList>
  )
}

/** The list as it was at the last stop. */
function useBefore(at: number, list: readonly Variable[]): readonly Variable[] | undefined {
  const stops = useRef<{ at: number; list: readonly Variable[]; before?: readonly Variable[] }>({ at, list })
  if (stops.current.at !== at) stops.current = { at, list, before: stops.current.list }
  else stops.current.list = list
  return stops.current.before
}

interface RowProps extends DebugPoint {
  readonly path: readonly string[]
  readonly variable: Variable
  readonly before: Variable | undefined
}

const isMapping = (type: string | undefined): boolean => type?.startsWith('mapping') === true

/** Parts up to which a variable without a value of its own, such as a mapping, is open at first. */
const FEW = 8

function VariableRow({ path, variable, before, ...point }: RowProps): VNode {
  const { parts, value, type } = variable
  const isOnlyParts = value === '' || isMapping(type)
  const [isOpen, setOpen] = useState(isOnlyParts && parts > 0 && parts <= FEW && path.length === 2)
  const line = <VariableLine variable={variable} before={before} />
  if (parts === 0) return line
  return (
    <>
      <button
        type="button"
        class="fold"
        aria-expanded={isOpen}
        aria-label={`Parts of ${variable.name}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? '▾' : '▸'}
      </button>
      {line}
      {isOpen && <Parts {...point} path={path} />}
    </>
  )
}

interface LineProps {
  readonly variable: Variable
  readonly before: Variable | undefined
}

export function VariableLine({ variable: { name, type, value, unknown }, before }: LineProps): VNode {
  const isChanged = before !== undefined && before.value !== value && unknown === undefined
  return (
    <span class={isChanged ? 'variable changed' : 'variable'} title={type}>
      <b>
        <NamedText text={name} />
      </b>{' '}
      {unknown === undefined ? <NamedText text={value} /> : <i class="quiet">{unknown}</i>}
      {isChanged && before.unknown === undefined && before.value !== '' && (
        <span class="quiet">
          {' '}
          was <NamedText text={before.value} />
        </span>
      )}{' '}
      {type !== undefined && !isMapping(type) && (
        <span class="type quiet">
          <ChainText text={type} />
        </span>
      )}
    </span>
  )
}

function Parts({ path, ...point }: Omit<RowProps, 'variable' | 'before'>): VNode {
  const { session, at, frame } = point
  const parts = useLoaded(() => session.ask('dev_debugVariables', at, frame, path), [path.join(), at, frame])
  return (
    <Showing of={parts}>
      {(list) => <Variables {...point} path={path} list={list} empty="There are no parts." />}
    </Showing>
  )
}
