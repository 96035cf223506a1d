/** What the remote chain contains: a market, accounts with balances, and a contract with many slots. */

import { toFunctionSelector } from 'viem'
import type { Call } from '../client.ts'
import { loadBenchContracts } from '../contracts.ts'
import type { BenchContracts } from '../contracts.ts'
import { check, quantity, word } from '../words.ts'

/** Addresses of the loaded chain. */
export interface LoadedChain {
  /** The account that swaps. */
  readonly trader: string
  readonly router: string
  readonly tokens: readonly [string, string]
  readonly slots: string
  /** Number of the block to fork from. */
  readonly height: number
}

/** Accounts whose balances are asked for one after another, and as many that are asked for at once. */
export const BALANCES = 100

/** Slots of the walks. */
export const LIST_LENGTH = 1000
export const TABLE_LENGTH = 200

/** Blocks after the one that is forked: some nodes keep no cache for blocks near the head. */
const LATER_BLOCKS = 300

const TRADER = '0x00000000000000000000000000000000c0ffee00'

const GAS = quantity(12_000_000)

/** Address of one of the accounts with a balance, which have no code. */
export const accountAt = (index: number): string => `0x${(0x10_0000 + index).toString(16).padStart(40, '0')}`

/** Balance of such an account, in wei. */
export const balanceAt = (index: number): string => quantity(1_000_000 + index)

/** Loads a node with the contents. */
export async function loadChain(call: Call): Promise<LoadedChain> {
  await call('hardhat_impersonateAccount', TRADER)
  await call('hardhat_setBalance', TRADER, quantity(10n ** 21n))
  for (let index = 0; index < 2 * BALANCES; index++)
    await call('hardhat_setBalance', accountAt(index), balanceAt(index))
  const market = await deploy(call, 'Market')
  const slots = await deploy(call, 'Slots')
  const [router, ...tokens] = [
    await addressOf(call, market, 'router'),
    await addressOf(call, market, 'token0'),
    await addressOf(call, market, 'token1'),
  ] as const
  await transact(call, { to: tokens[0], data: dataOf('approve(address,uint256)', router, 10n ** 30n) })
  for (let index = 0; index < LIST_LENGTH; index += 250)
    await transact(call, { to: slots, data: dataOf('addToList(uint256)', 250) })
  await transact(call, { to: slots, data: dataOf('addToTable(uint256,uint256)', 0, TABLE_LENGTH) })
  const height = Number(await call('eth_blockNumber'))
  await call('hardhat_mine', quantity(LATER_BLOCKS))
  return { trader: TRADER, router, tokens, slots, height }
}

async function deploy(call: Call, name: keyof BenchContracts): Promise<string> {
  const { contractAddress } = await transact(call, { data: loadBenchContracts()[name] })
  return contractAddress
}

async function addressOf(call: Call, to: string, getter: string): Promise<string> {
  const answer = (await call('eth_call', { to, data: dataOf(`${getter}()`) }, 'latest')) as string
  return `0x${answer.slice(-40)}`
}

/** Sends a transaction of the trader and waits for its receipt. */
export async function transact(
  call: Call,
  transaction: { readonly to?: string; readonly data: string },
): Promise<{ readonly contractAddress: string; readonly logs: readonly unknown[] }> {
  const hash = (await call('eth_sendTransaction', { from: TRADER, gas: GAS, ...transaction })) as string
  for (;;) {
    const receipt = await call('eth_getTransactionReceipt', hash)
    if (receipt === null) continue
    check('the status of a transaction', receipt.status, '0x1')
    return receipt
  }
}

/** Call data of a function whose parameters are numbers and addresses. */
export const dataOf = (signature: string, ...values: readonly (number | bigint | string)[]): string =>
  `${toFunctionSelector(signature)}${values.map(word).join('')}`
