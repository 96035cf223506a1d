/** Returns keccak-256 hashes. */

import { toHash } from '../../base/hex.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { hashText } from '../../schema/results.ts'
import { data } from '../../schema/wire.ts'
import { method, param } from '../method.ts'

export const sha3 = method({
  name: 'web3_sha3',
  summary: 'keccak-256 of bytes (not the standardized SHA3-256).',
  params: [param('data', data, 'Bytes to hash.')],
  result: hashText,
  example: {
    params: ['0x696e7465726e6574'],
    result: '0x2949b355406e040cb594c48726db3cf34bd8f963605e2c39a6b0b862e46825a5',
  },
  run: ({ data: bytes }) => toHash(keccak256(bytes)),
})
