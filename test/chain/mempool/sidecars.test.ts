import { describe, expect, test } from '@jest/globals'
import { asHash } from '../../../lib/base/hex.ts'
import type { BlobSidecar } from '../../../lib/evm/transaction.ts'
import { MAX_KEPT_BLOBS, Sidecars } from '../../../lib/chain/mempool/mempool.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'

const hashOf = (n: number) => asHash(`0x${n.toString(16).padStart(64, '0')}`)

/** A sidecar with a number of blobs, all of them the same short array. */
function sidecarOf(count: number): BlobSidecar {
  const items = Array.from({ length: count }, () => new Uint8Array(0))
  return { version: 0, blobs: items, commitments: items, proofs: items }
}

describe('sidecars', () => {
  test('are kept up to a number of blobs, and the oldest are dropped first', () => {
    const sidecars = new Sidecars(new ChainInstance())
    const most = Math.floor(MAX_KEPT_BLOBS / 6)
    for (let n = 0; n <= most; n++) sidecars.keep(hashOf(n), sidecarOf(6))
    expect(sidecars.get(hashOf(0))).toBeUndefined()
    expect(sidecars.get(hashOf(1))).toBeDefined()
    expect(sidecars.kept.value.size).toBe(most)
    sidecars.keep(hashOf(999), sidecarOf(MAX_KEPT_BLOBS))
    expect([...sidecars.kept.value.keys()]).toEqual([hashOf(999)])
  })

  test('are restored by a revert, without those of later transactions', () => {
    const instance = new ChainInstance()
    const sidecars = new Sidecars(instance)
    sidecars.keep(hashOf(1), sidecarOf(1))
    const before = instance.capture()
    sidecars.keep(hashOf(2), sidecarOf(MAX_KEPT_BLOBS))
    expect(sidecars.get(hashOf(1))).toBeUndefined()
    instance.restore(before)
    expect([...sidecars.kept.value.keys()]).toEqual([hashOf(1)])
  })
})
