/** The window of a long list: which rows are in the document, and the height of those before and after them. */

import { Virtualizer, elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core'
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'
import type { RefObject } from 'preact'

/** Rows above and below the visible ones, so that the Tab key has a next one to go to. */
const OVERSCAN = 15

/** Height of a row before it is measured, in pixels. */
const ROW_HEIGHT = 34

/** Lists of fewer items are shown whole. */
export const MIN_WINDOWED = 200

export interface RowWindow {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement>
  /** Measures a row; it has its index in the attribute `data-index`. */
  readonly measure: (row: HTMLElement | null) => void
  /** Indices of the rows in the document. */
  readonly indices: readonly number[]
  /** Height of the rows above and below them, in pixels. */
  readonly above: number
  readonly below: number
}

/** The window of a list of `count` items. `keyOf` names an item that changes its place in the list. */
export function useRowWindow(count: number, keyOf: (index: number) => string | number): RowWindow {
  const box = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer((drawn: number, _change: unknown) => drawn + 1, 0)
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: redraw,
  }
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options))
  virtualizer.setOptions(options)
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer])
  useLayoutEffect(() => virtualizer._willUpdate())
  const rows = virtualizer.getVirtualItems()
  useKeptFocus(box)
  useEnds(box, virtualizer, count)
  return {
    box,
    measure: virtualizer.measureElement,
    indices: rows.map(({ index }) => index),
    above: rows[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0),
  }
}

/**
 * Home and End go to the first and the last row, also from a link in a row. The browser alone would stop before the end when rows that come into view have
 * another height than was estimated.
 */
function useEnds(
  box: RefObject<HTMLDivElement>,
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>,
  count: number,
): void {
  useLayoutEffect(() => {
    const element = box.current
    const go = (event: KeyboardEvent): void => {
      if (event.key !== 'Home' && event.key !== 'End') return
      event.preventDefault()
      if (event.key === 'Home') virtualizer.scrollToIndex(0, { align: 'start' })
      else virtualizer.scrollToIndex(count - 1, { align: 'end' })
    }
    element?.addEventListener('keydown', go)
    return () => element?.removeEventListener('keydown', go)
  }, [box, virtualizer, count])
}

/** Gives the focus of a row that scrolls out of the document to the list, so that keys still move the list. */
function useKeptFocus(box: RefObject<HTMLDivElement>): void {
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    const isInside = box.current?.contains(document.activeElement) === true
    if (hadFocus.current && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true })
    hadFocus.current = isInside || box.current === document.activeElement
  })
  useLayoutEffect(() => {
    const element = box.current
    const note = ({ type }: Event): void => void (hadFocus.current = type === 'focusin')
    element?.addEventListener('focusin', note)
    return () => element?.removeEventListener('focusin', note)
  }, [box])
}
