/** The checksum that identifies forks between nodes. */

import { crc32 as checksum } from 'node:zlib'

/** CRC-32 of the bytes (IEEE 802.3) as a number. */
export const crc32 = (bytes: Uint8Array): number => checksum(bytes)
