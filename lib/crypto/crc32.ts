/** The checksum in fork ids (EIP-2124) and in the files of the fork cache. */

import { crc32 as checksum } from 'node:zlib'

/** CRC-32 of the bytes (IEEE 802.3) as a number. */
export const crc32 = (bytes: Uint8Array): number => checksum(bytes)
