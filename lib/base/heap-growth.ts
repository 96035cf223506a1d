/** Limits the memory of a process that holds a chain. */

import { setFlagsFromString } from 'node:v8'

/** Milliseconds until most modules are loaded. After a flag changes, V8 rejects cached code, even that of Node's own modules. */
export const LOADED_AFTER_MS = 1000

/**
 * Lets the heap grow by 40 percent before V8 collects all garbage again. By default it may grow to four times its size, because
 * V8 expects a short life; the blocks of a chain stay, and what is collected between them costs little.
 */
export const limitHeapGrowth = (): void => setFlagsFromString('--heap-growing-percent=40')
