/** The auxiliary chain of a node through its methods: steps of a peg-in, snapshots, worlds, states. */

import { describe, expect, test } from '@jest/globals'
import { AbiCoder } from 'ethers'
import { toHex } from '../../../../lib/base/hex.ts'
import { allMethods } from '../../../../scripts/all-methods.ts'
import { AUX_GENESIS_HEADER, keyScript, mineHeaders, witnessKeyInput } from '../support/aux-chain.ts'
import type { Spent } from '../support/aux-chain.ts'
import { dataOf } from '../support/bridge.ts'
import { call, freshNode, refusal } from '../../../support/node.ts'
import {
  BRIDGE,
  MINIMUM,
  UNUSED,
  balance,
  bridgeEvents,
  callBridge,
  payment,
  register,
} from '../support/peg-in.ts'
import { COW1, keyOf } from '../../../support/signing.ts'

describe('the steps of a peg-in', () => {
  test.each([
    ['by key hash', undefined],
    ['with a witness', witnessKeyInput(keyOf('cow1'))],
  ])('taken alone, %s, pay once', async (_case, input) => {
    const node = await freshNode()
    const before = await balance(node, COW1)
    const txid = await call(node, 'dev_auxSend', [payment(input)])
    expect(await call(node, 'dev_auxTransaction', [txid])).toMatchObject({
      height: null,
      confirmations: '0x0',
    })
    await call(node, 'dev_auxMine', [1])
    const early = await register(node, await call(node, 'dev_auxTransaction', [txid]))
    expect(await bridgeEvents(node, early)).toEqual([])
    expect(await call(node, 'dev_auxMine', [2])).toMatchObject({ height: '0x3' })
    const proof = await call(node, 'dev_auxTransaction', [txid])
    expect(allMethods.find('dev_auxTransaction')!.result.parse(proof)).toEqual(proof)
    expect(proof.hasWitness).toBe(input !== undefined)
    expect(await bridgeEvents(node, await register(node, { ...proof, height: '0x2' }))).toEqual([])
    expect(await balance(node, COW1)).toBe(before)
    expect(await bridgeEvents(node, await register(node, proof))).toEqual([['pegin_aux', 0n]])
    expect(await bridgeEvents(node, await register(node, proof))).toEqual([])
    expect(await balance(node, COW1)).toBe(before + 5n * 10n ** 15n)
  })

  test('prove each transaction of a block of many', async () => {
    const node = await freshNode()
    const amounts = [500_000n, 600_000n, 700_000n, 800_000n, 900_000n]
    const inputs = amounts.map((_, index): Spent => ({ script: keyScript(keyOf(`cow${index}`)) }))
    const raws = amounts.map((sat, index) =>
      // Bytes 5 to 37 are the id of the spent transaction: each spends another one.
      payment(inputs[index], sat).replace('07'.repeat(32), `0${index}`.repeat(32)),
    )
    const txids = []
    for (const raw of raws) txids.push(await call(node, 'dev_auxSend', [raw]))
    await call(node, 'dev_auxMine', [3])
    for (const txid of txids) {
      const proof = await call(node, 'dev_auxTransaction', [txid])
      expect(await bridgeEvents(node, await register(node, proof))).toEqual([['pegin_aux', 0n]])
    }
  })

  test('register the coinbase of a block with witnesses, as a user could', async () => {
    const node = await freshNode()
    const txid = await call(node, 'dev_auxSend', [payment(witnessKeyInput(keyOf('cow1')))])
    const id = await call(node, 'evm_snapshot')
    const { transactionHashes } = await call(node, 'dev_auxMine', [1])
    expect(transactionHashes).toHaveLength(2)
    const { coinbase, blockHash } = await call(node, 'dev_auxTransaction', [txid])
    const ask = async (name: string, args: unknown[] = []) =>
      call(node, 'eth_call', [{ to: BRIDGE, data: dataOf(name, args) }])
    const isKnown = async () =>
      BigInt(await ask('hasAuxBlockCoinbaseTransactionInformation', [blockHash])) === 1n
    expect(await isKnown()).toBe(true)
    const [header] = AbiCoder.defaultAbiCoder().decode(
      ['bytes'],
      await ask('getAuxBlockchainBestBlockHeader'),
    )
    await call(node, 'evm_revert', [id])
    expect(await isKnown()).toBe(false)
    await callBridge(node, 'receiveHeader', [header])
    const { raw, partialMerkleTree, witnessRoot, witnessReservedValue } = coinbase
    const args = [raw, blockHash, partialMerkleTree, witnessRoot, witnessReservedValue]
    await callBridge(node, 'registerAuxCoinbaseTransaction', args)
    expect(await isKnown()).toBe(true)
  })
})

describe('the auxiliary chain', () => {
  const request = { to: UNUSED, amount: MINIMUM }

  test('is restored by a revert and emptied by a reset', async () => {
    const node = await freshNode()
    const { txid: first } = await call(node, 'dev_pegIn', [request])
    const waiting = await call(node, 'dev_auxSend', [payment()])
    const id = await call(node, 'evm_snapshot')
    const { txid: second } = await call(node, 'dev_pegIn', [request])
    await call(node, 'evm_revert', [id])
    const found = async () =>
      Promise.all(
        [first, waiting, second].map(
          async (txid) => (await call(node, 'dev_auxTransaction', [txid]))?.confirmations,
        ),
      )
    expect(await found()).toEqual(['0x3', '0x0', undefined])
    // The same call makes the same transaction again.
    expect((await call(node, 'dev_pegIn', [request])).txid).toBe(second)
    expect(await found()).toEqual(['0x6', '0x3', '0x3'])
    expect(await balance(node, UNUSED)).toBe(10n ** 16n)
    await call(node, 'evm_reset')
    expect(await found()).toEqual([undefined, undefined, undefined])
    expect((await call(node, 'dev_pegIn', [request])).txid).toBe(first)
  })

  test('of a world begins with that of its parent and goes its own way', async () => {
    const node = await freshNode()
    const { txid } = await call(node, 'dev_pegIn', [request])
    const world = node.worlds.create('one').chain
    expect(await call(world, 'dev_auxMine', [2])).toMatchObject({ height: '0x5' })
    expect(await call(world, 'dev_auxTransaction', [txid])).toMatchObject({ confirmations: '0x5' })
    expect(await call(node, 'dev_auxTransaction', [txid])).toMatchObject({ confirmations: '0x3' })
    expect(await call(node, 'dev_auxMine', [0])).toMatchObject({ height: '0x3', transactionHashes: [] })
    await node.close()
  })

  test('is not in a saved state, whose Bridge it continues', async () => {
    const node = await freshNode()
    const { txid } = await call(node, 'dev_pegIn', [request])
    const state = await call(node, 'dev_dumpState')
    for (const loaded of [node, await freshNode()]) {
      await call(loaded, 'dev_loadState', [state])
      expect(await call(loaded, 'dev_auxTransaction', [txid])).toBeNull()
      const again = await call(loaded, 'dev_pegIn', [request])
      expect(again.txid).not.toBe(txid)
      expect(await call(loaded, 'dev_auxTransaction', [again.txid])).toMatchObject({ height: '0x4' })
      expect(await balance(loaded, UNUSED)).toBe(10n ** 16n)
    }
  })

  test('continues on a header that somebody else sent', async () => {
    const node = await freshNode()
    await callBridge(node, 'receiveHeader', [toHex(mineHeaders(AUX_GENESIS_HEADER, 1)[0]!)])
    const { txid } = await call(node, 'dev_pegIn', [request])
    expect(await call(node, 'dev_auxTransaction', [txid])).toMatchObject({ height: '0x2' })
    expect(await balance(node, UNUSED)).toBe(5n * 10n ** 15n)
  })

  test('sends the Bridge again what a reorganization has removed', async () => {
    const node = await freshNode()
    const txid = await call(node, 'dev_auxSend', [payment(witnessKeyInput(keyOf('cow1')))])
    await call(node, 'dev_auxMine', [3])
    await call(node, 'anvil_reorg', [2, []])
    expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(0)
    expect((await call(node, 'dev_auxMine', [0])).transactionHashes).toHaveLength(2)
    expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(3)
    const hash = await register(node, await call(node, 'dev_auxTransaction', [txid]))
    expect(await bridgeEvents(node, hash)).toEqual([['pegin_aux', 0n]])
  })

  test('sends many headers in several transactions', async () => {
    const node = await freshNode()
    expect((await call(node, 'dev_auxMine', [201])).transactionHashes).toHaveLength(3)
    expect((await call(node, 'eth_bridgeState')).auxBlockchainBestChainHeight).toBe(201)
  })
})

test.each([
  ['dev_auxMine', [2]],
  ['dev_pegIn', [{ to: COW1, amount: '0x11c37937e08000' }]],
])('%s that is refused changes nothing', async (method, params) => {
  const node = await freshNode()
  await call(node, 'evm_setBlockGasLimit', ['0x1'])
  const before = node.instance.peek()
  expect((await refusal(node, method, params)).message).toMatch(/block gas limit/)
  expect(node.instance.peek()).toEqual(before)
})

test.each([
  ['dev_auxSend', [payment()]],
  ['dev_auxMine', []],
  ['dev_auxTransaction', [`0x${'00'.repeat(32)}`]],
])('%s does not exist on an Ethereum network', async (method, params) => {
  const node = await freshNode({ network: 'ethereum' })
  await expect(call(node, method, params)).rejects.toMatchObject({ kind: 'methodNotFound' })
})
