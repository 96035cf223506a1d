/** Changes of an execution: slots by variable names, balances, and tokens. */

import { once, oncePer } from '../../base/once.ts'
import { storageLayout, type StorageLayout } from '../artifacts/storage-layout.ts'
import { PROXY_SLOTS } from '../artifacts/proxies.ts'
import { addressIn, asHash, bytesToBigInt, equalBytes, fromHex } from '../../base/hex.ts'
import { padTo32, toHex, toQuantity, type Address } from '../../base/hex.ts'
import type { StateChanges, TokenTransfer } from '../../schema/explanation-results.ts'
import type { SlotChange, StateListener } from '../../state/state.ts'
import type { State } from '../../state/state.ts'
import { isCreation } from '../replay/call-tree.ts'
import type { ExecutedFrame } from './executed-frame.ts'
import { valueText, bytesIn, VariableFinder } from './storage-variables.ts'
import { TRANSFER_TOPIC, type Log } from '../../evm/outcome.ts'

/** Maximum number of words tried as keys of mappings. */
const MAX_KEYS = 1024

export class ChangeRecorder implements StateListener {
  readonly #balances = new Map<Address, bigint>()
  readonly #slots = new Map<string, SlotChange>()

  readonly onBalanceChange = (address: Address, previous: bigint): void => {
    if (!this.#balances.has(address)) this.#balances.set(address, previous)
  }

  readonly onStorageChange = (change: SlotChange): void => {
    const key = `${change.address} ${change.slot}`
    if (!this.#slots.has(key)) this.#slots.set(key, { ...change, previous: change.previous.slice() })
  }

  /** The changes since the beginning, with the variables of the frames' contracts. */
  readonly changesIn = (state: State, root: ExecutedFrame): StateChanges => {
    const changed = [...this.#slots.values()].flatMap((change): readonly SlotChange[] => {
      const value = state.storage(change.address, change.slot)
      return equalBytes(change.previous, value) ? [] : [{ ...change, value }]
    })
    return {
      storage: changed.length === 0 ? [] : namedChanges(changed, root),
      balances: [...this.#balances].flatMap(([address, before]) => {
        const after = state.account(address)?.balance ?? 0n
        return before === after ? [] : [{ address, before: toQuantity(before), after: toQuantity(after) }]
      }),
    }
  }
}

/** The variables of a changed slot. The layout of the contract that knows the slot is used, because a proxy's layout has few variables. */
function namedChange(
  { address, slot, previous, value }: SlotChange,
  finders: readonly VariableFinder[],
): StateChanges['storage'] {
  const [was, is] = [padTo32(previous), padTo32(value)]
  const candidates = value.length > 32 ? [] : finders.map((finder) => finder.at(BigInt(slot)))
  const variables = candidates.find((found) => found.length > 0) ?? []
  const named = variables.flatMap(({ path, type, offset }): StateChanges['storage'] => {
    const [first, last] = [bytesIn(was, type, offset), bytesIn(is, type, offset)]
    if (equalBytes(first, last)) return []
    const texts = { before: valueText(type, first), after: valueText(type, last) }
    return [{ address, slot, variable: path, type: type.label, ...texts }]
  })
  if (named.length > 0) return named
  const name = PROXY_SLOTS.get(slot)
  const [first, last] = name === undefined ? [was, is] : [was.subarray(12), is.subarray(12)]
  const texts = { before: toHex(first), after: toHex(last) }
  return [{ address, slot, variable: name, type: name && 'address', ...texts }]
}

/** The changes by variable. The contracts that ran on the storage name them; those called by DELEGATECALL come first. */
function namedChanges(changed: readonly SlotChange[], root: ExecutedFrame): StateChanges['storage'] {
  const layouts = new Map<Address, Set<StorageLayout>>()
  const frames = [...framesOf(root)]
  for (const isBorrowing of [true, false]) {
    for (const { kind, from, to, mapped } of frames) {
      const layout = mapped && storageLayout(mapped.contract)
      if (layout === undefined || isBorrowing !== (kind === 'delegatecall' || kind === 'callcode')) continue
      const owner = isBorrowing ? from : to
      layouts.set(owner, (layouts.get(owner) ?? new Set()).add(layout))
    }
  }
  const slots = changed.map(({ slot }) => BigInt(slot))
  const keys = once(() => possibleKeys(frames))
  const finderOf = oncePer((layout: StorageLayout) => new VariableFinder(layout, { slots, keys }))
  return changed.flatMap((each) => namedChange(each, Array.from(layouts.get(each.address) ?? [], finderOf)))
}

/** The first distinct words that may be keys of mappings. */
function possibleKeys(frames: readonly ExecutedFrame[]): readonly Uint8Array[] {
  const keys = new Set<string>()
  for (const word of wordsIn(frames)) {
    keys.add(word)
    if (keys.size === MAX_KEYS) break
  }
  return Array.from(keys, (digits) => fromHex(`0x${digits}`))
}

/** Addresses of calls, arguments, and values of logs, as hex digits. Most occur several times. */
function* wordsIn(frames: readonly ExecutedFrame[]): Generator<string> {
  for (const frame of frames) {
    for (const address of [frame.from, frame.to]) yield address.slice(2).padStart(64, '0')
    if (!isCreation(frame)) yield* wordsOf(frame.input.subarray(4))
    for (const step of frame.steps) {
      if (!('log' in step)) continue
      for (const topic of step.log.topics.slice(1)) yield topic.slice(2)
      yield* wordsOf(step.log.data)
    }
  }
}

function wordsOf(data: Uint8Array): readonly string[] {
  const count = Math.min(MAX_KEYS, data.length >> 5)
  const digits = toHex(data.subarray(0, 32 * count))
  return Array.from({ length: count }, (_, index) => digits.slice(2 + 64 * index, 66 + 64 * index))
}

function* framesOf(frame: ExecutedFrame): Generator<ExecutedFrame> {
  yield frame
  for (const step of frame.steps) if ('frame' in step) yield* framesOf(step.frame)
}

/** keccak256 of `TransferSingle(address,address,address,uint256,uint256)`. */
const TRANSFER_SINGLE = asHash('0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62')

export function transferIn({ address: token, topics, data }: Log): TokenTransfer | undefined {
  const [event, first, second, third] = topics
  if (first === undefined || second === undefined) return undefined
  const [head, tail] = [bytesToBigInt(data.subarray(0, 32)), bytesToBigInt(data.subarray(32, 64))]
  if (event === TRANSFER_SINGLE && third !== undefined && data.length === 64)
    return {
      token,
      from: addressIn(fromHex(second)),
      to: addressIn(fromHex(third)),
      id: toQuantity(head),
      amount: toQuantity(tail),
    }
  const transfer = { token, from: addressIn(fromHex(first)), to: addressIn(fromHex(second)) }
  if (event !== TRANSFER_TOPIC) return undefined
  if (third === undefined) return data.length === 32 ? { ...transfer, amount: toQuantity(head) } : undefined
  return data.length === 0 ? { ...transfer, id: toQuantity(BigInt(third)), amount: '0x1' } : undefined
}
