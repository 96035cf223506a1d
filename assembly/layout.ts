/**
 * Offsets in the memory of the core, and the reasons why it stops. Both the core (assembly/) and the machine use them.
 */

// A frame: header, stack and memory. The memory comes last and can grow, because only the innermost frame runs.
// Numbers are 32-bit integers unless a comment says otherwise.

/** Gas left, a 64-bit float, which JavaScript reads without a BigInt. */
export const GAS = 0
/** A jump ends the slice if less gas than this is left; a 64-bit float. */
export const SLICE_END_GAS = 8
/** Dynamic gas of the instruction before which the core stopped for an observer (STEP); a 64-bit float. */
export const COST = 16
/** Position of the next instruction in the code. */
export const POSITION = 24
/** Address of the top of the stack. */
export const TOP = 28
export const CODE = 32
export const CODE_LENGTH = 36
/** Address of a bit map of the positions that hold a JUMPDEST. The 32 bits before it are the position up to which they are known. */
export const DESTINATIONS = 40
/**
 * Address of the gas and stack requirements of basic blocks: 64 bits for each position of the code. Like the bit map and its position,
 * they are zero at first: the core analyses code as it runs (assembly/analysis.ts).
 */
export const BLOCKS = 44
export const DATA = 48
export const DATA_LENGTH = 52
/** Address of the return data buffer, which lies after the frame's memory. */
export const RETURNED = 56
export const RETURNED_LENGTH = 60
/** Address of the return data or revert data of the frame, or of the data of a log. */
export const OUTPUT = 64
export const OUTPUT_LENGTH = 68
export const MEMORY_SIZE = 72
export const IS_STATIC = 76
/** Number of the account whose storage the frame uses. */
export const STORAGE = 80
/** Exception of the instruction before which the core stopped (STEP); zero if it can run. */
export const HALT = 84
/** Words: the executing account, the caller, and the value of the call. */
export const ADDRESS = 96
export const CALLER = 128
export const VALUE = 160
/** The stack: 1024 words, bottom first. */
export const STACK = 192
export const MEMORY = 32_960

// Fixed addresses. Below 0x400 is the memory of Keccak, then data of the core itself.

/**
 * For each opcode: gas (16 bits), minimum height of the stack in bytes (16), maximum height minus this minimum (16), flags
 * (16).
 */
export const TABLE = 0x4000
/** For each opcode: words by which the stack grows, a signed byte. */
export const GROWTH = 0x4800
/** Rules, 64-bit floats. */
export const RULES = 0x4900
/** End of the tables, which the machine fills from the rules. */
export const TABLES_END = 0x4a00
/** ORIGIN, GASPRICE, COINBASE, TIMESTAMP, NUMBER, 0x44, GASLIMIT, CHAINID, BASEFEE, BLOBBASEFEE, SLOTNUM. */
export const ENVIRONMENT = 0x5000
/** Words that the core passes to the machine: a slot and a value, or the topics of a log. */
export const REQUEST = 0x5200
/** Refund counter, a 64-bit float. */
export const REFUND = 0x5500
/** Whether the core stops after every access to storage, so that the machine notifies an observer. */
export const STOPS_AT_STORAGE = 0x5508
/** Number of slots in use. */
export const SLOT_COUNT = 0x550c
/** Address of the first slot. */
export const SLOTS = 0x5510
/** Minimum gas that the transaction had left before an SSTORE; zero after GAS, a call or a creation. A 64-bit float. */
export const MIN_GAS_AT_STORE = 0x5518
/** Refund counter with the change by the announced instruction; a 64-bit float. */
export const STEP_REFUND = 0x5520
/** Number of noted basic blocks. */
export const NOTED_BLOCK_COUNT = 0x5528
/** Whether the block at which the frame resumes is noted already. */
export const IS_NOTED = 0x552c
/** State gas that is left, that was used, less what returned, that returned, and that returned to failed frames (EIP-8037); 64-bit floats. */
export const STATE_GAS = 0x5530
export const STATE_GAS_USED = 0x5538
export const STATE_GAS_RETURNED = 0x5540
export const STATE_GAS_LOST = 0x5548
/** Cache of hashes of two words, which are mostly the slots of mappings; ends at 0xc000. */
export const MAPPINGS = 0x6000
/** Positions in the code at which the noted basic blocks begin, 32 bits each. */
export const NOTED_BLOCKS = 0x5_0000
export const MAX_NOTED_BLOCKS = 0x4000
/** Start of the cache of contract code. */
export const CODES = 0x68_0000
/** Start of the outermost frame. */
export const FRAMES = 0x100_0000

// Offsets of the rules.

/** Gas per byte of an exponent. */
export const EXP_BYTE = 0
/** Maximum bytes of a frame's memory. */
export const MAX_MEMORY = 8
/** Gas of a warm and of a cold slot (EIP-2929). */
export const SLOT_WARM = 16
export const SLOT_COLD = 24
/** Whether the value at the start of the transaction counts (EIP-2200). The rules after it are members of StorageRules. */
export const IS_NET = 32
export const SENTRY = 40
export const SLOT_SET = 48
export const SLOT_RESET = 56
export const SLOT_DIRTY = 64
export const CLEAR_REFUND = 72
/** State gas of a slot that was zero at the start of the transaction (EIP-8037). */
export const SLOT_STATE_GAS = 80

/** Flag of an opcode: the last instruction of a basic block. */
export const IS_LAST = 1

// A slot.

/** Bytes from one slot to the next. */
export const SLOT_SIZE = 128
/** The value of the slot, which follows its key, and its value at the start of the transaction. */
export const SLOT_VALUE = 32
export const SLOT_ORIGINAL = 64
/** Number of the account. */
export const SLOT_ACCOUNT = 96
/** 1: accessed in this transaction. 2: written in this transaction. 4: accessed by an instruction, also of a failed frame. */
export const SLOT_FLAGS = 100
export const WAS_ACCESSED = 1
export const WAS_WRITTEN = 2
export const WAS_NOTED = 4

// Reasons why the core stops: an opcode (it ended the frame, or the machine has to perform it), or one of these.

export const STOP = 0x00
export const SLOAD = 0x54
export const SSTORE = 0x55
export const LOG0 = 0xa0
export const RETURN = 0xf3
export const REVERT = 0xfd

/** An instruction needs a slot that is not in the memory of the core yet. The key of the slot is at REQUEST. */
export const MISSING_SLOT = 0x200
/** The core stopped before an instruction, so that the observer is notified of it. */
export const STEP = 0x201
/** The slice has ended. */
export const SLICE = 0x202
/** With an opcode: the machine has charged the gas of the instruction, and performs it. The core does not return it. */
export const CHARGED = 0x400
/** There is no room for a further noted block. */
export const FULL = 0x203
export const OUT_OF_GAS = -1
export const STACK_UNDERFLOW = -2
export const STACK_OVERFLOW = -3
export const INVALID_OPCODE = -4
export const INVALID_JUMP = -5
export const STATIC_STATE_CHANGE = -6
export const RETURN_DATA_OUT_OF_BOUNDS = -7
