/** Mining work and hash rates. */

import { describe, expect, test } from '@jest/globals'
import { keccak256, keccak512 } from 'ethereum-cryptography/keccak.js'
import { fromHex, toHex } from '../../../lib/base/hex.ts'
import { doubleSha256 } from '../../../lib/crypto/sha256.ts'
import type { Node } from '../../../lib/node.ts'
import { ManualHost, call, freshNode } from '../../support/node.ts'

describe('a solution by eth_submitWork', () => {
  /** Submits nonces until one makes the block; returns the rejected nonces, and the accepted one. */
  const solve = async (node: Node, work: string, mix: string) => {
    const nonceOf = (value: number) => `0x${value.toString(16).padStart(16, '0')}`
    for (let value = 0; ; value++)
      if (await call(node, 'eth_submitWork', [nonceOf(value), work, mix]))
        return { wrong: Array.from({ length: value }, (_, n) => n), value, nonce: nonceOf(value) }
  }

  const isWithin = (hash: Uint8Array, target: string) => BigInt(toHex(hash)) <= BigInt(target)

  test('makes the block once where ethash accepts the nonce', async () => {
    const node = await freshNode({ network: 'ethereum', mining: 'manual' })
    const mix = `0x${'17'.repeat(32)}`
    const [work, , target] = await call(node, 'eth_getWork')
    const { wrong, value, nonce } = await solve(node, work, mix)
    const finalHash = (nonceValue: number) => {
      const littleEndian = Buffer.alloc(8)
      littleEndian.writeUInt32LE(nonceValue)
      const seed = keccak512(new Uint8Array([...fromHex(work), ...littleEndian]))
      return keccak256(new Uint8Array([...seed, ...fromHex(mix)]))
    }
    expect(isWithin(finalHash(value), target)).toBe(true)
    expect(wrong.filter((each) => isWithin(finalHash(each), target))).toEqual([])
    expect(await call(node, 'eth_getBlockByNumber', ['latest'])).toMatchObject({ number: '0x1', nonce })
    expect(await call(node, 'eth_submitWork', [nonce, work, mix])).toBe(false)
  })

  test('makes the block once where the auxiliary header with the nonce meets the target', async () => {
    const node = await freshNode({ mining: 'manual' })
    const mix = `0x${'00'.repeat(32)}`
    const [work, , target] = await call(node, 'eth_getWork')
    expect(await call(node, 'eth_submitWork', ['0x0000000100000000', work, mix])).toBe(false)
    const { wrong, value, nonce } = await solve(node, work, mix)
    const { aux } = node.chain.head.block.header.mergedMining!
    const hashWith = (nonceValue: number) => {
      const header = Uint8Array.from(aux.header)
      new DataView(header.buffer).setUint32(76, nonceValue, true)
      return doubleSha256(header).reverse()
    }
    expect(hashWith(value)).toEqual(doubleSha256(aux.header).reverse())
    expect(isWithin(hashWith(value), target)).toBe(true)
    expect(wrong.filter((each) => isWithin(hashWith(each), target))).toEqual([])
    expect(await call(node, 'eth_blockNumber')).toBe('0x1')
    expect(await call(node, 'eth_submitWork', [nonce, work, mix])).toBe(false)
  })

  test('leaves withdrawals queued that were added after eth_getWork', async () => {
    const node = await freshNode({ network: 'ethereum', mining: 'manual' })
    const address = `0x${'5a'.repeat(20)}`
    const [work] = await call(node, 'eth_getWork')
    await call(node, 'dev_addWithdrawal', [{ address, amount: '0x5' }])
    await solve(node, work, `0x${'17'.repeat(32)}`)
    expect(await call(node, 'eth_getBalance', [address])).toBe('0x0')
    await call(node, 'evm_mine')
    expect(BigInt(await call(node, 'eth_getBalance', [address]))).toBe(5n * 10n ** 9n)
  })
})

describe('the hash rate', () => {
  test('is the work of the last hour per second', async () => {
    const node = await freshNode()
    await call(node, 'evm_mine', [{ blocks: '0xe0f' }])
    expect([await call(node, 'eth_hashrate'), await call(node, 'eth_netHashrate')]).toEqual(['0x0', 0])
    await call(node, 'evm_mine')
    expect([await call(node, 'eth_hashrate'), await call(node, 'eth_netHashrate')]).toEqual(['0x1', 1])
    await call(node, 'evm_increaseTime', ['0x1'])
    expect(await call(node, 'eth_netHashrate')).toBe(0)
  })

  test('counts reports of miners for ten seconds', async () => {
    const host = new ManualHost()
    const node = await freshNode({}, host)
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
    await call(node, 'eth_submitHashrate', [word(5), word(1)])
    await call(node, 'eth_submitHashrate', [word(7), word(2)])
    host.step(9_999)
    await call(node, 'eth_submitHashrate', [word(11), word(2)])
    expect(await call(node, 'eth_hashrate')).toBe('0x10')
    host.step(1)
    expect(await call(node, 'eth_hashrate')).toBe('0xb')
    expect(await call(node, 'eth_netHashrate')).toBe(0)
  })
})
