/** A chain id that changes between blocks (anvil_setChainId). */

import { describe, expect, test } from '@jest/globals'
import { parseGwei, parseTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import type { Node } from '../../lib/node/node.ts'
import { createNode, createProvider } from '../../lib/index.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { COW, keyOf } from '../support/signing.ts'

/** Code that stores the chain id at the slot of the block's number, and returns it. */
const KEEPER_CODE = '0x464355465f5260205ff3'
const KEEPER = '0x00000000000000000000000000000000000c4a1d'
const GAS_PRICE = parseGwei('10')

/** A transaction that viem signs for a chain id. */
async function touch(node: Node, chainId: number): Promise<string> {
  const account = privateKeyToAccount(toHex(keyOf('cow')))
  const nonce = Number(await call(node, 'eth_getTransactionCount', [COW, 'pending']))
  const fields = { chainId, nonce, to: KEEPER, gas: 100_000n } as const
  const signed = await account.signTransaction(
    node.network.kind.name === 'ethereum'
      ? { ...fields, type: 'eip1559', maxFeePerGas: GAS_PRICE, maxPriorityFeePerGas: 1n }
      : { ...fields, type: 'legacy', gasPrice: GAS_PRICE },
  )
  return call(node, 'eth_sendRawTransaction', [signed])
}

async function keeperNode(options: OptionsInput = {}): Promise<Node> {
  const node = await freshNode(options)
  await call(node, 'hardhat_setCode', [KEEPER, KEEPER_CODE])
  await call(node, 'hardhat_setBalance', [COW, '0xde0b6b3a7640000'])
  return node
}

const idSeenBy = async (node: Node): Promise<number> =>
  Number(await call(node, 'eth_call', [{ to: KEEPER, from: COW }]))

describe.each(['network-33', 'ethereum'])('anvil_setChainId on %s', (network) => {
  test('changes eth_chainId, net_version, CHAINID, and the id that signed transactions need', async () => {
    const node = await keeperNode({ network })
    const old = node.network.chainId
    await touch(node, Number(old))
    expect(await call(node, 'anvil_setChainId', [4242])).toBeNull()
    expect(await call(node, 'eth_chainId')).toBe('0x1092')
    expect(await call(node, 'net_version')).toBe('4242')
    expect(await call(node, 'hardhat_metadata')).toMatchObject({ chainId: 4242 })
    expect(await idSeenBy(node)).toBe(4242)

    const hash = await touch(node, 4242)
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      blockNumber: '0x2',
    })
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({ chainId: '0x1092' })
    expect(Number(await call(node, 'eth_getStorageAt', [KEEPER, '0x2', 'latest']))).toBe(4242)
    await expect(touch(node, Number(old))).rejects.toThrow(
      `invalid chain id: the transaction is signed for ${old}, this chain is 4242`,
    )
  })

  test('lets the node sign transactions for the new id', async () => {
    const node = await keeperNode({ network })
    await call(node, 'anvil_setChainId', ['0x1092'])
    const [from] = await call(node, 'eth_accounts')
    const hash = await call(node, 'eth_sendTransaction', [{ from, to: KEEPER, gas: '0x186a0' }])
    expect(parseTransaction(await call(node, 'eth_getRawTransactionByHash', [hash]))).toMatchObject({
      chainId: 4242,
    })
    expect(await refusal(node, 'eth_sendTransaction', [{ from, to: KEEPER, chainId: '0x1' }])).toMatchObject({
      message: expect.stringContaining('the transaction is for 1, this chain is 4242'),
    })
  })

  test('keeps the old id in traces of older blocks', async () => {
    const node = await keeperNode({ network })
    const before = await touch(node, Number(node.network.chainId))
    await call(node, 'anvil_setChainId', [4242])
    const after = await touch(node, 4242)
    for (const [hash, id] of [
      [before, node.network.chainId],
      [after, 4242n],
    ] as const) {
      const trace = await call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])
      expect(BigInt(trace.output)).toBe(id)
    }
  })

  test('drops pooled transactions of another id, and is undone by a revert', async () => {
    const node = await keeperNode({ network, noMining: true })
    const own = Number(node.network.chainId)
    const waiting = await touch(node, own)
    const snapshot = await call(node, 'evm_snapshot')
    await call(node, 'anvil_setChainId', [4242])
    expect(await call(node, 'txpool_status')).toMatchObject({ pending: 0 })
    expect(await call(node, 'eth_getTransactionByHash', [waiting])).toBeNull()
    await call(node, 'evm_revert', [snapshot])
    expect(Number(await call(node, 'eth_chainId'))).toBe(own)
    expect(await call(node, 'txpool_status')).toMatchObject({ pending: 1 })
    await call(node, 'evm_mine')
    expect(Number(await call(node, 'eth_getStorageAt', [KEEPER, '0x1', 'latest']))).toBe(own)
  })

  test('is kept in a dumped state with the ids of older blocks', async () => {
    const node = await keeperNode({ network })
    const before = await touch(node, Number(node.network.chainId))
    await call(node, 'anvil_setChainId', [4242])
    const after = await touch(node, 4242)
    const other = await freshNode({ network })
    await call(other, 'dev_loadState', [await call(node, 'dev_dumpState')])
    expect(await call(other, 'eth_chainId')).toBe('0x1092')
    const outputs = [before, after].map(
      async (hash) => (await call(other, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])).output,
    )
    expect((await Promise.all(outputs)).map(Number)).toEqual([Number(node.network.chainId), 4242])
    await touch(other, 4242)
  })

  test('refuses ids above the safe integers of clients', async () => {
    const node = await freshNode({ network })
    for (const id of ['0x0', '0x20000000000000'])
      expect(await refusal(node, 'anvil_setChainId', [id])).toMatchObject({ kind: 'invalidParams' })
    expect(BigInt(await call(node, 'eth_chainId'))).toBe(node.network.chainId)
  })
})

test('authorizations are checked against the id of their block (EIP-7702)', async () => {
  const node = await keeperNode({ network: 'ethereum' })
  await call(node, 'anvil_setChainId', [4242])
  const authority = privateKeyToAccount(toHex(keyOf('authority')))
  const delegationAfter = async (chainId: number): Promise<string> => {
    const authorization = await authority.signAuthorization({ address: KEEPER, chainId, nonce: 0 })
    const nonce = Number(await call(node, 'eth_getTransactionCount', [COW]))
    const signed = await privateKeyToAccount(toHex(keyOf('cow'))).signTransaction({
      type: 'eip7702',
      chainId: 4242,
      nonce,
      to: COW,
      gas: 100_000n,
      maxFeePerGas: GAS_PRICE,
      maxPriorityFeePerGas: 1n,
      authorizationList: [authorization],
    })
    await call(node, 'eth_sendRawTransaction', [signed])
    return call(node, 'eth_getCode', [authority.address.toLowerCase()])
  }
  expect(await delegationAfter(31337)).toBe('0x')
  expect(await delegationAfter(4242)).toBe(`0xef0100${KEEPER.slice(2)}`)
})

test('a provider emits chainChanged (EIP-1193)', async () => {
  const node = await createNode()
  const provider = createProvider(node)
  const heard: string[] = []
  provider.on('chainChanged', (chainId) => heard.push(chainId))
  const id = await provider.request({ method: 'evm_snapshot' })
  await provider.request({ method: 'anvil_setChainId', params: [5] })
  await provider.request({ method: 'evm_revert', params: [id] })
  expect(heard).toEqual(['0x5', '0x21'])
  await node.close()
})
