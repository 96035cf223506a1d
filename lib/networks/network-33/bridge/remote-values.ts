/**
 * Values of the Bridge of a remote chain, in the form in which this node stores its own (bridge-storage.ts). The remote keeps them in
 * slots of another layout, so they are read by the methods of its Bridge. Terms: bridge.ts.
 */

import { NodeError } from '../../../base/errors.ts'
import { EMPTY_BYTES, ZERO_ADDRESS, asHash, bigIntToBytes, fromHex, toHash } from '../../../base/hex.ts'
import type { Hash, Hex } from '../../../base/hex.ts'
import { decodeAbi, encodeAbi } from '../../../abi/codec.ts'
import { address, bool, bytes, bytes32, int256, string, uint256 } from '../../../abi/types.ts'
import type { AbiType } from '../../../abi/types.ts'
import { BRIDGE_ADDRESS, MAX_SINGLE_HEADER_DEPTH } from './constants.ts'
import { readAuxHeader, storedForm, workOf } from './aux-header.ts'
import { pegoutValues } from './remote-pegouts.ts'
import type { State } from '../../../state/state.ts'
import { BridgeStorage } from './bridge-storage.ts'

/** Calls the Bridge of the remote; absent if the call fails there. @throws NotLoadedError */
type CallRemoteBridge = (data: Uint8Array) => Uint8Array | undefined

/** Selectors of the methods that return the values. */
const SELECTORS = {
  bestHeight: '0x14c89c01',
  bestHeader: '0xf0b2424b',
  headerByHash: '0x739e364a',
  headerByHeight: '0xbd0c1fff',
  hashAtDepth: '0xefd44418',
  processedHeight: '0x97fcca7d',
  hasCoinbase: '0x253b944b',
  state: '0x0d0cee93',
  feePerKb: '0x724ec886',
  lockingCap: '0x3f9db977',
  unionAddress: '0xd3af747c',
  unionCap: '0x33e08fed',
  baseEvent: '0xa25b94cb',
  superEvent: '0xf8cfda8e',
  pendingSize: '0x3ac72b38',
  proposedSize: '0x06ebeb8c',
  whitelistSize: '0xe9e658dc',
  federationAddress: '0x6923fa85',
} as const satisfies Readonly<Record<string, Hex>>

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
        return this.#absentUnless(
          this.#ask('hasCoinbase', bool, encodeAbi([bytes32], [fromHex(asHash(key))])),
          name,
        )
      case 'coins':
      case 'pegouts':
        return pegoutValues(this.#ask('state', bytes) ?? unreadable('state')).get(name)
      default:
        return this.#setting(name)
    }
  }

  #setting(name: string): Uint8Array | undefined {
    switch (name) {
      case 'feePerKb':
      case 'lockingCap':
        return numberBytes(this.#ask(name, int256))
      case 'union/cap':
        return numberBytes(this.#ask('unionCap', uint256))
      case 'union/address': {
        const contract = this.#ask('unionAddress', address) ?? ZERO_ADDRESS
        return contract === ZERO_ADDRESS ? undefined : fromHex(contract)
      }
      case 'event/base':
        return someBytes(this.#ask('baseEvent', bytes))
      case 'event/super':
        return someBytes(this.#ask('superEvent', bytes))
      case 'federation/address':
        return Buffer.from(this.#ask('federationAddress', string) ?? unreadable('federation address'))
      case 'federation/pending':
        return this.#absentUnless((this.#ask('pendingSize', int256) ?? 0n) > 0n, name)
      case 'federation/proposed':
        return this.#absentUnless((this.#ask('proposedSize', int256) ?? 0n) > 0n, name)
      case 'whitelist':
        return this.#absentUnless((this.#ask('whitelistSize', int256) ?? 0n) > 0n, name)
      default:
        throw unknown(`"${name}"`)
    }
  }

  /** Nothing, if the remote has nothing either. */
  #absentUnless(isPresent: boolean | undefined, name: string): undefined {
    if (isPresent === true) throw unknown(`"${name}"`)
    return undefined
  }

  #processed(id: Hash): Uint8Array | undefined {
    const height = this.#ask('processedHeight', int256, encodeAbi([string], [id.slice(2)]))
    return height === undefined || height < 0n ? undefined : bigIntToBytes(height)
  }

  /** Values of header-chain.ts. */
  #headerValue(kind: string, key: string): Uint8Array | undefined {
    switch (kind) {
      case 'best':
        return fromHex(this.#bestHash())
      case 'height': {
        const header = someBytes(this.#ask('headerByHeight', bytes, encodeAbi([uint256], [BigInt(key)])))
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
    const header = this.#ask('bestHeader', bytes) ?? unreadable('best header')
    const { hash } = readAuxHeader(header)
    this.#heights.set(hash, this.#bestHeight())
    return hash
  }

  #bestHeight(): bigint {
    return this.#ask('bestHeight', int256) ?? unreadable('height')
  }

  #storedHeader(hash: Hash): Uint8Array | undefined {
    const found = someBytes(this.#ask('headerByHash', bytes, encodeAbi([bytes32], [fromHex(hash)])))
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
      const found = this.#ask('hashAtDepth', bytes, encodeAbi([int256], [depth]))
      if (found !== undefined && toHash(found) === hash) return best - depth
    }
    throw unknown(`the height of header ${hash}`)
  }

  /** The decoded result of a method; absent if the call fails. */
  #ask<Value>(
    method: keyof typeof SELECTORS,
    output: AbiType<Value>,
    args: Uint8Array = EMPTY_BYTES,
  ): Value | undefined {
    const result = this.#call(Uint8Array.from([...fromHex(SELECTORS[method]), ...args]))
    if (result === undefined || result.length === 0) return undefined
    const [value] = decodeAbi([output], result)
    return value
  }
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
