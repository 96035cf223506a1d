import { describe, expect, test } from '@jest/globals'
import { fromHex, toHash, toHex } from '../../../lib/base/hex.ts'
import { decodeRlp, encodeRlp } from '../../../lib/base/rlp.ts'
import { keccak256 } from '../../../lib/crypto/keccak.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const hashOf = (data: string): string => toHash(keccak256(fromHex(data)))

/** A node whose block 1 has a number of transfers. */
async function nodeWith(transfers: number, network: string) {
  const node = await freshNode({ network, mining: false })
  for (const [index, { address: from }] of node.funded.slice(0, transfers).entries()) {
    await call(node, 'eth_sendTransaction', [{ from, to: from, value: `0x${index + 1}`, gas: '0x5208' }])
  }
  await call(node, 'evm_mine')
  return { node, block: await call(node, 'eth_getBlockByNumber', ['0x1']) }
}

/** The preimage of a block hash made of a raw header (node-chain 5.3): extension data for the bloom and what follows. */
function compressed(raw: string): string {
  const items = [...(decodeRlp(fromHex(raw)) as readonly Uint8Array[])]
  const [version, edges, baseEvent] = items.splice(17, 3)
  const extension = keccak256(encodeRlp([keccak256(items[6]!), baseEvent!, edges!]))
  return toHex(encodeRlp(items.with(6, encodeRlp([version!, extension]))))
}

const unchanged = (raw: string): string => raw

describe.each([
  ['network-33', compressed],
  ['ethereum', unchanged],
])('on %s', (network, preimageOf) => {
  test('a raw header hashes to the block hash', async () => {
    const { node, block } = await nodeWith(1, network)
    const raw = await call(node, 'node_getRawBlockHeaderByHash', [block.hash])
    expect(hashOf(preimageOf(raw))).toBe(block.hash)
    expect(await call(node, 'node_getRawBlockHeaderByNumber', ['0x1'])).toBe(raw)
    const genesis = await call(node, 'eth_getBlockByNumber', ['earliest'])
    expect(hashOf(await call(node, 'node_getRawBlockHeaderByNumber', ['earliest']))).toBe(genesis.hash)
  })

  test.each([1, 2, 3, 10])(
    'receipt nodes lead from the leaf to the receipts root, with %d transactions',
    async (transfers) => {
      const { node, block } = await nodeWith(transfers, network)
      expect(block.transactions).toHaveLength(transfers)
      for (const transaction of block.transactions) {
        const nodes: string[] = await call(node, 'node_getTransactionReceiptNodesByHash', [
          block.hash,
          transaction,
        ])
        expect(hashOf(nodes.at(-1)!)).toBe(block.receiptsRoot)
        // Each node names the hash of the one below it.
        for (const [index, lower] of nodes.slice(0, -1).entries())
          expect(nodes[index + 1]).toContain(hashOf(lower).slice(2))
        const leaf = decodeRlp(fromHex(nodes[0]!)) as readonly Uint8Array[]
        expect(toHex(leaf[1]!)).toBe(await call(node, 'node_getRawTransactionReceiptByHash', [transaction]))
      }
    },
  )
})

test('unknown blocks and receipts are null', async () => {
  const { node, block } = await nodeWith(1, 'network-33')
  const unknown = `0x${'11'.repeat(32)}`
  const genesis = await call(node, 'eth_getBlockByNumber', ['earliest'])
  const [transaction] = block.transactions
  expect(await call(node, 'node_getTransactionReceiptNodesByHash', [unknown, transaction])).toBeNull()
  expect(await call(node, 'node_getTransactionReceiptNodesByHash', [genesis.hash, transaction])).toBeNull()
  expect(await call(node, 'node_getRawTransactionReceiptByHash', [unknown])).toBeNull()
  expect(await call(node, 'node_getRawBlockHeaderByNumber', ['0x99'])).toBeNull()
})

test('eth_protocolVersion and node_protocolVersion return the same', async () => {
  const node = await freshNode()
  expect(await call(node, 'eth_protocolVersion')).toBe(await call(node, 'node_protocolVersion'))
})

test('bans are listed once, as written, until they are removed', async () => {
  const node = await freshNode()
  for (const address of ['192.168.51.1', '192.168.51.1/16', '192.168.51.1']) {
    expect(await call(node, 'sco_banAddress', [address])).toBeNull()
  }
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['192.168.51.1', '192.168.51.1/16'])
  await call(node, 'sco_unbanAddress', ['192.168.51.1'])
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['192.168.51.1/16'])
})

test('a revert keeps a ban', async () => {
  const node = await freshNode()
  const id = await call(node, 'evm_snapshot')
  await call(node, 'sco_banAddress', ['10.1.2.3'])
  await call(node, 'evm_revert', [id])
  expect(await call(node, 'sco_bannedAddresses')).toEqual(['10.1.2.3'])
})

test('sco_banAddress refuses the node itself', async () => {
  const { message } = await refusal(await freshNode(), 'sco_banAddress', ['127.0.0.1'])
  expect(message).toContain('invalid banned address: a loopback or wildcard address is of the node itself')
})

test.each(['sco_banAddress', 'sco_unbanAddress'])('%s names an invalid address', async (method) => {
  const { kind, message } = await refusal(await freshNode(), method, ['localhost'])
  expect(kind).toBe('invalidParams')
  expect(message).toContain(
    'invalid banned address: expected an IP address or a range such as 10.0.0.0/8, got "localhost"',
  )
})

test('peer lists are empty and reputation counts are zero', async () => {
  const node = await freshNode()
  const summary = await call(node, 'sco_reputationSummary')
  expect(Object.keys(summary)).toHaveLength(17)
  expect(Object.values(summary).filter((count) => count !== 0)).toEqual([])
  for (const method of ['sco_peerList', 'net_peerList']) expect(await call(node, method)).toEqual([])
  expect(await call(node, 'sco_clearPeerScoring', ['10.1.2.3'])).toEqual([])
})
