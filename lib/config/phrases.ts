/**
 * The error messages of other nodes. Clients and suites compare them, so a dialect uses them instead of this node's own message.
 * Each row is one fault; its texts contain the facts. `node33` is the reference node of network 33. rpc/error-codes.ts has the
 * texts of reverts, and network 33's module those of its pool.
 */

import type { Dialect } from './dialect.ts'

/** Texts by dialect. A dialect without a text shows the message of the error. */
export type Phrases = Readonly<Partial<Record<Dialect, string | undefined>>>

const NO_QUEUE = "Note that transactions can't be queued when automining."

interface NonceFacts {
  readonly next: bigint
  readonly nonce: bigint
}

export const PHRASES = {
  alreadyKnown: (hash: string) => ({ hardhat: `Known transaction: ${hash}` }),
  initCodeTooLarge: (length: number, limit: bigint) => ({
    hardhat: `Trying to send a deployment transaction whose init code length is ${length}. The max length allowed by EIP-3860 is ${limit}.`,
  }),
  aboveBlockGasLimit: (gasLimit: bigint, limit: bigint) => ({
    hardhat: `Transaction gas limit is ${gasLimit} and exceeds block gas limit of ${limit}`,
  }),
  /** EIP-7825. */
  aboveGasCap: (gasLimit: bigint, cap: bigint) => ({
    hardhat: `Transaction gas limit is ${gasLimit} and exceeds transaction gas cap of ${cap}`,
  }),
  belowIntrinsicGas: (gasLimit: bigint, intrinsicGas: bigint) => ({
    hardhat: `Transaction requires at least ${intrinsicGas} gas but got ${gasLimit}`,
  }),
  nonceTooLow: ({ next, nonce }: NonceFacts, isMinedAtOnce: boolean) => ({
    hardhat: isMinedAtOnce
      ? `Nonce too low. Expected nonce to be ${next} but got ${nonce}. ${NO_QUEUE}`
      : `Transaction nonce too low. Expected nonce to be at least ${next} but got ${nonce}.`,
  }),
  /** With automine, Hardhat refuses a transaction that would have to wait for an earlier nonce. */
  notQueued: ({ next, nonce }: NonceFacts) => ({
    hardhat: `Nonce too high. Expected nonce to be ${next} but got ${nonce}. ${NO_QUEUE}`,
  }),
  alreadyMined: () => ({ node33: 'transaction nonce too low' }),
  tipAboveFee: (tip: bigint, fee: bigint) => ({
    node33: `Invalid transaction: maxPriorityFeePerGas (${tip}) must not exceed maxFeePerGas (${fee})`,
    hardhat: `maxPriorityFeePerGas (${tip}) is bigger than maxFeePerGas (${fee})`,
  }),
  belowBaseFee: (name: string, fee: bigint, baseFee: bigint) => ({
    hardhat: `Transaction ${name} (${fee}) is too low for the next block, which has a baseFeePerGas of ${baseFee}`,
  }),
  underpriced: (name: string, minimum: bigint, nonce: bigint) => ({
    hardhat: `Replacement transaction underpriced. A gasPrice/${name} of at least ${minimum} is necessary to replace the existing transaction with nonce ${nonce}.`,
  }),
  insufficientFunds: (cost: bigint, balance: bigint) => ({
    hardhat: `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost} and the sender's balance is: ${balance}.`,
  }),
  priceBelowMinimum: () => ({ node33: "transaction's gas price lower than block's minimum" }),
  priceAboveCap: () => ({ node33: "transaction's gas price exceeds cap" }),

  /** For a signed transaction. `isLegacy`: the signature contains its chain id (EIP-155). */
  signedForOther: (chainId: bigint, own: bigint, isLegacy: boolean) => ({
    node33: `Invalid chainId: ${chainId}`,
    hardhat: isLegacy
      ? 'Trying to send an incompatible EIP-155 transaction, signed for another chain.'
      : `Trying to send a raw transaction with an invalid chainId. The expected chainId is ${own}`,
  }),
  /** For a transaction to sign. */
  askedForOther: (chainId: bigint, own: bigint) => ({
    node33: `Invalid chainId: 0x${chainId.toString(16)}`,
    hardhat: `Invalid chainId ${chainId} provided, expected ${own} instead.`,
  }),
  unsupportedType: (type: number, fault: string | undefined) => ({
    node33: fault && `Invalid transaction: ${fault}`,
    hardhat: `Invalid transaction type ${type}.`,
  }),
  /** A fault in an encoding, in the reference node's words; undefined if it has no text for it. */
  invalidTransaction: (fault: string | undefined) => ({ node33: fault && `Invalid transaction: ${fault}` }),
  nonceTooLong: (length: number, limit: number) => ({
    node33: `transaction nonce byte length exceeds maximum: ${length} > ${limit}`,
  }),
  nonceNotCanonical: () => ({ node33: 'transaction nonce has non-canonical encoding' }),

  noAccount: (address: string) => ({ node33: `Could not find account for address: ${address}` }),
  noSigner: () => ({ node33: 'Account not found' }),
  unknownFilter: () => ({ node33: 'filter not found' }),
  unknownBlock: (name: bigint | string, newest: bigint) => ({
    hardhat: `Received invalid block tag ${name}. Latest block number is ${newest}`,
  }),
  blockOfUnknown: (hash: string) => ({ hardhat: `Unable to find a block containing transaction ${hash}` }),
  earlyTimestamp: (timestamp: bigint, parent: bigint) => ({
    hardhat:
      timestamp === parent
        ? `Timestamp ${timestamp} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`
        : `Timestamp ${timestamp} is lower than the previous block's timestamp ${parent}`,
  }),
  noMinimumGasPrice: () => ({
    hardhat: 'hardhat_setMinGasPrice is not supported when EIP-1559 is active',
  }),
  blockWithoutGas: () => ({ hardhat: 'Block gas limit must be greater than 0' }),
  twoPrices: (other: string) => ({ hardhat: `Cannot send both gasPrice and ${other} params` }),
  stateAndDiff: () => ({
    hardhat:
      "The properties 'state' and 'stateDiff' cannot be used simultaneously when configuring the state override set passed to the eth_call method.",
  }),
  ofOtherType: (place: string, value: string, type: string) => ({
    hardhat: `${place} invalid value ${value} supplied to : ${type}`,
  }),
  outOfGas: (remark: string) => ({ hardhat: `Transaction ran out of gas${remark}` }),
} as const satisfies Readonly<Record<string, (...facts: never[]) => Phrases>>
