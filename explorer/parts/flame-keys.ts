/** The keyboard in a flame graph: arrow keys move from frame to frame, Enter and the space bar enlarge one. */

import { select } from 'd3-selection'

/** Where a frame is; `x0` orders the frames of a depth. */
interface Place {
  readonly parent: Place | null
  readonly depth: number
  readonly x0: number
}

interface Frame {
  readonly element: SVGGElement
  readonly place: Place
}

type Move = (from: Place, others: readonly Frame[]) => Frame | undefined

/** Where each key leads to among the drawn frames, which are ordered from left to right. */
const MOVES: Readonly<Record<string, Move>> = {
  ArrowUp: ({ parent }, others) => others.find(({ place }) => place === parent),
  ArrowDown: (from, others) => others.find(({ place }) => place.parent === from),
  ArrowLeft: (from, others) =>
    others.findLast((one) => one.place.depth === from.depth && one.place.x0 < from.x0),
  ArrowRight: (from, others) =>
    others.find((one) => one.place.depth === from.depth && one.place.x0 > from.x0),
}

/** Lets the graph in an element be used by keyboard; one frame at a time takes part in the order of Tab. */
export function addFlameKeys(element: HTMLElement): () => void {
  const frames = (): readonly Frame[] => {
    const found: Frame[] = []
    select(element)
      .selectAll<SVGGElement, Place>('.frame')
      .each(function (place) {
        found.push({ element: this, place })
      })
    return found.toSorted((left, right) => left.place.x0 - right.place.x0)
  }
  let current: SVGGElement | undefined
  const choose = (frame: SVGGElement): void => {
    // Without its tabindex it would lose the focus.
    if (frame === current) return
    for (const name of ['tabindex', 'role', 'aria-label']) current?.removeAttribute(name)
    current = frame
    frame.setAttribute('tabindex', '0')
    frame.setAttribute('role', 'button')
    frame.setAttribute('aria-label', frame.querySelector('title')?.textContent ?? '')
  }
  const onClick = ({ target }: Event): void => {
    const frame = target instanceof Element ? target.closest<SVGGElement>('.frame') : null
    if (frame !== null) choose(frame)
  }
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event
    const all = frames()
    const at = all.find((one) => one.element === current)
    if (at === undefined) return
    const target = MOVES[key]?.(at.place, all)
    const enlarges = key === 'Enter' || key === ' '
    if (target === undefined && !enlarges) return
    event.preventDefault()
    if (enlarges) at.element.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    if (target === undefined) return
    choose(target.element)
    target.element.focus()
  }
  const root = frames().find(({ place }) => place.parent === null)
  if (root !== undefined) choose(root.element)
  element.addEventListener('click', onClick)
  element.addEventListener('keydown', onKey)
  return () => {
    element.removeEventListener('click', onClick)
    element.removeEventListener('keydown', onKey)
  }
}
