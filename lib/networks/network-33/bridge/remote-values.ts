/**
 * Values of the Bridge of a remote chain, in the form in which this node stores its own (bridge-storage.ts). The remote keeps them in
 * slots of another layout, so they are read by the methods of its Bridge. Terms: bridge.ts.
 */

import { NodeError } from '../../../base/errors.ts'
import { ZERO_ADDRESS, asHash, bigIntToBytes, fromHex, toHash } from '../../../base/hex.ts'
import type { Hash } from '../../../base/hex.ts'
import { decodeAbi, encodeAbi } from '../../../abi/codec.ts'
import type { AbiValues } from '../../../abi/types.ts'
import { BRIDGE_ADDRESS, MAX_SINGLE_HEADER_DEPTH } from './constants.ts'
import { readAuxHeader, storedForm, workOf } from './aux-header.ts'
import { METHOD_TABLE } from './method-table.ts'
import type { InputsOf, BridgeMethodName, OutputOf } from './method-table.ts'
import { pegoutValues } from './remote-pegouts.ts'
import type { State } from '../../../state/state.ts'
import { BridgeStorage } from './bridge-storage.ts'

/** Calls the Bridge of the remote; absent if the call fails there. @throws NotLoadedError */
type CallRemoteBridge = (data: Uint8Array) => Uint8Array | undefined

/** Work of the remote's best chain. Only differences of work matter, so any number that is large enough stands for it. */
const BEST_WORK = 1n << 128n

/** The error for a value that no method returns. The transaction that needs it is not mined. */
const unknown = (what: string): NodeError =>
  new NodeError(
    'executionFailed',
    `the Bridge of the remote has no method that returns ${what}, which this call needs`,
  )

/** Reads the values of one state of the remote. */
class RemoteValues {
  readonly #call: CallRemoteBridge
  /** Heights of headers that were found by their heights. */
  readonly #heights = new Map<Hash, bigint>()

  constructor(call: CallRemoteBridge) {
    this.#call = call
  }

  /** The value of a name; absent if it is not set. @throws NotLoadedError; NodeError 'executionFailed' if it is unknown */
  value(name: string): Uint8Array | undefined {
    const [part = '', ...rest] = name.split('/')
    const key = rest.at(-1) ?? ''
    switch (part) {
      // Scripted responses are of this node, and votes on the remote are counted from the fork on.
      case 'script':
      case 'election':
        return undefined
      case 'headers':
        return this.#headerValue(rest[0] ?? '', key)
      case 'processed':
        return this.#processed(asHash(key))
      case 'coinbase':
        return absentUnless(
          this.#ask('has{Aux}BlockCoinbaseTransactionInformation', fromHex(asHash(key))) === true,
          name,
        )
      case 'coins':
      case 'pegouts':
        return pegoutValues(this.#ask('getStateForDebugging') ?? unreadable('state')).get(name)
      default:
        return this.#setting(name)
    }
  }

  #setting(name: string): Uint8Array | undefined {
    switch (name) {
      case 'feePerKb':
        return numberBytes(this.#ask('getFeePerKb'))
      case 'lockingCap':
        return numberBytes(this.#ask('getLockingCap'))
      case 'union/cap':
        return numberBytes(this.#ask('getUnionBridgeLockingCap'))
      case 'union/address': {
        const contract = this.#ask('getUnionBridgeContractAddress') ?? ZERO_ADDRESS
        return contract === ZERO_ADDRESS ? undefined : fromHex(contract)
      }
      case 'event/base':
        return someBytes(this.#ask('getBaseEvent'))
      case 'event/super':
        return someBytes(this.#ask('getSuperEvent'))
      case 'federation/address':
        return Buffer.from(this.#ask('getFederationAddress') ?? unreadable('federation address'))
      case 'federation/pending':
        return absentUnless((this.#ask('getPendingFederationSize') ?? 0n) > 0n, name)
      case 'federation/proposed':
        return absentUnless((this.#ask('getProposedFederationSize') ?? 0n) > 0n, name)
      case 'whitelist':
        return absentUnless((this.#ask('getLockWhitelistSize') ?? 0n) > 0n, name)
      default:
        throw unknown(`"${name}"`)
    }
  }

  #processed(id: Hash): Uint8Array | undefined {
    const height = this.#ask('get{Aux}TxHashProcessedHeight', id.slice(2))
    return height === undefined || height < 0n ? undefined : bigIntToBytes(height)
  }

  /** Values of header-chain.ts. */
  #headerValue(kind: string, key: string): Uint8Array | undefined {
    switch (kind) {
      case 'best':
        return fromHex(this.#bestHash())
      case 'height': {
        const header = someBytes(this.#ask('get{Aux}BlockchainBlockHeaderByHeight', BigInt(key)))
        if (header === undefined) return undefined
        const { hash } = readAuxHeader(header)
        this.#heights.set(hash, BigInt(key))
        return fromHex(hash)
      }
      case 'hash':
        return this.#storedHeader(asHash(key))
      // The time of the last header is not known: a header may follow at once.
      default:
        return undefined
    }
  }

  #bestHash(): Hash {
    const header = this.#ask('get{Aux}BlockchainBestBlockHeader') ?? unreadable('best header')
    const { hash } = readAuxHeader(header)
    this.#heights.set(hash, this.#bestHeight())
    return hash
  }

  #bestHeight(): bigint {
    return this.#ask('get{Aux}BlockchainBestChainHeight') ?? unreadable('height')
  }

  #storedHeader(hash: Hash): Uint8Array | undefined {
    const found = someBytes(this.#ask('get{Aux}BlockchainBlockHeaderByHash', fromHex(hash)))
    if (found === undefined) return undefined
    const header = readAuxHeader(found)
    const height = this.#heightOf(hash)
    const depth = this.#bestHeight() - height
    // Exact if the headers above have the same target.
    return storedForm({ ...header, height, chainWork: BEST_WORK - depth * workOf(header) })
  }

  /** The height of a known header. No method returns it, so the newest headers are searched. */
  #heightOf(hash: Hash): bigint {
    const known = this.#heights.get(hash)
    if (known !== undefined) return known
    const best = this.#bestHeight()
    for (let depth = 0n; depth <= MAX_SINGLE_HEADER_DEPTH && depth <= best; depth++) {
      const found = this.#ask('get{Aux}BlockchainBlockHashAtDepth', depth)
      if (found !== undefined && toHash(found) === hash) return best - depth
    }
    throw unknown(`the height of header ${hash}`)
  }

  /** The decoded result of a method; absent if the call fails. */
  #ask<Name extends BridgeMethodName>(
    method: Name,
    ...args: AbiValues<InputsOf<Name>>
  ): OutputOf<Name> | undefined {
    const { selector, inputs, output } = METHOD_TABLE[method]
    const result = this.#call(Uint8Array.from([...fromHex(selector), ...encodeAbi(inputs, args)]))
    if (result === undefined || result.length === 0) return undefined
    const [value] = decodeAbi([output], result)
    return value
  }
}

/** Nothing, if the remote has nothing either. */
function absentUnless(isPresent: boolean, name: string): undefined {
  if (isPresent) throw unknown(`"${name}"`)
}

function unreadable(what: string): never {
  throw new NodeError('executionFailed', `the Bridge of the remote does not return its ${what}`)
}

/** A number of zero is set too. */
const numberBytes = (value: bigint | undefined): Uint8Array | undefined =>
  value === undefined ? undefined : bigIntToBytes(value)

const someBytes = (value: Uint8Array | undefined): Uint8Array | undefined =>
  value === undefined || value.length === 0 ? undefined : value

/** Reads and sets values of the Bridge; on a fork, values that are not set here are the remote's. */
export function bridgeStorageOf(state: Pick<State, 'storage' | 'putStorage' | 'source'>): BridgeStorage {
  const call = state.source?.callPrecompile
  if (call === undefined) return new BridgeStorage(state)
  return new BridgeStorage(state, new RemoteValues((data) => call(BRIDGE_ADDRESS, data)))
}
