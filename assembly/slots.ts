/** The slots that a transaction uses: a hash table by account and key, and the journal of its changes. */

import {
  SLOTS,
  SLOT_ACCOUNT,
  SLOT_COUNT,
  SLOT_FLAGS,
  SLOT_ORIGINAL,
  SLOT_SIZE,
  SLOT_VALUE,
  WAS_ACCESSED,
  WAS_NOTED,
  WAS_WRITTEN,
} from './layout'
import { arenaLimit, limitArena, reservePages } from './memory'
import { copy, isEqual, set } from './words'

/** Added to the number of an account for its transient storage (EIP-1153). */
export const TRANSIENT: u32 = 0x80000000

/** Offset in a slot: number of the checkpoint at which the journal last stored its value. */
const LOGGED: usize = 104
/** Offset in a slot: the position at which the index, a hash table, has the slot. */
const INDEX_POSITION: usize = 108

// Addresses of the tables, and the HIGH addresses to which full tables move. The index has two positions for each slot.
const INDEX: usize = 0x10000
const FIRST: usize = 0x80000
const CAPACITY: u32 = 1 << 15
const LOG: usize = 0x480000
const LOG_END: usize = 0x680000
const HIGH_INDEX: usize = 0x40000000
const HIGH_FIRST: usize = 0x42000000
const HIGH_CAPACITY: u32 = 1 << 22
const HIGH_LOG: usize = 0x62000000
const HIGH_LOG_END: usize = 0xfff00000
/** Minimum free bytes of the journal after the tables have moved. */
const LOG_STEP: u64 = 1 << 26

/** Length of a journal entry in bytes: number of the slot, kind of change (offset 4), previous value (offset 8). */
const RECORD: usize = 40
const VALUE_CHANGED: u32 = 0
const ACCESSED: u32 = 1

let index: usize = INDEX
let first: usize = FIRST
let capacity: u32 = CAPACITY
let log: usize = LOG
let logEnd: usize = LOG_END
/** Number of journal entries. */
let logged: u32 = 0
/** Changes with every checkpoint and revert: the next change of a slot then needs a new journal entry. */
let checkpointNumber: u32 = 0

// @ts-ignore: decorator
@inline
function cellOf(account: u32, key: usize): usize {
  let hash = load<u64>(key) ^ rotl<u64>(load<u64>(key, 8), 21) ^ rotl<u64>(load<u64>(key, 16), 42) ^ load<u64>(key, 24)
  hash = (hash + account) * 0x9e3779b97f4a7c15
  return <usize>(hash >> 32)
}

// @ts-ignore: decorator
@inline
function slotAt(number: u32): usize {
  return first + <usize>number * SLOT_SIZE
}

/** The slot of an account under a key; zero if it is not in the table. */
export function find(account: u32, key: usize): usize {
  const mask = (<usize>capacity << 1) - 1
  let cell = cellOf(account, key) & mask
  while (true) {
    const number = load<u32>(index + (cell << 2))
    if (!number) return 0
    const slot = slotAt(number - 1)
    if (load<u32>(slot, SLOT_ACCOUNT) == account && isEqual(slot, key)) return slot
    cell = (cell + 1) & mask
  }
}

/** Adds a slot that is not in the table, with the value zero. Returns its address, or zero if the table is full. */
export function insert(account: u32, key: usize): usize {
  const count = load<u32>(SLOT_COUNT)
  if (count >= capacity && !moveUp()) return 0
  const slot = slotAt(count)
  copy(slot, key)
  set(slot + SLOT_VALUE, 0)
  set(slot + SLOT_ORIGINAL, 0)
  store<u32>(slot, account, SLOT_ACCOUNT)
  store<u32>(slot, 0, SLOT_FLAGS)
  store<u32>(slot, 0, LOGGED)
  link(slot, count)
  store<u32>(SLOT_COUNT, count + 1)
  return slot
}

function link(slot: usize, number: u32): void {
  const mask = (<usize>capacity << 1) - 1
  let cell = cellOf(load<u32>(slot, SLOT_ACCOUNT), slot) & mask
  while (load<u32>(index + (cell << 2))) cell = (cell + 1) & mask
  store<u32>(index + (cell << 2), number + 1)
  store<u32>(slot, <u32>cell, INDEX_POSITION)
}

/** Empties the table and the journal. */
export function clearSlots(): void {
  const count = load<u32>(SLOT_COUNT)
  for (let number: u32 = 0; number < count; number++) {
    store<u32>(index + (<usize>load<u32>(slotAt(number), INDEX_POSITION) << 2), 0)
  }
  store<u32>(SLOT_COUNT, 0)
  store<u32>(SLOTS, <u32>first)
  logged = 0
  checkpointNumber = 1
}

/** Moves table and journal to the addresses with more room. Returns whether that was possible. */
function moveUp(): bool {
  if (index == HIGH_INDEX || <usize>memory.size() > HIGH_INDEX >> 16) return false
  if (!reservePages(<u64>HIGH_LOG + LOG_STEP)) return false
  limitArena(min(arenaLimit(), HIGH_INDEX))
  const count = load<u32>(SLOT_COUNT)
  memory.copy(HIGH_FIRST, first, <usize>count * SLOT_SIZE)
  memory.copy(HIGH_LOG, log, <usize>logged * RECORD)
  index = HIGH_INDEX
  first = HIGH_FIRST
  capacity = HIGH_CAPACITY
  log = HIGH_LOG
  logEnd = HIGH_LOG_END
  for (let number: u32 = 0; number < count; number++) link(slotAt(number), number)
  store<u32>(SLOTS, <u32>first)
  return true
}

/** Ensures space for a journal entry, for which the tables may move. Returns whether there is space. */
function hasRoom(): bool {
  const end = <u64>log + <u64>(logged + 1) * RECORD
  if (end > <u64>logEnd) return moveUp()
  return index == INDEX || reservePages(end + RECORD)
}

function record(slot: usize, kind: u32): void {
  const at = log + <usize>logged * RECORD
  store<u32>(at, <u32>((slot - first) / SLOT_SIZE))
  store<u32>(at, kind, 4)
  copy(at + 8, slot + SLOT_VALUE)
  logged++
}

/** Notes a slot and marks it as accessed. A revert removes only the mark. Returns its address, which may have changed; zero if the journal is full. */
export function markAccessed(slot: usize): usize {
  const flags = load<u32>(slot, SLOT_FLAGS)
  if ((flags & (WAS_ACCESSED | WAS_NOTED)) == (WAS_ACCESSED | WAS_NOTED)) return slot
  store<u32>(slot, flags | WAS_NOTED, SLOT_FLAGS)
  if (flags & WAS_ACCESSED) return slot
  const number = <u32>((slot - first) / SLOT_SIZE)
  if (!hasRoom()) return 0
  const now = slotAt(number)
  record(now, ACCESSED)
  store<u32>(now, load<u32>(now, SLOT_FLAGS) | WAS_ACCESSED, SLOT_FLAGS)
  return now
}

/** Sets the value of a slot. Returns false if the journal is full. */
export function setValue(slot: usize, value: usize): bool {
  if (load<u32>(slot, LOGGED) != checkpointNumber) {
    const number = (slot - first) / SLOT_SIZE
    if (!hasRoom()) return false
    slot = slotAt(<u32>number)
    record(slot, VALUE_CHANGED)
    store<u32>(slot, checkpointNumber, LOGGED)
  }
  store<u32>(slot, load<u32>(slot, SLOT_FLAGS) | WAS_WRITTEN, SLOT_FLAGS)
  copy(slot + SLOT_VALUE, value)
  return true
}

/** Opens a checkpoint and returns it. */
export function checkpointSlots(): u32 {
  checkpointNumber++
  return logged
}

/** Reverts all changes since a checkpoint. */
export function revertSlots(checkpoint: u32): void {
  checkpointNumber++
  while (logged > checkpoint) {
    logged--
    const at = log + <usize>logged * RECORD
    const slot = slotAt(load<u32>(at))
    if (load<u32>(at, 4) == ACCESSED) store<u32>(slot, load<u32>(slot, SLOT_FLAGS) & ~WAS_ACCESSED, SLOT_FLAGS)
    else copy(slot + SLOT_VALUE, at + 8)
  }
}
