/** What the client is, and its hash function. */

import { toHash } from '../../base/hex.ts'
import { findPackage } from '../../config/package.ts'
import { keccak256 } from '../../crypto/keccak.ts'
import { hashText, text } from '../../schema/results.ts'
import { data } from '../../schema/wire.ts'
import { method, param } from '../method.ts'

const clientVersion = method({
  name: 'web3_clientVersion',
  summary: 'Name and version of this node. Helpers of Hardhat accept it as one of theirs.',
  params: [],
  result: text,
  access: 'read',
  example: { params: [] },
  run: () => `HardhatNetwork-compatible/dev-node/${findPackage().version}`,
})

const sha3 = method({
  name: 'web3_sha3',
  summary: 'keccak-256 of bytes (not the standardized SHA3-256).',
  params: [param('data', data, 'Bytes to hash.')],
  result: hashText,
  access: 'read',
  example: {
    params: ['0x696e7465726e6574'],
    result: '0x2949b355406e040cb594c48726db3cf34bd8f963605e2c39a6b0b862e46825a5',
  },
  run: ({ data: bytes }) => toHash(keccak256(bytes)),
})

export const web3Methods = [clientVersion, sha3]
