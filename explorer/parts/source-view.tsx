/** A source with line numbers and colours, and the part of it that is marked in view. */

import type { VNode } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { lineMarks, markedTokens, plainLines, shownSource } from '../format/source-lines.ts'
import type { LineMark, SourceLine, SourceMark, SourceToken } from '../format/source-lines.ts'
import { ChainText } from './chain-text.tsx'
import './source-view.css'

interface SourceViewProps {
  /** Path as the compiler names it. Vyper and Yul are shown without colours. */
  readonly path: string
  readonly content: string
  /** A part in bytes of the UTF-8 text, or a line from 1. */
  readonly mark?: SourceMark | number | undefined
  /** Lines that are shown on each side of the mark. */
  readonly around?: number
  /** Text below the path, such as a remark on the mark. */
  readonly note?: string | undefined
  /** Called with the number of a line, from 1, that is pressed. */
  readonly onLine?: ((line: number) => void) | undefined
}

/** Lines that are shown on each side of the mark of a long source. */
const AROUND = 500

export function SourceView({ path, content, mark, around = AROUND, note, onLine }: SourceViewProps): VNode {
  const lines = useSourceLines(path, content)
  // The lines without a mark stay the same elements, so that a step changes only a few.
  const hasButtons = onLine !== undefined
  const plain = useMemo(
    () => lines.map((line, index) => <Line key={index} index={index} line={line} hasButton={hasButtons} />),
    [lines, hasButtons],
  )
  const marks = lineMarks(content, mark)
  const at = Math.min(...marks.keys())
  const [isWhole, setWhole] = useState(false)
  const centre = Number.isFinite(at) ? at : 0
  const from = isWhole ? 0 : Math.max(0, centre - around)
  const to = isWhole ? lines.length : Math.min(lines.length, centre + around + 1)
  const frame = useRef<HTMLElement>(null)
  useEffect(() => showMark(frame.current), [at, content, lines])
  return (
    <figure class="source" ref={frame} tabIndex={0} aria-label={`Source ${path}`}>
      <figcaption>
        {onLine !== undefined && <LineField onLine={onLine} />}
        <ChainText text={path} />
        {to - from < lines.length && (
          <>
            , lines {from + 1} to {to} of {lines.length}{' '}
            <button type="button" class="button" onClick={() => setWhole(true)}>
              Show all
            </button>
          </>
        )}
        {note !== undefined && <div class="note">{note}</div>}
      </figcaption>
      <code
        onClick={({ target }) => {
          if (target instanceof HTMLButtonElement) onLine?.(Number(target.textContent))
        }}
      >
        {plain.slice(from, to).map((line, index) => {
          const marked = marks.get(from + index)
          if (marked === undefined) return line
          const at = from + index
          return <Line key={at} index={at} line={lines[at] ?? []} mark={marked} hasButton={hasButtons} />
        })}
      </code>
    </figure>
  )
}

/** A field for a line to run to, which a keyboard reaches. */
const LineField = ({ onLine }: { readonly onLine: (line: number) => void }): VNode => (
  <label class="run">
    Run to line{' '}
    <input type="number" min={1} onChange={({ currentTarget: { value } }) => onLine(Number(value))} />
  </label>
)

interface LineProps {
  readonly index: number
  readonly line: SourceLine
  readonly mark?: LineMark | undefined
  /** Whether its number is a button. The field for a line is for keyboards. */
  readonly hasButton: boolean
}

const Line = ({ index, line, mark, hasButton }: LineProps): VNode => (
  <span
    class={mark === undefined ? 'line' : 'line at'}
    data-line={index + 1}
    aria-current={mark === undefined ? undefined : 'location'}
  >
    {hasButton && (
      <button type="button" tabIndex={-1} title={`Run to line ${index + 1}`}>
        {index + 1}
      </button>
    )}
    {mark === undefined
      ? line.map((token) => <Token {...token} />)
      : markedTokens(line, mark).map(({ text, kind, isMarked }) => {
          const token = <Token text={text} kind={kind} />
          return isMarked ? <mark>{token}</mark> : token
        })}
  </span>
)

const Token = ({ text, kind }: SourceToken): VNode => (
  <span class={kind === undefined ? undefined : `token-${kind}`}>{shownSource(text)}</span>
)

/** The lines of a source; without colours until the grammar is loaded. */
function useSourceLines(path: string, content: string): readonly SourceLine[] {
  const [coloured, setColoured] = useState<{ readonly of: string; readonly lines: readonly SourceLine[] }>()
  useEffect(() => {
    if (!path.endsWith('.sol')) return
    let isWanted = true
    void import('../format/solidity-tokens.ts').then(
      ({ solidityLines }) => {
        if (isWanted) setColoured({ of: content, lines: solidityLines(content) })
      },
      // Without the grammar the source stays as it is.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [path, content])
  return useMemo(() => (coloured?.of === content ? coloured.lines : plainLines(content)), [coloured, content])
}

/** Brings the marked lines into view inside the frame, without moving the page. */
function showMark(frame: HTMLElement | null): void {
  const marked = frame?.querySelector<HTMLElement>('.line.at')
  if (frame === null || marked === undefined || marked === null) return
  const top = marked.getBoundingClientRect().top - frame.getBoundingClientRect().top + frame.scrollTop
  frame.scrollTop = Math.max(0, top - frame.clientHeight / 3)
}
