/**
 * Flyover: a provider pays the user of a peg-in first, and its contract receives the coins of the deposit (node-next 4.4). Each
 * agreement has a deposit address of its own. Terms: bridge.ts.
 */

import { fromHex, toHash, type Address } from '../../../base/hex.ts'
import { keccak256 } from '../../../crypto/keccak.ts'
import { doubleSha256 } from '../../../crypto/sha256.ts'
import { PrecompileFailure } from '../../../evm/precompile.ts'
import { isAuxAddress } from './aux-address.ts'
import { readAuxTransaction } from './aux-transaction.ts'
import type { BridgeCall } from './bridge-call.ts'
import { sumOf } from './coins.ts'
import { BRIDGE_ADDRESS, TOTAL_SUPPLY_SAT, WEI_PER_SAT } from './constants.ts'
import { depositsIn, isEnough, keepDeposits, refund } from './deposits.ts'
import { lockingCap } from './governance-methods.ts'
import { isProven } from './header-chain.ts'

/** Results that are not an amount (node-chain 10.8). */
const CODE = {
  refundedUser: -100n,
  refundedProvider: -200n,
  notContract: -300n,
  wrongCaller: -301n,
  processed: -302n,
  notProven: -303n,
  nothing: -304n,
  tooLittle: -305n,
  error: -900n,
}

/** Arguments of a registration. Addresses of the auxiliary chain are a version and a hash. */
type FlyoverArguments = readonly [
  raw: Uint8Array,
  height: bigint,
  tree: Uint8Array,
  argumentsHash: Uint8Array,
  userRefund: Uint8Array,
  contract: Address,
  provider: Uint8Array,
  shouldTransferToContract: boolean,
]

/** Pays the contract the coins of its deposit. Returns their amount in wei, or a code. */
export function registerFlyover(bridge: BridgeCall, args: FlyoverArguments): bigint {
  try {
    return payContract(bridge, args)
  } catch (error) {
    if (error instanceof PrecompileFailure) return CODE.error
    throw error
  }
}

function payContract(bridge: BridgeCall, args: FlyoverArguments): bigint {
  const [raw, height, tree, , userRefund, contract, provider, shouldTransferToContract] = args
  if (![userRefund, provider].every(isAuxAddress)) return CODE.error
  if (!bridge.isFromContract) return CODE.notContract
  if (bridge.caller !== contract) return CODE.wrongCaller
  const hash = flyoverHash(args)
  const { storage } = bridge
  const isUsed = (id: Uint8Array): boolean => storage.bytes(nameOfUsed(id, hash)) !== undefined
  if (isUsed(doubleSha256(raw))) return CODE.processed
  if (!isProven(storage, { raw, height, tree })) return CODE.notProven
  const transaction = readAuxTransaction(raw)
  if (isUsed(transaction.id)) return CODE.processed
  const deposits = depositsIn(bridge, transaction, hash)
  const sat = sumOf(deposits)
  if (sat === 0n) return CODE.nothing
  if (!deposits.every(isEnough)) return CODE.tooLittle
  storage.putNumber(nameOfUsed(transaction.id, hash), bridge.blockNumber)
  if (exceedsCap(bridge, sat)) {
    refund(bridge, deposits, shouldTransferToContract ? provider : userRefund)
    return shouldTransferToContract ? CODE.refundedProvider : CODE.refundedUser
  }
  bridge.pay(contract, sat * WEI_PER_SAT)
  keepDeposits(bridge, deposits)
  return sat * WEI_PER_SAT
}

/** The hash in the redeem script of the deposit address, which every argument of the agreement changes. */
const flyoverHash = ([, , , argumentsHash, userRefund, contract, provider]: FlyoverArguments): Uint8Array =>
  keccak256(Buffer.concat([argumentsHash, userRefund, fromHex(contract), provider]))

const nameOfUsed = (id: Uint8Array, hash: Uint8Array): string => `flyover/${toHash(id)}/${toHash(hash)}`

/** Whether the coins in circulation and the deposit together exceed the locking cap. */
function exceedsCap({ storage, call }: BridgeCall, sat: bigint): boolean {
  const balance = call.state.account(BRIDGE_ADDRESS)?.balance ?? 0n
  const circulating = TOTAL_SUPPLY_SAT - balance / WEI_PER_SAT
  return circulating + sat > lockingCap(storage)
}
