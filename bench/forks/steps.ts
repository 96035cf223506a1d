/** What is done on a fork, in the order of the rows. */

import { connect } from '../client.ts'
import type { Call } from '../client.ts'
import { check, quantity } from '../words.ts'
import { BALANCES, LIST_LENGTH, TABLE_LENGTH, accountAt, balanceAt, dataOf, transact } from './chain.ts'
import type { LoadedChain } from './chain.ts'

/** A step that is measured. */
export interface Step {
  readonly name: string
  readonly run: (node: Target) => Promise<void>
}

/** The node that a step runs on. */
export interface Target {
  readonly url: string
  readonly call: Call
  readonly chain: LoadedChain
}

const sumTo = (count: number): bigint => (BigInt(count) * BigInt(count + 1)) / 2n

async function swap({ call, chain: { trader, router, tokens } }: Target): Promise<void> {
  await call('hardhat_impersonateAccount', trader)
  const data = dataOf('swap(address,address,uint256)', ...tokens, 10n ** 18n)
  const { logs } = await transact(call, { to: router, data })
  check('the number of logs of a swap', logs.length, 4)
}

async function balance(call: Call, index: number): Promise<void> {
  check('a balance', await call('eth_getBalance', accountAt(index), 'latest'), balanceAt(index))
}

async function balancesInTurn({ call }: Target): Promise<void> {
  for (let index = 0; index < BALANCES; index++) await balance(call, index)
}

async function balancesAtOnce({ url }: Target): Promise<void> {
  const { call, disconnect } = connect(url, BALANCES)
  try {
    await Promise.all(Array.from({ length: BALANCES }, (_, index) => balance(call, BALANCES + index)))
  } finally {
    disconnect()
  }
}

const sumOf =
  (data: string, sum: bigint) =>
  async ({ call, chain: { slots } }: Target): Promise<void> => {
    const answer = (await call('eth_call', { to: slots, data }, 'latest')) as string
    check('the sum of the slots', BigInt(answer), sum)
  }

const sumOfList = sumOf(dataOf('sumOfList()'), sumTo(LIST_LENGTH))
const sumOfTable = sumOf(dataOf('sumOfTable(uint256)', TABLE_LENGTH), sumTo(TABLE_LENGTH))

/** The steps after the start. */
export const STEPS: readonly Step[] = [
  { name: 'swap through a router, send and receipt', run: swap },
  { name: '100 balances, one after another', run: balancesInTurn },
  { name: '100 other balances, at once', run: balancesAtOnce },
  { name: 'call that reads an array of 1,000 slots', run: sumOfList },
  { name: 'call that reads 200 slots of a mapping', run: sumOfTable },
  { name: 'the swap again', run: swap },
  { name: 'the call of the array again', run: sumOfList },
]

/** Checks that a node has forked the block. */
export async function checkHeight({ call, chain: { height } }: Target): Promise<void> {
  check('the block number', await call('eth_blockNumber'), quantity(height))
}
