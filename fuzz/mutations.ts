/** Makes valid params invalid: a little, at one place, or with texts that have broken servers. */

import { HOSTILE } from '../test/support/hostile.ts'
import type { Choices } from './choices.ts'
import { ANYTHING } from './leaves.ts'

/** Stands for a JSON text that JSON.stringify cannot write, by its position in the list. */
const marker = (position: number): string => `@hostile ${position}@`

/** The JSON text of a value with the hostile texts in the places of their markers. */
export const withHostile = (value: unknown): string =>
  JSON.stringify(value).replace(
    /"@hostile (\d+)@"/g,
    (_, position: string) => HOSTILE[Number(position)]?.[1] ?? 'null',
  )

const hostile = (choices: Choices): string => marker(choices.draw(HOSTILE.length))

/** The same value with one change at a random place. */
export function changed(value: unknown, choices: Choices): unknown {
  if (Array.isArray(value) && value.length > 0 && !choices.once(5)) {
    return value.with(...changedMember(choices.draw(value.length), value, choices))
  }
  if (typeof value === 'object' && value !== null && !choices.once(5)) {
    const names = Object.keys(value)
    const name = names.length === 0 || choices.once(6) ? 'unknown' : choices.any(names)
    const member: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
    if (choices.once(6)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
    return { ...value, [name]: changed(member, choices) }
  }
  return choices.weighted<() => unknown>([
    [4, () => hostile(choices)],
    [3, () => (typeof value === 'string' ? changedText(value, choices) : ANYTHING(choices))],
    [2, () => ANYTHING(choices)],
    [1, () => [value]],
    [1, () => null],
  ])()
}

const changedMember = (index: number, values: readonly unknown[], choices: Choices): [number, unknown] => [
  index,
  changed(values[index], choices),
]

function changedText(text: string, choices: Choices): string {
  const at = choices.draw(text.length + 1)
  return choices.any([
    text.slice(0, at),
    text.slice(0, at) + choices.any(['f', '0', 'g', ' ', '\u0000', 'ff', '\ud800']) + text.slice(at),
    text.toUpperCase(),
    text + text,
    text.slice(2),
  ])
}

/** Params with extra, missing and doubled positions. */
export function reshaped(params: readonly unknown[], choices: Choices): unknown {
  return choices.any<() => unknown>([
    () => params.slice(0, -1),
    () => [...params, ANYTHING(choices)],
    () => params.toReversed(),
    () => [...params, ...params],
    () => hostile(choices),
  ])()
}
