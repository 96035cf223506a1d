/** eth_createAccessList: the list is exact, and never costs more if it names accounts other than the called contract. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../../lib/base/hex.ts'
import type { Node } from '../../../lib/node/node.ts'
import { CONTRACTS, creationCode, words } from '../../support/bytecode.ts'
import { call, freshNode } from '../../support/node.ts'

type List = readonly { readonly address: string; readonly storageKeys: readonly string[] }[]

async function deployed(node: Node, runtime: Uint8Array): Promise<string> {
  const from = node.funded[0]!.address
  const data = toHex(creationCode(runtime))
  const hash = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0x186a0' }])
  return (await call(node, 'eth_getTransactionReceipt', [hash])).contractAddress
}

/** A node with a contract that calls another, which writes to its slot 5. */
async function nested() {
  const node = await freshNode({ network: 'ethereum' })
  const from = node.funded[0]!.address
  const [to, callee] = [await deployed(node, CONTRACTS.forward), await deployed(node, CONTRACTS.store)]
  const data = `${words([BigInt(callee)])}${words([5n, 9n]).slice(2)}`
  return { node, callee, request: { from, to, data, gas: '0x186a0' } }
}

const listFor = async (node: Node, request: object): Promise<{ accessList: List; gasUsed: string }> =>
  call(node, 'eth_createAccessList', [request, 'latest'])

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`

describe('the list', () => {
  test('has the accessed accounts and slots, and no others', async () => {
    const { node, callee, request } = await nested()
    const { accessList } = await listFor(node, request)
    expect(accessList).toEqual([
      { address: callee, storageKeys: [word(5)] },
      { address: request.to, storageKeys: [word(78)] },
    ])
  })

  test('is complete: with it nothing else is accessed', async () => {
    const { node, request } = await nested()
    const { accessList, gasUsed } = await listFor(node, request)
    const again = await listFor(node, { ...request, accessList })
    expect(again).toEqual({ accessList, gasUsed })
  })

  test('leaves out the sender, the receiver and precompiles without slots', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const to = await deployed(node, CONTRACTS.forwardLimited)
    const from = node.funded[0]!.address
    const data = words([4n, 1n])
    expect((await listFor(node, { from, to, data, gas: '0x30d40' })).accessList).toEqual([])
  })

  test('has the delegate of a called account, and not the delegate of the receiver', async () => {
    const { node, callee, request } = await nested()
    const [receiver, called] = [`0x${'e1'.repeat(20)}`, `0x${'e2'.repeat(20)}`]
    await call(node, 'hardhat_setCode', [receiver, `0xef0100${request.to.slice(2)}`])
    await call(node, 'hardhat_setCode', [called, `0xef0100${callee.slice(2)}`])
    const data = `${words([BigInt(called)])}${words([5n, 9n]).slice(2)}`
    const delegated = { ...request, to: receiver, data }
    const { accessList, gasUsed } = await listFor(node, delegated)
    expect(accessList).toEqual([
      { address: called, storageKeys: [word(5)] },
      { address: callee, storageKeys: [] },
      { address: receiver, storageKeys: [word(78)] },
    ])
    const hash = await call(node, 'eth_sendTransaction', [{ ...delegated, accessList }])
    expect((await call(node, 'eth_getTransactionReceipt', [hash])).gasUsed).toBe(gasUsed)
  })
})

describe('the gas', () => {
  test('is what the transaction uses with the list, to the unit', async () => {
    const { node, request } = await nested()
    const { accessList, gasUsed } = await listFor(node, request)
    const hash = await call(node, 'eth_sendTransaction', [{ ...request, accessList }])
    expect((await call(node, 'eth_getTransactionReceipt', [hash])).gasUsed).toBe(gasUsed)
  })

  test('is at most the gas without the list, where slots of other accounts are accessed', async () => {
    const { node, callee, request } = await nested()
    const { accessList } = await listFor(node, request)
    const others = accessList.filter(({ address }) => address === callee)
    const id = await call(node, 'evm_snapshot')
    const used: bigint[] = []
    for (const list of [[], others]) {
      const hash = await call(node, 'eth_sendTransaction', [{ ...request, accessList: list }])
      used.push(BigInt((await call(node, 'eth_getTransactionReceipt', [hash])).gasUsed))
      await call(node, 'evm_revert', [id])
    }
    // 2600 - 2400 - 100 for the account, 2100 - 1900 for the slot that is written (EIP-2929, EIP-2930).
    expect(used[0]! - used[1]!).toBe(300n)
  })

  test('of a failed call comes with the error', async () => {
    const node = await freshNode({ network: 'ethereum' })
    const to = await deployed(node, CONTRACTS.revert)
    const from = node.funded[0]!.address
    const answer = await call(node, 'eth_createAccessList', [{ from, to }], 'ethereum')
    expect(answer).toMatchObject({ accessList: [], error: 'execution reverted' })
  })
})

test('a network without such transactions returns the list, and the gas without it', async () => {
  const node = await freshNode()
  const to = await deployed(node, CONTRACTS.store)
  const request = { from: node.funded[0]!.address, to, data: words([1n, 2n]), gas: '0x186a0' }
  const { accessList, gasUsed } = await listFor(node, request)
  expect(accessList).toEqual([{ address: to, storageKeys: [word(1)] }])
  const hash = await call(node, 'eth_sendTransaction', [request])
  expect((await call(node, 'eth_getTransactionReceipt', [hash])).gasUsed).toBe(gasUsed)
})
