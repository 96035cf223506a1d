/** Applies state overrides to the state that calls run on. */

import { NodeError } from '../../base/errors.ts'
import { fromHex, stripZeros, type Address, type Hash } from '../../base/hex.ts'
import type { State } from '../../state/state.ts'
import type { Withdrawal } from '../../networks/consensus/withdrawals.ts'
import type { BlockContext } from '../../evm/block-context.ts'
import type { Rules } from '../../evm/rules.ts'

/** Block overrides of a client (geth, internal/ethapi/override, BlockOverrides); absent members do not change. */
export interface BlockOverrides {
  readonly number?: bigint | undefined
  /** Seconds since the epoch. */
  readonly time?: bigint | undefined
  readonly gasLimit?: bigint | undefined
  readonly feeRecipient?: Address | undefined
  readonly prevRandao?: Hash | undefined
  readonly difficulty?: bigint | undefined
  /** Wei per gas. */
  readonly baseFeePerGas?: bigint | undefined
  /** Wei per gas of a blob. */
  readonly blobBaseFee?: bigint | undefined
  /** Hashes that BLOCKHASH returns, by block number. */
  readonly blockHash?: ReadonlyMap<bigint, Hash> | undefined
  /** Beacon root of the parent, of simulated blocks that have one (EIP-4788). */
  readonly beaconRoot?: Hash | undefined
  /** Credited after the calls, where blocks carry withdrawals (EIP-4895). */
  readonly withdrawals?: readonly Withdrawal[] | undefined
}

/** The block context with the overrides applied. @throws NodeError 'invalidTransaction' */
export function overrideBlock(
  rules: Rules,
  context: BlockContext,
  { blockOverrides: overrides = {}, stateOverrides }: Overrides,
): BlockContext {
  return {
    ...context,
    precompiles: overridePrecompiles(rules, stateOverrides),
    number: overrides.number ?? context.number,
    timestamp: overrides.time ?? context.timestamp,
    gasLimit: overrides.gasLimit ?? context.gasLimit,
    coinbase: overrides.feeRecipient ?? context.coinbase,
    mixHash: overrides.prevRandao ?? context.mixHash,
    difficulty: overrides.difficulty ?? context.difficulty,
    baseFeePerGas: overrides.baseFeePerGas ?? context.baseFeePerGas,
    // BASEFEE returns it on merged-mining networks (node-chain 9.1).
    minimumGasPrice: overrides.baseFeePerGas ?? context.minimumGasPrice,
    blobBaseFee: overrides.blobBaseFee ?? context.blobBaseFee,
    blockHash: (number) => overrides.blockHash?.get(number) ?? context.blockHash(number),
  }
}

/** Changes to one account; absent members do not change (geth, internal/ethapi/override, OverrideAccount). */
interface AccountOverride {
  /** Wei. */
  readonly balance?: bigint | undefined
  readonly nonce?: bigint | undefined
  readonly code?: Uint8Array | undefined
  /** Replaces the whole storage. */
  readonly state?: ReadonlyMap<Hash, Hash> | undefined
  /** Replaces single slots. */
  readonly stateDiff?: ReadonlyMap<Hash, Hash> | undefined
  /** Where the precompile of this address is. */
  readonly movePrecompileToAddress?: Address | undefined
}

/** Changes to accounts, by address (geth, internal/ethapi/override, StateOverride). */
export type StateOverride = ReadonlyMap<Address, AccountOverride>

/** The state overrides and block overrides of a call. */
export interface Overrides {
  readonly stateOverrides?: StateOverride | undefined
  readonly blockOverrides?: BlockOverrides | undefined
  /** Whether the sender needs the funds, as everywhere but in Hardhat (EDR, evm, disable_balance_check). If left out, only an estimate asks for them. Calls never do on merged-mining networks. */
  readonly checksFunds?: boolean
}

/** The precompiles that a state override leaves or moves (geth, internal/ethapi/override, Apply). @throws NodeError 'invalidTransaction' */
function overridePrecompiles(
  { precompiles, precompileRules }: Rules,
  overrides: StateOverride = new Map(),
): ReadonlyMap<Address, Address> {
  const placed = new Map([...precompiles.keys()].map((address) => [address, address]))
  for (const [address, { code, movePrecompileToAddress: target }] of overrides) {
    if (code !== undefined || target !== undefined) placed.delete(address)
    if (target === undefined) continue
    // The service spec does not support it. An error is clearer than a member that is ignored.
    if (!precompileRules.areMovable) throw invalid('movePrecompileToAddress is not supported')
    if (!precompiles.has(address)) throw invalid(`account ${address} is not a precompile`)
    if (overrides.has(target)) throw invalid(`account ${target} is already overridden`)
    placed.set(target, address)
  }
  return placed
}

const invalid = (message: string): NodeError => new NodeError('invalidTransaction', message)

/** Applies a state override to a working copy. */
export function overrideState(state: State, overrides: StateOverride | undefined): void {
  if (overrides === undefined) return
  for (const [address, account] of overrides) {
    const { nonce, balance } = state.account(address) ?? { nonce: 0n, balance: 0n }
    state.putAccount(address, { nonce: account.nonce ?? nonce, balance: account.balance ?? balance })
    if (account.code !== undefined) state.putCode(address, account.code)
    if (account.state !== undefined) state.clearStorage(address)
    for (const [slot, value] of account.state ?? account.stateDiff ?? []) {
      state.putStorage(address, slot, stripZeros(fromHex(value)))
    }
  }
}
