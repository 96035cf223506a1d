/** Executes transactions of a block: checks them, charges gas, and pays refund and coinbase after the run. */

import { NodeError } from '../base/errors.ts'
import { asHash, bytesToBigInt, type Address } from '../base/hex.ts'
import { EMPTY_ACCOUNT } from '../state/account.ts'
import type { State } from '../state/state.ts'
import { isExternallyOwned } from './delegation.ts'
import type { ExecutionEnvironment } from './machine/environment.ts'
import { beginExecution, outcomeOf, type GasResult, type RunningExecution } from './run.ts'
import { burnLog, type Log, type Outcome } from './outcome.ts'
import { blobFault } from './sidecar.ts'
import type { Rules } from './rules.ts'
import { intrinsicGasOf, requiredFunds, type IntrinsicGas } from './transaction-gas.ts'
import { senderPublicKey } from './transaction-signature.ts'
import { blobGas, BLOB_TYPE, effectiveGasPrice, isImpersonated, type Transaction } from './transaction.ts'

/** Checks a transaction, takes its gas and begins it. @throws NodeError 'transactionRejected' with the state unchanged */
export function beginTransaction(
  environment: ExecutionEnvironment,
  transaction: Transaction,
): RunningExecution {
  const { rules, state, block, observer } = environment
  const { sender, to, gasLimit, hash } = transaction
  const gas = intrinsicGasOf(rules, transaction)
  preCheck(environment, transaction, gas)
  checkBlobs(environment, transaction)
  const isFree = rules.transaction.isFree(sender, to)
  const gasPrice = isFree ? 0n : effectiveGasPrice(transaction, block.context.baseFeePerGas)
  const { nonce, balance } = state.account(sender) ?? EMPTY_ACCOUNT
  state.checkpoint()
  block.accesses?.addAccount(state, sender)
  // The price of blobs is burned, even when the transaction reverts (EIP-4844).
  const used = blobGas(transaction)
  const paid = gasLimit * gasPrice + used * block.blobBaseFee
  state.putAccount(sender, { nonce: nonce + 1n, balance: balance - paid })
  return beginExecution(environment, transaction, {
    gas,
    gasPrice,
    nonce,
    hash,
    senderPublicKey: () => senderPublicKey(transaction),
    settle: (gasResult) => {
      const fault = faultyDeposit(rules, gasResult.result.logs)
      if (fault !== undefined) {
        state.revert()
        throw rejection(fault)
      }
      const outcome = settle(environment, transaction, { gasResult, gasPrice })
      observer?.onTransactionEnd?.(outcome.gasUsed)
      state.commit()
      return used === 0n ? outcome : { ...outcome, blobGas: { used, price: block.blobBaseFee } }
    },
  })
}

/** Checks a transaction in the order of the reference node (node-chain 7.4). */
function preCheck(
  { rules, state, block }: ExecutionEnvironment,
  transaction: Transaction,
  gas: IntrinsicGas,
): void {
  const { sender, to, nonce, data, gasLimit, value, maxFeePerGas } = transaction
  const { baseFeePerGas } = block.context
  if (to === undefined && data.length > rules.create.maxInitCodeSize) {
    throw rejection(`init code has ${data.length} bytes, limit ${rules.create.maxInitCodeSize}`)
  }
  const minGas = BigInt(Math.max(gas.intrinsic, gas.floor))
  if (gasLimit < minGas) throw rejection(`gas limit ${gasLimit} is below the intrinsic gas ${minGas}`)
  const { gasCap = Infinity } = rules.transaction
  const otherGas = Math.max(gas.intrinsic - gas.state, gas.floor)
  if (otherGas > gasCap) throw rejection(`intrinsic gas ${otherGas} is above the cap ${gasCap} (EIP-7825)`)
  if (maxFeePerGas < baseFeePerGas) {
    throw rejection(`max fee per gas ${maxFeePerGas} is below the base fee ${baseFeePerGas}`)
  }
  const account = state.account(sender) ?? EMPTY_ACCOUNT
  if (nonce !== account.nonce) throw rejection(`nonce ${nonce} is not the account's ${account.nonce}`)
  if (rules.transaction.refusesSenderWithCode && !isImpersonated(transaction)) checkSender(state, sender)
  const cost = rules.transaction.isFree(sender, to) ? value : requiredFunds(rules, transaction, baseFeePerGas)
  if (account.balance < cost) {
    throw rejection(`maximum cost ${cost}, balance of ${sender} ${account.balance}`)
  }
}

function checkBlobs(
  { rules: { blobs }, block: { blobBaseFee } }: ExecutionEnvironment,
  transaction: Transaction,
): void {
  if (transaction.type !== BLOB_TYPE || blobs === undefined) return
  const fault = blobFault(transaction, blobs)
  if (fault !== undefined) throw rejection(fault)
  const { sender, maxFeePerBlobGas = 0n } = transaction
  if (maxFeePerBlobGas >= blobBaseFee) return
  throw rejection(
    `max fee per blob gas less than block blob gas fee: address ${sender} blobGasFeeCap: ${maxFeePerBlobGas}, blobBaseFee: ${blobBaseFee}`,
  )
}

/** An account with code has no key (EIP-3607), unless the code is a delegation (EIP-7702). */
function checkSender(state: State, sender: Address): void {
  const code = state.code(sender)
  if (isExternallyOwned(code)) return
  throw rejection(`the sender ${sender} is a contract`)
}

/** The fault of a deposit log with a wrong layout, which makes the transaction invalid in every block (EIP-6110). */
function faultyDeposit(
  { transaction: { depositContract } }: Rules,
  logs: readonly Log[],
): string | undefined {
  if (depositContract === undefined) return undefined
  const deposits = logs.filter((log) => isDeposit(log, depositContract))
  return deposits.map(depositFault).find((fault) => fault !== undefined)
}

const rejection = (reason: string): NodeError =>
  new NodeError('transactionRejected', `transaction cannot be executed: ${reason}`)

/** Returns unused gas, pays the coinbase if the rules say so, and removes deleted and empty accounts. */
function settle(
  environment: ExecutionEnvironment,
  { sender, gasLimit }: Transaction,
  { gasResult, gasPrice }: { readonly gasResult: GasResult; readonly gasPrice: bigint },
): Outcome {
  const { rules, state, block } = environment
  const { result, gasUsed } = gasResult
  const { coinbase, baseFeePerGas } = block.context
  const countsAsSuccess = rules.precompileRules.failureCountsAsSuccess && result.isPrecompileFailure
  const fee = (countsAsSuccess ? gasLimit : gasUsed) * gasPrice
  pay(state, sender, gasLimit * gasPrice - fee)
  const paysCoinbase = rules.transaction.feesGoTo === 'coinbase'
  if (paysCoinbase) block.accesses?.addAccount(state, coinbase)
  if (paysCoinbase) pay(state, coinbase, gasUsed * (gasPrice - baseFeePerGas))
  const burns = rules.transferLogs ? burnLogs(state, result.destroyed) : []
  for (const address of result.destroyed) {
    state.deleteAccount(address)
    block.deleted.add(address)
  }
  if (rules.emptyAccounts === 'cleared') {
    for (const address of result.touched) clearIfEmpty(state, address)
    if (paysCoinbase) clearIfEmpty(state, coinbase)
  }
  const outcome = outcomeOf(withLogs(gasResult, burns), fee)
  return countsAsSuccess ? { ...outcome, status: 'success', exception: undefined } : outcome
}

/** Logs the balances that are deleted with their accounts, by address (EIP-7708). */
const burnLogs = (state: State, destroyed: ReadonlySet<Address>): readonly Log[] =>
  [...destroyed].sort().flatMap((address) => {
    const { balance } = state.account(address) ?? EMPTY_ACCOUNT
    return balance === 0n ? [] : [burnLog(address, balance)]
  })

const withLogs = (gasResult: GasResult, logs: readonly Log[]): GasResult =>
  logs.length === 0
    ? gasResult
    : { ...gasResult, result: { ...gasResult.result, logs: [...gasResult.result.logs, ...logs] } }

function pay(state: State, address: Address, wei: bigint): void {
  if (wei !== 0n) state.addBalance(address, wei)
}

function clearIfEmpty(state: State, address: Address): void {
  const account = state.account(address)
  if (account?.nonce === 0n && account.balance === 0n && account.code.length === 0) {
    state.deleteAccount(address)
  }
}

/** Topic of `DepositEvent(bytes,bytes,bytes,bytes,bytes)`: DEPOSIT_EVENT_SIGNATURE_HASH of EIP-6110. */
const DEPOSIT_EVENT = asHash('0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5')

/** Length in bytes of the data of a deposit log. */
const LOG_SIZE = 576

/** Each field's position of its length in the ABI encoding, and that length in bytes. */
const FIELDS = [
  { name: 'pubkey', offset: 160, size: 48 },
  { name: 'withdrawal_credentials', offset: 256, size: 32 },
  { name: 'amount', offset: 320, size: 8 },
  { name: 'signature', offset: 384, size: 96 },
  { name: 'index', offset: 512, size: 8 },
] as const

const WORD_SIZE = 32

export const isDeposit = ({ address, topics }: Log, contract: Address): boolean =>
  address === contract && topics[0] === DEPOSIT_EVENT

/** The fault in the layout of a deposit log; absent for a valid log. A block cannot hold an invalid one. */
export function depositFault({ address, data }: Log): string | undefined {
  if (data.length !== LOG_SIZE)
    return `a deposit log of ${address} has ${data.length} bytes, expected ${LOG_SIZE}`
  for (const [index, { name, offset, size }] of FIELDS.entries()) {
    const [foundOffset, foundSize] = [wordAt(data, index * WORD_SIZE), wordAt(data, offset)]
    if (foundOffset !== BigInt(offset) || foundSize !== BigInt(size))
      return `a deposit log of ${address} has its ${name} (${foundSize} bytes) at ${foundOffset}, expected ${size} bytes at ${offset}`
  }
  return undefined
}

/** The request of a deposit log: its fields without lengths and padding. */
export function depositRequest({ data }: Log): Uint8Array {
  const fields = FIELDS.map(({ offset, size }) =>
    data.subarray(offset + WORD_SIZE, offset + WORD_SIZE + size),
  )
  return Buffer.concat(fields)
}

const wordAt = (data: Uint8Array, offset: number): bigint =>
  bytesToBigInt(data.subarray(offset, offset + WORD_SIZE))
