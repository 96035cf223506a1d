/** A list of instructions, with the current one in view. */

import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { shortened } from '../format/amounts.ts'
import { ChainText } from './chain-text.tsx'
import './instructions.css'

/** An instruction: of an execution, with its step, or of a code. */
export interface InstructionRow {
  readonly pc: number
  readonly op: string
  /** Data that it pushes, and the function with such a selector. */
  readonly data: string | undefined
  readonly name: string | undefined
  readonly step?: number
  readonly depth?: number
  readonly gas?: number
  readonly isFailed?: boolean
}

interface InstructionsProps {
  readonly rows: readonly InstructionRow[]
  readonly at: number
  /** Position of the current instruction in the code. */
  readonly pc: number | undefined
  readonly hrefOf: (step: number) => string
}

export function Instructions({ rows, at, pc, hrefOf }: InstructionsProps): VNode {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current === null || current === null || current === undefined) return
    const top = current.getBoundingClientRect().top - list.current.getBoundingClientRect().top
    list.current.scrollTop += top - list.current.clientHeight / 3
  }, [at, rows])
  return (
    <ol class="instructions" ref={list} aria-label="Instructions" tabIndex={0}>
      {rows.map((row) => (
        <li key={row.step ?? row.pc}>
          {row.step === undefined ? (
            <span aria-current={row.pc === pc ? 'step' : undefined}>
              <Parts row={row} />
            </span>
          ) : (
            <a href={hrefOf(row.step)} aria-current={row.step === at ? 'step' : undefined}>
              <Parts row={row} />
            </a>
          )}
        </li>
      ))}
    </ol>
  )
}

const Parts = ({ row: { step, pc, op, data, name, depth = 0, gas, isFailed } }: { row: InstructionRow }) => (
  <>
    <span class="quiet">{step}</span>
    <span class="quiet">{pc}</span>
    <span class={isFailed === true || op === 'REVERT' ? 'failure' : undefined}>
      {'· '.repeat(Math.min(depth, 16))}
      {op} {data !== undefined && <span title={data}>{shortened(data)}</span>}
      {name !== undefined && (
        <span class="quiet">
          {' '}
          <ChainText text={name} />
        </span>
      )}
    </span>
    <span class="quiet">{gas}</span>
  </>
)
