/** The version of the chain for parts that are expensive to load: it changes at most once in a second. */

import { effect, signal } from '@preact/signals'
import { chainVersion } from './live.ts'

/** Milliseconds between two changes. */
const CALM_MS = 1000

export const calmVersion = signal(0)

let isWaiting = false

effect(() => {
  const version = chainVersion.value
  if (isWaiting) return
  isWaiting = true
  calmVersion.value = version
  setTimeout(() => {
    isWaiting = false
    calmVersion.value = chainVersion.peek()
  }, CALM_MS)
})
