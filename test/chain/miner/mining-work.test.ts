/** External mining: work, solutions, and hash rates. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import { seedHash } from '../../../lib/networks/ethereum/consensus/ethash.ts'
import { auxBlockFor, partsOf } from '../../modules/network-33/support/aux-blocks.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const TO = `0x${'bb'.repeat(20)}`
const plain = (bytes: Uint8Array): string => toHex(bytes).slice(2)
const ascii = (text: string): string => toHex(Buffer.from(text, 'ascii'))

async function nodeWithTransfer() {
  const node = await freshNode({ mining: false })
  const transfer = { from: node.funded[0]!.address, to: TO, gas: '0x5208', gasPrice: '0x2', value: '0x5' }
  const hash = await call(node, 'eth_sendTransaction', [transfer])
  return { node, hash, work: await call(node, 'mnr_getWork') }
}

describe('work', () => {
  test('is for the block that the node would mine', async () => {
    const { node, work } = await nodeWithTransfer()
    const head = await call(node, 'eth_getBlockByNumber', ['latest'])
    expect(work).toMatchObject({
      target: `0x${'55'.repeat(32)}`,
      feesPaidToMiner: '42000',
      notify: true,
      parentBlockHash: head.hash,
    })
    const [hash, seed, target] = await call(node, 'eth_getWork')
    expect([hash, seed, target]).toEqual([work.blockHashForMergedMining, `0x${'00'.repeat(32)}`, work.target])
  })

  test('is announced once for each parent, and again when fees rise by more than a tenth', async () => {
    const { node } = await nodeWithTransfer()
    const isAnnounced = async () => (await call(node, 'mnr_getWork')).notify as boolean
    expect(await isAnnounced()).toBe(false)
    const from = node.funded[1]!.address
    await call(node, 'eth_sendTransaction', [{ from, to: TO, gas: '0x5208', gasPrice: '0x1' }])
    expect([await isAnnounced(), await isAnnounced()]).toEqual([true, false])
    await call(node, 'evm_mine')
    expect([await isAnnounced(), await isAnnounced()]).toEqual([true, false])
  })

  test('is kept for twenty candidates', async () => {
    const node = await freshNode({ mining: false })
    const first = await call(node, 'mnr_getWork')
    for (let index = 0; index < 20; index++) {
      await call(node, 'evm_increaseTime', ['0x1'])
      await call(node, 'mnr_getWork')
    }
    const block = plain(auxBlockFor(first.blockHashForMergedMining))
    const { kind, message } = await refusal(node, 'mnr_submitAuxBlock', [block])
    expect(kind).toBe('submissionRefused')
    expect(message).toBe(
      `Cannot publish block, could not find hash ${first.blockHashForMergedMining} in the cache`,
    )
  })
})

describe('a solution', () => {
  test('for an older block does not become the head', async () => {
    const { node, work } = await nodeWithTransfer()
    // Twice, because among blocks of one height and one fee the lower hash wins.
    for (let mined = 0; mined < 2; mined++) await call(node, 'evm_mine')
    // The node itself finds the lowest nonce.
    const block = plain(auxBlockFor(work.blockHashForMergedMining, 100))
    const late = await call(node, 'mnr_submitAuxBlock', [block])
    expect(late.blockImportedResult).toBe(ascii('IMPORTED_NOT_BEST'))
    expect(late.blockIncludedHeight).toBe('0x1')
    expect(await call(node, 'eth_blockNumber')).toBe('0x2')
  })

  test('is refused once the state of its parent was edited', async () => {
    const { node, work } = await nodeWithTransfer()
    await call(node, 'hardhat_setBalance', [TO, '0x7'])
    const late = await call(node, 'mnr_submitAuxBlock', [plain(auxBlockFor(work.blockHashForMergedMining))])
    expect(late.blockImportedResult).toBe(ascii('NO_PARENT'))
    expect(await call(node, 'eth_blockNumber')).toBe('0x0')
    expect(await call(node, 'eth_getBalance', [TO])).toBe('0x7')
  })

  test.each([
    ['ends early', (block: string) => block.slice(0, -2)],
    ['goes on', (block: string) => `${block}00`],
    ['is no hex', (block: string) => `${block}zz`],
    ['is a header', (block: string) => block.slice(0, 160)],
    ['claims many transactions', (block: string) => `${block.slice(0, 160)}ffffffffffffffffff`],
  ])('that %s is a wrong param', async (_, spoil) => {
    const { node, work } = await nodeWithTransfer()
    const block = spoil(plain(auxBlockFor(work.blockHashForMergedMining)))
    expect((await refusal(node, 'mnr_submitAuxBlock', [block])).kind).toBe('invalidParams')
  })

  test('with an empty branch is refused', async () => {
    const { node, work } = await nodeWithTransfer()
    const { header, coinbase } = partsOf(auxBlockFor(work.blockHashForMergedMining))
    expect(await refusal(node, 'mnr_submitAuxBlockPartialMerkle', ['', header, coinbase, '', '1'])).toEqual({
      kind: 'submissionRefused',
      message: "The list of merkle hashes can't be empty",
    })
  })
})

test('the seed is hashed once for each epoch', () => {
  expect(seedHash(29_999n)).toBe(`0x${'00'.repeat(32)}`)
  expect(seedHash(30_000n)).toBe('0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563')
})

test('the seed of a block far beyond does not hold the node', () => {
  expect(seedHash(2n ** 64n - 1n)).toBe(seedHash(30_000n * 2n ** 16n))
})
