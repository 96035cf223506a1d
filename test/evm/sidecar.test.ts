import { describe, expect, test } from '@jest/globals'
import { NodeError } from '../../lib/base/errors.ts'
import { fromHex } from '../../lib/base/hex.ts'
import { decodeRlp, encodeRlp } from '../../lib/base/rlp.ts'
import type { RlpInput } from '../../lib/base/rlp.ts'
import { networkForm, sidecarFault, splitNetworkForm, versionedHash } from '../../lib/evm/sidecar.ts'
import { BLOB_HASH, COMMITMENT, sidecarOf, signedBlobs } from '../support/blobs.ts'

const encoded = await signedBlobs()
const body = decodeRlp(encoded.subarray(1))

/** A list behind the type byte. */
const sent = (...members: readonly RlpInput[]) => Uint8Array.from([3, ...encodeRlp(members)])

describe('the form in which blobs are sent', () => {
  test.each([0, 1] as const)('is taken apart and put together again, version %s', (version) => {
    const sidecar = sidecarOf(version, 2)
    const split = splitNetworkForm(networkForm({ encoded }, sidecar))
    expect(split).toEqual({ encoded, sidecar })
  })

  test('may be that of blocks, without blobs', () => {
    expect(splitNetworkForm(encoded)).toEqual({ encoded })
    expect(networkForm({ encoded }, undefined)).toBe(encoded)
  })

  test.each([
    ['two lists', sent(body, [], []), 'got 3'],
    ['five lists', sent(body, Uint8Array.of(1), [], [], [], []), 'got 6'],
    ['version 2', sent(body, Uint8Array.of(2), [], [], []), 'version 2 is not known'],
    ['version 0 by name', sent(body, new Uint8Array(0), [], [], []), 'version 0 is not known'],
    ['a long version', sent(body, new Uint8Array(33).fill(1), [], [], []), 'member 1 has 33 bytes'],
    ['a list for a version', sent(body, [], [], [], []), 'member 1 is a list'],
    ['bytes for blobs', sent(body, new Uint8Array(3), [], []), 'member -3 is not a list of bytes'],
    ['lists for proofs', sent(body, [], [], [[]]), 'member -1 is not a list of bytes'],
    ['no list', Uint8Array.of(3, 0x80), 'not an RLP list'],
    ['bytes behind the list', Uint8Array.of(3, 0xc0, 1), 'invalid transaction'],
  ])('is refused with %s', (_what, bytes, message) => {
    expect(() => splitNetworkForm(bytes)).toThrow(NodeError)
    expect(() => splitNetworkForm(bytes)).toThrow(message)
  })
})

describe('a sidecar', () => {
  test('fits the hashes of its commitments', () => {
    expect(versionedHash(COMMITMENT)).toBe(BLOB_HASH)
    expect(sidecarFault([BLOB_HASH, BLOB_HASH], sidecarOf(1, 2))).toBeUndefined()
  })

  const other = versionedHash(fromHex('0x00'))
  const INVALID = 'invalid number of'
  const NO_COMMITMENT = `${INVALID} 0 blob commitments compared to 1 blob hashes`
  const mismatch = `blob 1: computed hash ${BLOB_HASH} mismatches transaction one ${other}`

  test.each([
    ['too few blobs', [BLOB_HASH, BLOB_HASH], sidecarOf(0), `${INVALID} 1 blobs compared to 2 blob hashes`],
    ['too few commitments', [BLOB_HASH], { ...sidecarOf(0), commitments: [] }, NO_COMMITMENT],
    [
      'proofs of another version',
      [BLOB_HASH],
      { ...sidecarOf(0), version: 1 },
      `${INVALID} 1 blob proofs expected 128`,
    ],
    ['the commitment of another blob', [BLOB_HASH, other], sidecarOf(0, 2), mismatch],
  ] as const)('does not fit with %s', (_what, hashes, sidecar, fault) => {
    expect(sidecarFault(hashes, sidecar)).toBe(fault)
  })
})
