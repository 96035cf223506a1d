import { describe, expect, test } from '@jest/globals'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import type { Node } from '../../../lib/node.ts'
import { loadContracts } from '../../support/contracts.ts'
import { call, freshNode, refusal } from '../../support/node.ts'

const { GameToken, VoteToken } = await loadContracts()

const OWNER = `0x${'77'.repeat(20)}` as const
const SPENDER = `0x${'88'.repeat(20)}` as const
const ELSEWHERE = `0x${'99'.repeat(20)}` as const
const MINTED = `0x${'66'.repeat(20)}` as const
const MOST = 2n ** 256n - 1n
const minterOf = async (node: Node): Promise<Hex> => (await call(node, 'eth_accounts'))[0]
const quantity = (amount: bigint) => `0x${amount.toString(16)}`

async function deploy(node: Node, data: Hex): Promise<Hex> {
  const from = await minterOf(node)
  const hash = await call(node, 'eth_sendTransaction', [{ from, data, gas: '0x400000' }])
  return (await call(node, 'eth_getTransactionReceipt', [hash])).contractAddress
}

const gameToken = (node: Node) => deploy(node, encodeDeployData({ ...GameToken, args: [SPENDER] }))
const voteToken = (node: Node) => deploy(node, encodeDeployData({ ...VoteToken, args: [MINTED, 1000n] }))

async function read(node: Node, to: Hex, functionName: string, args: readonly unknown[]): Promise<unknown> {
  const { abi } = GameToken
  const data: Hex = await call(node, 'eth_call', [
    { to, data: encodeFunctionData({ abi, functionName, args }) },
    'latest',
  ])
  return decodeFunctionResult({ abi, functionName, data })
}

/** Forwards its calldata to a contract, by STATICCALL or by DELEGATECALL, and returns a word. */
const forwarder = (opcode: 'fa' | 'f4', to: Hex): Hex =>
  `0x3660006000376020600036600073${to.slice(2)}5a${opcode}5060206000f3`

describe.each(['network-33', 'ethereum'])('the balance and allowance of a token, on %s', (network) => {
  test.each([
    ['minted', gameToken],
    ['counted as votes', voteToken],
  ])('is set: %s', async (_case, deployed) => {
    const node = await freshNode({ network })
    const token = await deployed(node)
    const supply = await read(node, token, 'totalSupply', [])
    for (const balance of [5n, 5n, 0n, 1n, MOST]) {
      expect(await call(node, 'anvil_dealERC20', [OWNER, token, quantity(balance)])).toBeNull()
      expect(await read(node, token, 'balanceOf', [OWNER])).toBe(balance)
    }
    expect(await read(node, token, 'totalSupply', [])).toBe(supply)
    expect(await read(node, token, 'balanceOf', [SPENDER])).toBe(0n)
  })

  test('can be spent once it is allowed', async () => {
    const node = await freshNode({ network })
    const token = await gameToken(node)
    const from = await minterOf(node)
    await call(node, 'hardhat_dealERC20', [OWNER, token, quantity(100n)])
    expect(await call(node, 'anvil_setERC20Allowance', [OWNER, from, token, quantity(40n)])).toBeNull()
    expect(await read(node, token, 'allowance', [OWNER, from])).toBe(40n)
    expect(await read(node, token, 'allowance', [from, OWNER])).toBe(0n)
    const transfer = { abi: GameToken.abi, functionName: 'transferFrom', args: [OWNER, SPENDER, 40n] }
    await call(node, 'eth_sendTransaction', [{ from, to: token, data: encodeFunctionData(transfer) }])
    expect(await read(node, token, 'balanceOf', [OWNER])).toBe(60n)
    expect(await read(node, token, 'allowance', [OWNER, from])).toBe(0n)
  })

  test('is undone by a revert', async () => {
    const node = await freshNode({ network })
    const token = await gameToken(node)
    const id = await call(node, 'evm_snapshot')
    await call(node, 'anvil_setERC20Balance', [OWNER, token, '0x5'])
    await call(node, 'evm_revert', [id])
    expect(await read(node, token, 'balanceOf', [OWNER])).toBe(0n)
  })

  test.each([
    ['in the storage of a proxy', 'f4'],
    ['in another contract', 'fa'],
  ] as const)('is found %s', async (_case, opcode) => {
    const node = await freshNode({ network })
    const token = await gameToken(node)
    await call(node, 'hardhat_setCode', [ELSEWHERE, forwarder(opcode, token)])
    await call(node, 'anvil_dealERC20', [OWNER, ELSEWHERE, '0x5'])
    expect(await read(node, ELSEWHERE, 'balanceOf', [OWNER])).toBe(5n)
    expect(await read(node, token, 'balanceOf', [OWNER])).toBe(opcode === 'fa' ? 5n : 0n)
  })
})

describe('a token whose storage is not found', () => {
  const noSlot = {
    kind: 'unknownSlot',
    message: expect.stringContaining(`token ${ELSEWHERE} has no word of storage`),
  }

  test.each([
    ['there is no contract', '0x'],
    ['the amount is computed', '0x600560005260206000f3'],
    ['a word is read that has no effect', '0x60005450600560005260206000f3'],
    ['two words are added', '0x6000546001540160010160005260206000f3'],
    ['the call fails', '0x60005460006000fd'],
  ])('is refused where %s, and nothing changes', async (_case, code) => {
    const node = await freshNode()
    if (code !== '0x') await call(node, 'hardhat_setCode', [ELSEWHERE, code])
    const before = await call(node, 'eth_getProof', [ELSEWHERE, ['0x0', '0x1'], 'latest'])
    expect(await refusal(node, 'anvil_dealERC20', [OWNER, ELSEWHERE, '0x5'])).toEqual(noSlot)
    expect(await refusal(node, 'anvil_setERC20Allowance', [OWNER, SPENDER, ELSEWHERE, '0x5'])).toEqual(noSlot)
    expect(await call(node, 'eth_getProof', [ELSEWHERE, ['0x0', '0x1'], 'latest'])).toEqual(before)
  })
})
