/** A simulated call: what a transaction would do, without a signature, a nonce or a fee. Its effects are always undone. */

import type { Block as LibraryBlock } from '@ethereumjs/block'
import type { EVM, EVMResult } from '@ethereumjs/evm'
import { getCalldataFloorGas } from '@ethereumjs/tx'
import type { TypedTransaction } from '@ethereumjs/tx'
import { Address as LibraryAddress, createAccount } from '@ethereumjs/util'
import { fromHex, toAddress } from '../base/hex.ts'
import type { Address } from '../base/hex.ts'
import { NodeError } from '../base/errors.ts'
import { applyDelegations } from './delegate.ts'
import { EMPTY_BLOOM, exceptionOf, logsOf, statusOf } from './outcome.ts'
import type { Outcome } from './outcome.ts'

/** A call to simulate. */
export interface Message {
  readonly from: Address
  /** The library's transaction with the same fields: it prices the data and warms the access list. */
  readonly inner: TypedTransaction
  readonly gasPrice: bigint
}

/**
 * Runs the message on top of the state the EVM stands on and undoes it; `onEnd` is called between the two.
 * The sender needs no balance: what it sends is lent to it (node-chain 14).
 * @throws NodeError 'intrinsicGasTooLow' when the gas does not cover the data
 */
export async function runMessage(
  evm: EVM,
  block: LibraryBlock,
  message: Message,
  onEnd?: () => void,
): Promise<Outcome> {
  const { inner } = message
  const caller = new LibraryAddress(fromHex(message.from))
  const intrinsicGas = inner.getIntrinsicGas()
  const floor = getCalldataFloorGas(inner, caller)
  const least = intrinsicGas > floor ? intrinsicGas : floor
  if (inner.gasLimit < least) {
    throw new NodeError('intrinsicGasTooLow', `intrinsic gas too low: have ${inner.gasLimit}, want ${least}`)
  }
  await evm.journal.cleanup()
  await evm.journal.checkpoint()
  try {
    warm(evm, block, inner, caller)
    await countTransaction(evm, caller)
    const delegationRefund = await applyDelegations(evm, inner)
    const result = await evm.runCall({
      block,
      caller,
      gasPrice: message.gasPrice,
      gasLimit: inner.gasLimit - intrinsicGas,
      value: inner.value,
      data: inner.data,
      skipBalance: true,
      skipNonceIncrement: true,
      ...(inner.to === undefined ? {} : { to: inner.to }),
    })
    onEnd?.()
    return messageOutcome(evm, result, { intrinsicGas, floor, delegationRefund })
  } finally {
    await evm.journal.revert()
    evm.journal.cleanJournal()
    evm.stateManager.originalStorageCache.clear()
  }
}

/** Marks as accessed what a transaction finds warm when it starts (EIP-2929, 2930 and 3651). */
function warm(evm: EVM, block: LibraryBlock, inner: TypedTransaction, caller: LibraryAddress): void {
  if (!evm.common.isActivatedEIP(2929)) return
  const { journal } = evm
  for (const precompile of evm.precompiles.keys()) journal.addAlwaysWarmAddress(precompile)
  journal.addAlwaysWarmAddress(caller.toString())
  if (inner.to !== undefined) journal.addAlwaysWarmAddress(inner.to.toString())
  if (evm.common.isActivatedEIP(3651)) journal.addAlwaysWarmAddress(block.header.coinbase.toString())
  if (!('accessList' in inner)) return
  for (const [address, keys] of inner.accessList) {
    const unprefixed = Buffer.from(address).toString('hex')
    journal.addAlwaysWarmAddress(unprefixed, true)
    for (const key of keys) journal.addAlwaysWarmSlot(unprefixed, Buffer.from(key).toString('hex'), true)
  }
}

/** The nonce a sender has while its transaction runs: permissions of its own are signed for it (EIP-7702). */
async function countTransaction(evm: EVM, caller: LibraryAddress): Promise<void> {
  const account = (await evm.stateManager.getAccount(caller)) ?? createAccount({})
  account.nonce++
  await evm.journal.putAccount(caller, account)
}

/** Gas that is not spent by instructions. */
interface GasParts {
  readonly intrinsicGas: bigint
  /** Least gas because of the data (EIP-7623). */
  readonly floor: bigint
  readonly delegationRefund: bigint
}

function messageOutcome(
  evm: EVM,
  { execResult, createdAddress }: EVMResult,
  { intrinsicGas, floor, delegationRefund }: GasParts,
): Outcome {
  const spent = intrinsicGas + execResult.executionGasUsed
  const refundable = spent / evm.common.param('maxRefundQuotient')
  const refund = (execResult.gasRefund ?? 0n) + delegationRefund
  const paid = spent - (refund < refundable ? refund : refundable)
  return {
    status: statusOf(execResult),
    gasUsed: paid < floor ? floor : paid,
    gasNeeded: spent < floor ? floor : spent,
    logs: logsOf(execResult),
    // Nobody reads the bloom of a call.
    logsBloom: EMPTY_BLOOM,
    returnData: execResult.returnValue,
    contractAddress: createdAddress === undefined ? undefined : toAddress(createdAddress.bytes),
    exception: exceptionOf(execResult),
  }
}
