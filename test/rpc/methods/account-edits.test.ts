import { describe, expect, test } from '@jest/globals'
import { decodeFunctionResult, encodeDeployData, encodeFunctionData } from 'viem'
import type { Hex } from 'viem'
import type { Dialect } from '../../../lib/config/dialect.ts'
import { call, dispatcherOf, freshNode, refusal } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'
import type { Node } from '../../../lib/node/node.ts'
import { loadContracts } from '../../support/contracts.ts'

const STRANGER = `0x${'77'.repeat(20)}`

describe('accounts', () => {
  test('are edited under every name', async () => {
    const node = await freshNode()
    const head = await call(node, 'eth_getBlockByNumber', ['latest', false])
    for (const [index, name] of [
      'hardhat_setBalance',
      'anvil_setBalance',
      'evm_setAccountBalance',
    ].entries()) {
      expect(await call(node, name, [STRANGER, `0x${index + 1}`])).toBe(true)
      expect(await call(node, 'eth_getBalance', [STRANGER])).toBe(`0x${index + 1}`)
    }
    await call(node, 'anvil_addBalance', [STRANGER, '0x7'])
    await call(node, 'hardhat_addBalance', [STRANGER, '0x8'])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setCode', [STRANGER, '0x60006000fd'])
    await call(node, 'hardhat_setStorageAt', [STRANGER, '0x1', '0x2a'])
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await call(node, 'eth_getCode', [STRANGER])).toBe('0x60006000fd')
    expect(await call(node, 'eth_getStorageAt', [STRANGER, '0x1'])).toBe(`0x${'0'.repeat(62)}2a`)
    expect(await call(node, 'eth_getBlockByNumber', ['latest', false])).toEqual(head)
    await call(node, 'evm_mine')
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x12')
    expect(await call(node, 'eth_getBalance', [STRANGER, 'earliest'])).toBe('0x12')
  })

  test('keep their nonce from going down under hardhat_setNonce, and not under anvil_setNonce', async () => {
    const node = await freshNode({ dialect: 'hardhat' })
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    await call(node, 'hardhat_setNonce', [STRANGER, '0x5'])
    const lower = (name: string, dialect?: Dialect) => call(node, name, [STRANGER, '0x1'], dialect)
    const answer = await dispatcherOf(node).answer(rpc('hardhat_setNonce', [STRANGER, '0x1']), 'hardhat')
    expect(JSON.parse(answer!).error).toMatchObject({
      code: -32000,
      message: 'New nonce (1) must not be smaller than the existing nonce (5)',
    })
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x5')
    expect(await lower('anvil_setNonce')).toBe(true)
    expect(await call(node, 'eth_getTransactionCount', [STRANGER])).toBe('0x1')
    await call(node, 'anvil_setNonce', [STRANGER, '0x5'])
    expect(await lower('hardhat_setNonce', 'node33')).toBe(true)
  })

  test('are restored by a revert', async () => {
    const node = await freshNode()
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_setBalance', [STRANGER, '0x1'])
    await call(node, 'evm_revert', [id])
    expect(await call(node, 'eth_getBalance', [STRANGER])).toBe('0x0')
  })
})

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
