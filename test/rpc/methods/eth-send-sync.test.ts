/** Transactions that return their receipt. */

import { describe, expect, test } from '@jest/globals'
import type { Node } from '../../../lib/node/node.ts'
import { assembleCode } from '../../support/bytecode.ts'
import { createWalletClient, custom } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { toHex } from '../../../lib/base/hex.ts'
import type { Hex } from '../../../lib/base/hex.ts'
import { createNode, createProvider } from '../../../lib/index.ts'
import { nextTurn } from '../../../lib/base/host.ts'
import { ManualHost, call, dispatcherOf, elapse, freshNode, refusal } from '../../support/node.ts'

const TO: Hex = `0x${'bb'.repeat(20)}`
const transfer = (node: Node) => ({ from: node.funded[0]!.address, to: TO, value: '0x5', gas: '0x5208' })

/** Signs a transfer without sending it. */
const signed = (node: Node): Promise<string> =>
  call(node, 'eth_signTransaction', [transfer(node)], 'ethereum')

describe('eth_sendRawTransactionSync', () => {
  test('returns the receipt at once with instant mining', async () => {
    const node = await freshNode()
    const receipt = await call(node, 'eth_sendRawTransactionSync', [await signed(node)])
    expect(receipt).toMatchObject({ status: '0x1', blockNumber: '0x1' })
    expect(await call(node, 'eth_getTransactionReceipt', [receipt.transactionHash])).toEqual(receipt)
  })

  test.each(['node33', 'hardhat', 'ethereum'] as const)(
    'returns the receipt of a revert in dialect %s',
    async (dialect) => {
      const node = await freshNode()
      const reverting = {
        ...transfer(node),
        to: undefined,
        data: toHex(assembleCode('0 0 REVERT')),
        gas: '0x186a0',
      }
      expect(await call(node, 'eth_sendTransactionSync', [reverting], dialect)).toMatchObject({
        status: '0x0',
      })
    },
  )

  test('waits for a later block, and other requests are served meanwhile', async () => {
    const node = await freshNode({ mining: false })
    const pending = call(node, 'eth_sendRawTransactionSync', [await signed(node)])
    const [hash] = Object.values<any>(await call(node, 'eth_pendingTransactions')).map((each) => each.hash)
    await call(node, 'evm_mine')
    expect(await pending).toMatchObject({ transactionHash: hash, status: '0x1', blockNumber: '0x1' })
  })

  test('returns an error with the hash after the time-out, and keeps the transaction in the pool', async () => {
    const host = new ManualHost()
    const node = await freshNode({ mining: false }, host)
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_sendRawTransactionSync',
      params: [await signed(node), 500],
    }
    const answer = dispatcherOf(node).answer(JSON.stringify(body), 'ethereum')
    while (host.waiting === 0) await nextTurn()
    await elapse(node, host, 499)
    expect(host.waiting).toBe(1)
    await elapse(node, host, 1)
    const { error } = JSON.parse((await answer)!)
    const [{ hash }] = await call(node, 'eth_pendingTransactions')
    expect(error).toEqual({
      code: 4,
      message: "The transaction was added to the transaction pool but wasn't processed in 500 ms",
      data: hash,
    })
  })

  test('returns the receipt to a wallet of viem', async () => {
    await using node = await createNode({ network: 'ethereum', frozenTime: true })
    const transport = custom(createProvider(node, { dialect: 'ethereum' }))
    const wallet = createWalletClient({ transport, account: privateKeyToAccount(`0x${'42'.repeat(32)}`) })
    const { address } = wallet.account
    await node.provider.request({ method: 'hardhat_setBalance', params: [address, '0xde0b6b3a7640000'] })
    const receipt = await wallet.sendTransactionSync({ to: TO, value: 1n, chain: null, timeout: 5000 })
    expect(receipt).toMatchObject({ status: 'success', from: address.toLowerCase(), to: TO })
  })

  test('refuses what the pool refuses', async () => {
    const node = await freshNode()
    const raw = await signed(node)
    await call(node, 'eth_sendRawTransactionSync', [raw])
    expect((await refusal(node, 'eth_sendRawTransactionSync', [raw])).kind).toBe('nonceTooLow')
  })
})
