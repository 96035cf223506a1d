/** Stories of the Bridge through the whole node: transactions, receipts, states. */

import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { fromHex, toHex } from '../../lib/base/hex.ts'
import { keccak256 } from '../../lib/crypto/keccak.ts'
import { curve } from '../../lib/crypto/secp256k1.ts'
import { doubleSha256 } from '../../lib/crypto/sha256.ts'
import {
  readAuxTransaction,
  plainSignatureHash,
} from '../../lib/modules/network-33/bridge/aux-transaction.ts'
import { genesisFederation, redeemScript } from '../../lib/modules/network-33/bridge/federation.ts'
import { BRIDGE_EVENTS } from '../../lib/modules/network-33/bridge/events.ts'
import type { Node } from '../../lib/node/node.ts'
import {
  AUX_GENESIS_HEADER,
  blockOfOne,
  derOf,
  mineHeader,
  mineHeaders,
  minedPegIn,
} from '../modules/network-33/support/aux-chain.ts'
import { COW, dataOf } from '../modules/network-33/support/bridge.ts'
import { readBridgeState } from '../modules/network-33/support/bridge-state.ts'
import { sendAs, sendAsMember, voteFee } from '../modules/network-33/support/network-33-remote.ts'
import type { AskRemote } from '../modules/network-33/support/network-33-remote.ts'
import { call, freshNode } from '../support/node.ts'
import { COW1 } from '../support/signing.ts'

const BRIDGE = '0x0000000000000000000000000000000001000006'
const secret = (phrase: string) => keccak256(new Uint8Array(Buffer.from(phrase)))

async function send(node: Node, transaction: object) {
  const hash = await call(node, 'eth_sendTransaction', [{ to: BRIDGE, gas: '0x4c4b40', ...transaction }])
  return call(node, 'eth_getTransactionReceipt', [hash])
}

const asking =
  (node: Node): AskRemote =>
  (method, params = []) =>
    call(node, method, params)

const balance = async (node: Node, address: string, block = 'latest') =>
  BigInt(await call(node, 'eth_getBalance', [address, block]))

const ask = async (node: Node, name: string, args: unknown[] = [], block = 'latest') =>
  call(node, 'eth_call', [{ to: BRIDGE, data: dataOf(name, args) }, block])

describe('a peg-out by a plain transfer', () => {
  test('logs the address of the signing key and uses 44,000 gas', async () => {
    const node = await freshNode()
    const receipt = await send(node, { from: COW, value: '0xde0b6b3a7640000' })
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0xabe0' })
    expect(receipt.logs[0]).toMatchObject({
      address: BRIDGE,
      topics: [BRIDGE_EVENTS.release_request_received.topic, `0x${'00'.repeat(12)}${COW.slice(2)}`],
    })
    const [destination] = AbiCoder.defaultAbiCoder().decode(['string', 'uint256'], receipt.logs[0].data)
    expect(destination).toBe('n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm')
    expect(BigInt(await ask(node, 'getQueuedPegoutsCount'))).toBe(1n)
    expect(BigInt(await ask(node, 'getQueuedPegoutsCount', [], '0x0'))).toBe(0n)
  })

  test('of less than the minimum returns the value to the sender', async () => {
    const node = await freshNode()
    const before = await balance(node, COW)
    const receipt = await send(node, { from: COW, value: '0x1', gasPrice: '0x0' })
    expect(receipt.logs[0].topics[0]).toBe(BRIDGE_EVENTS.release_request_rejected.topic)
    expect(await balance(node, COW)).toBe(before)
  })

  test('is estimated at the gas it uses', async () => {
    const node = await freshNode()
    const transfer = { from: COW, to: BRIDGE, value: '0xde0b6b3a7640000' }
    expect(await call(node, 'eth_estimateGas', [transfer])).toBe('0xabe0')
  })
})

describe('the keys of the Bridge', () => {
  test('send without gas price and balance, and set the fee', async () => {
    const node = await freshNode()
    const receipt = await voteFee(asking(node), 200_000n)
    expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x0' })
    expect(BigInt(await ask(node, 'getFeePerKb'))).toBe(200_000n)
    expect(await balance(node, receipt.from)).toBe(0n)
  })
})

describe('a peg-in', () => {
  const { headers, registration } = minedPegIn(secret('cow1'), 500_000n)

  test('of registered headers pays the receiver, and a revert undoes it', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    const before = await balance(node, COW1)
    await sendAsMember(asking(node), 'receiveHeaders', headers)
    expect(await call(node, 'eth_bridgeState')).toEqual({
      auxBlockchainBestChainHeight: 3,
      nodeTxsWaitingForSignatures: [],
    })
    const data = dataOf('registerAuxTransaction', registration)
    const receipt = await send(node, { from: COW, data })
    expect(receipt.logs[0].topics[0]).toBe(BRIDGE_EVENTS.pegin_aux.topic)
    expect(await balance(node, COW1)).toBe(before + 5n * 10n ** 15n)
    expect(await balance(node, COW1, '0x1')).toBe(before)
    await call(node, 'evm_revert', [id])
    expect(await balance(node, COW1)).toBe(before)
    expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(0)
  })

  test('whose headers the Bridge refuses succeeds and changes nothing (node-chain 8.2)', async () => {
    const node = await freshNode({ federation: 'off' })
    const data = dataOf('receiveHeaders', headers)
    const receipt = await send(node, { from: COW, data, value: '0x5' })
    expect(receipt).toMatchObject({ status: '0x1', logs: [] })
    expect(await balance(node, BRIDGE)).toBe(21_000_000n * 10n ** 18n)
  })
})

/** A node whose federation has a coin of 500,000 sat. */
async function nodeWithCoin(): Promise<Node> {
  // The tests are the federation.
  const node = await freshNode({ federation: 'off' })
  const { headers, registration } = minedPegIn(secret('cow1'), 500_000n)
  await sendAsMember(asking(node), 'receiveHeaders', headers)
  await send(node, { from: COW, data: dataOf('registerAuxTransaction', registration) })
  return node
}

test('eth_bridgeState lists batches that wait for signatures by their transactions', async () => {
  const node = await nodeWithCoin()
  await send(node, { from: COW, value: '0x8e1bc9bf04000' })
  const update = () => sendAsMember(asking(node), 'updateCollections')
  const made = await update()
  await call(node, 'hardhat_mine', ['0x2'])
  await update()
  const { nodeTxsWaitingForSignatures } = await call(node, 'eth_bridgeState')
  expect(nodeTxsWaitingForSignatures).toEqual([made.transactionHash.slice(2)])
})

test('a peg-out ends with a transaction that members signed, and its change comes back', async () => {
  const node = await nodeWithCoin()
  await send(node, { from: COW, value: '0x8e1bc9bf04000' })
  const { transactionHash } = await sendAsMember(asking(node), 'updateCollections')
  await call(node, 'hardhat_mine', ['0x2'])
  await sendAsMember(asking(node), 'updateCollections')
  const { raw: waiting } = (await stateAt(node, 'latest')).signing[0]!
  const hash = plainSignatureHash(readAuxTransaction(fromHex(`0x${waiting}`)), {
    index: 0,
    script: redeemScript(genesisFederation('9.0.3')),
  })
  const sign = (phrase: string) => {
    const key = toHex(curve.encodePoint(curve.publicKey(secret(phrase))))
    const signature = derOf(curve.sign(hash, secret(phrase)))
    return sendAs(asking(node), phrase, dataOf('addSignature', [key, [signature], transactionHash]))
  }
  expect((await sign('federator3')).logs).toHaveLength(1)
  const { logs } = await sign('federator1')
  expect(logs[1].topics).toEqual([BRIDGE_EVENTS.release_aux.topic, transactionHash])
  const [raw] = AbiCoder.defaultAbiCoder().decode(['bytes'], logs[1].data)
  const { root, tree } = blockOfOne(doubleSha256(fromHex(raw)))
  const header = mineHeader(AUX_GENESIS_HEADER, root)
  // A longer chain without the block of the peg-in.
  await sendAsMember(asking(node), 'receiveHeaders', [[header, ...mineHeaders(header, 3)].map(toHex)])
  await send(node, { from: COW, data: dataOf('registerAuxTransaction', [raw, 1n, toHex(tree)]) })
  expect(await stateAt(node, 'latest')).toMatchObject({ signing: [], outputs: [{ sat: 250_000n, index: 1 }] })
})

/** The state of the Bridge after a block. */
async function stateAt(node: Node, block: string) {
  const encoded = await ask(node, 'getStateForDebugging', [], block)
  return readBridgeState(AbiCoder.defaultAbiCoder().decode(['bytes'], encoded)[0])
}

test('getStateForDebugging returns the state of the requested block', async () => {
  const node = await nodeWithCoin()
  const id = await call(node, 'evm_snapshot')
  const before = await stateAt(node, 'latest')
  const asked = await send(node, { from: COW, value: '0x8e1bc9bf04000' })
  const made = await sendAsMember(asking(node), 'updateCollections')
  expect((await stateAt(node, asked.blockNumber)).queue).toMatchObject([
    { sat: 250_000n, transactionHash: asked.transactionHash.slice(2) },
  ])
  expect(await stateAt(node, made.blockNumber)).toMatchObject({
    queue: [],
    confirming: [{ createdIn: BigInt(made.blockNumber), transactionHash: made.transactionHash.slice(2) }],
  })
  expect(await stateAt(node, '0x2')).toEqual(before)
  await call(node, 'evm_revert', [id])
  expect(await stateAt(node, 'latest')).toEqual(before)
})
