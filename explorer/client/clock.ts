/** The time of the browser, for ages. */

import { signal } from '@preact/signals'

/** Seconds since the epoch. */
export const nowSeconds = signal(Math.floor(Date.now() / 1000))

setInterval(() => {
  nowSeconds.value = Math.floor(Date.now() / 1000)
}, 1000)
