/** Reads the blooms of logs in block objects and receipts. */

import { fromHex } from '../../base/hex.ts'
import type { JsonForm, RemoteObject } from '../../base/remote-object.ts'
import { EMPTY_BLOOM } from '../../evm/outcome.ts'

/** DATA of 256 bytes. */
const BLOOM: JsonForm<Uint8Array> = {
  expected: '256 bytes',
  read: (value) => {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{512}$/.test(value)) return undefined
    return value === NO_LOGS ? EMPTY_BLOOM : fromHex(value)
  },
}

const NO_LOGS = `0x${'00'.repeat(256)}`

/** The member `logsBloom`; all empty blooms are one array. @throws NodeError 'remoteFailed' */
export const readBloom = (object: RemoteObject): Uint8Array => object.get('logsBloom', BLOOM)
