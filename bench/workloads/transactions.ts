/** Rows of transactions and their receipts. */

import { privateKeyToAccount } from 'viem/accounts'
import type { Call } from '../client.ts'
import type { Measurement, Repetition, Session } from '../session.ts'
import { check, quantity, word } from '../words.ts'
import type { Row } from './row.ts'

/** Operations of a fresh process that count as cold: those of a short test suite. */
export const COLD = { operations: 200 }

/** Operations of a process that has run for a while. */
export const WARM = { warmUp: 1200, operations: 500 }

const TRANSFER_GAS = quantity(21_000)

/** Sends one wei to the receiver, over HTTP unless another client is given. */
async function transfer(session: Session, call?: Call): Promise<void> {
  const [, to] = await session.accounts()
  await session.transact({ to, value: '0x1', gas: TRANSFER_GAS }, call)
}

/** Runs transfers, and checks that the receiver has got them. */
export async function transfers(session: Session, repetition: Repetition, call?: Call) {
  const [, to] = await session.accounts()
  const balance = async () => BigInt((await session.call('eth_getBalance', to, 'latest')) as string)
  const before = await balance()
  let sent = 0n
  const measured = await session.measure(repetition, async () => {
    await transfer(session, call)
    sent++
  })
  check('the balance of the receiver', await balance(), before + sent)
  return measured
}

/** Tenths of a second of the chart of the first seconds. */
const TENTHS = 30

/** Sends one after another for some seconds, and counts those that are complete at the end of each tenth. */
export async function sendsOverTime(session: Session): Promise<Measurement> {
  const progress: number[] = []
  const startedAt = performance.now()
  for (let sent = 0; progress.length < TENTHS; sent++) {
    await transfer(session)
    const tenths = Math.floor((performance.now() - startedAt) / 100)
    while (progress.length < tenths) progress.push(sent)
  }
  return { progress: progress.slice(0, TENTHS) }
}

const RECEIVER = `0x${'77'.repeat(20)}` as const

/** Calldata of an ERC-20 transfer of one unit. */
export const TOKEN_TRANSFER = `0xa9059cbb${word(RECEIVER)}${word(1)}`

/** Calldata of balanceOf of the receiver of the transfers. */
export const BALANCE_OF_RECEIVER = `0x70a08231${word(RECEIVER)}`

/** Runs transfers of an ERC-20 token, and checks that the receiver has got them. */
export async function tokenTransfers(session: Session, repetition: Repetition) {
  const to = await session.contract('Token')
  const balance = async () =>
    BigInt((await session.call('eth_call', { to, data: BALANCE_OF_RECEIVER }, 'latest')) as string)
  const before = await balance()
  let sent = 0n
  const measured = await session.measure(repetition, async () => {
    const { logs } = await session.transact({ to, data: TOKEN_TRANSFER, gas: quantity(100_000) })
    check('the number of logs', logs.length, 1)
    sent++
  })
  check('the token balance of the receiver', await balance(), before + sent)
  return measured
}

/** A key that no node has, so that only its signature can send. */
const KEY = `0x${'1b'.repeat(32)}` as const

const signed = new Map<number, string[]>()

/** Signs the transfers of the key on a chain, from nonce 0 on. Every round sends the same ones to a fresh process. */
async function signedTransfers(chainId: number, count: number): Promise<readonly string[]> {
  const transactions = signed.get(chainId) ?? []
  signed.set(chainId, transactions)
  const account = privateKeyToAccount(KEY)
  while (transactions.length < count) {
    const nonce = transactions.length
    const fields = {
      chainId,
      nonce,
      to: RECEIVER,
      value: 1n,
      gas: 21_000n,
      gasPrice: 20_000_000_000n,
    } as const
    transactions.push(await account.signTransaction({ type: 'legacy', ...fields }))
  }
  return transactions
}

const RAW = { warmUp: 300, operations: 400 }

async function rawTransfers(session: Session) {
  const { address } = privateKeyToAccount(KEY)
  await session.transact({ to: address, value: quantity(10n ** 20n), gas: TRANSFER_GAS })
  const chainId = Number(await session.call('eth_chainId'))
  const transactions = await signedTransfers(chainId, RAW.warmUp + RAW.operations)
  let sent = 0
  const measured = await session.measure(RAW, async (index) => {
    await session.receipt((await session.call('eth_sendRawTransaction', transactions[index])) as string)
    sent++
  })
  const nonce = (await session.call('eth_getTransactionCount', address, 'latest')) as string
  check('the nonce of the key', Number(nonce), sent)
  return measured
}

/** Size of the deployed code in bytes. */
const CODE_BYTES = 20_480

/** Creation code that deploys 20 KB: CODECOPY of what follows and RETURN. The code differs from one to the next. */
function deploymentOf(index: number): string {
  const code = Buffer.alloc(CODE_BYTES, 0x5b)
  code.writeUInt32BE(index, 1)
  code[0] = 0
  const bytes = CODE_BYTES.toString(16).padStart(4, '0')
  return `0x61${bytes}80600c6000396000f3${code.toString('hex')}`
}

/** Deploys contracts of 20 KB, and checks the size of the last one. */
export async function deployments(session: Session, repetition: Repetition) {
  let last = ''
  const measured = await session.measure(repetition, async (index) => {
    const receipt = await session.transact({ data: deploymentOf(index), gas: quantity(6_000_000) })
    last = receipt.contractAddress
  })
  const code = (await session.call('eth_getCode', last, 'latest')) as string
  check('the size of the code', code.length, 2 + 2 * CODE_BYTES)
  return measured
}

/** Transactions, each in a block of its own, with the request for its receipt. */
export const TRANSACTION_ROWS: readonly Row[] = [
  { name: 'send and receipt, first 200', measure: (session) => transfers(session, COLD) },
  { name: 'send and receipt, warm', measure: (session) => transfers(session, WARM) },
  {
    name: 'send and receipt over WebSocket',
    measure: async (session) =>
      transfers(session, { warmUp: 200, operations: 400 }, await session.socketCall()),
  },
  { name: 'ERC-20 transfer and receipt, first 200', measure: (session) => tokenTransfers(session, COLD) },
  { name: 'ERC-20 transfer and receipt, warm', measure: (session) => tokenTransfers(session, WARM) },
  { name: 'raw transfer and receipt (signed before)', measure: rawTransfers },
  {
    name: 'deployment of 20 KB',
    measure: (session) => deployments(session, { warmUp: 20, operations: 60 }),
  },
]
