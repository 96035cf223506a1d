import { describe, expect, test } from '@jest/globals'
import type { Consensus } from '../../../lib/networks/consensus/consensus.ts'
import { ethereum } from '../../../lib/networks/ethereum/consensus/ethereum.ts'
import { mergedMining } from '../../../lib/modules/network-33/consensus/merged-mining.ts'
import { call, freshNode } from '../../support/node.ts'

const NETWORKS: readonly (readonly [name: string, consensus: Consensus])[] = [
  ['network-33', mergedMining],
  ['ethereum', ethereum],
]

describe.each(NETWORKS)('the consensus of %s', (network, consensus) => {
  test('is that of all its headers: first, mined, reserved, read from among reserved, and pending', async () => {
    const node = await freshNode({ network })
    await call(node, 'evm_mine')
    await call(node, 'hardhat_mine', ['0x5000'])
    node.miner.makePostponedBlocks()
    const { chain, blockResolver } = node
    const numbers = [0n, 1n, 9_000n, chain.head.block.header.number]
    const headers = numbers.map((number) => chain.at(number)!.block.header)
    const pending = blockResolver.at({ tag: 'pending' }).block.header
    expect(node.network.kind.consensus).toBe(consensus)
    expect([...headers, pending].map((header) => header.consensus)).toEqual(Array(5).fill(consensus))
  })

  test('seals a header so that its hash is that of the sealed header', async () => {
    const node = await freshNode({ network })
    const { header } = node.blockResolver.at({ tag: 'pending' }).block
    const sealed = consensus.seal(header)
    expect(sealed.hash).toBe(consensus.headerHash(sealed.header))
    expect(consensus.sealHash(sealed.header)).toBe(consensus.sealHash(header))
  })
})
