/** Where the core keeps what in its memory, and its answers. Compiled into the core (assembly/) and read by its host. */

// Of a frame: its header, then its stack, then its memory, which can grow because only the innermost frame runs.
// Numbers are 32-bit integers unless a comment says otherwise.

/** Gas left, a 64-bit float: a host reads it without a BigInt. */
export const GAS = 0
/** With less gas than this, a jump ends the slice; a 64-bit float. */
export const FLOOR = 8
/** Cost of the announced instruction beyond its constant part, a 64-bit float. */
export const COST = 16
/** Position of the next instruction in the code. */
export const POSITION = 24
/** Address of the topmost word. */
export const TOP = 28
export const CODE = 32
export const CODE_LENGTH = 36
/** Bits of the positions that hold a JUMPDEST. */
export const DESTINATIONS = 40
/** Gas and stack needs of basic blocks, 64 bits for each position. */
export const BLOCKS = 44
export const DATA = 48
export const DATA_LENGTH = 52
/** Return data of the last call. It lies behind the frame's memory. */
export const RETURNED = 56
export const RETURNED_LENGTH = 60
/** What the frame returns, or the data of a log. */
export const OUTPUT = 64
export const OUTPUT_LENGTH = 68
export const MEMORY_SIZE = 72
export const IS_STATIC = 76
/** Number of the account whose storage the frame uses. */
export const STORAGE = 80
/** Why the announced instruction cannot run; zero if it can. */
export const HALT = 84
/** Words. */
export const ADDRESS = 96
export const CALLER = 128
export const VALUE = 160
/** 1024 words, bottom first. */
export const STACK = 192
export const MEMORY = 32_960

// Fixed addresses. Below 0x400 is the memory of Keccak, then data of the core itself.

/** For each opcode: gas (16 bits), bytes of stack that it needs (16), how much more there may be (16), flags (16). */
export const TABLE = 0x4000
/** For each opcode: words by which it makes the stack longer, a signed byte. */
export const GROWTH = 0x4800
/** Rules, 64-bit floats. */
export const RULES = 0x4900
/** Where the tables that the host fills from rules end. */
export const TABLES_END = 0x4a00
/** ORIGIN, GASPRICE, COINBASE, TIMESTAMP, NUMBER, 0x44, GASLIMIT, CHAINID, BASEFEE, BLOBBASEFEE. */
export const ENVIRONMENT = 0x5000
/** Words of a request: a slot and a value, or the topics of a log. */
export const REQUEST = 0x5200
/** Gas to be given back for storage, a 64-bit float. */
export const REFUND = 0x5500
/** Whether the host is told of every access to storage. */
export const TELLS_STORAGE = 0x5508
/** Number of slots in use. */
export const SLOT_COUNT = 0x550c
/** Address of the first slot. */
export const SLOTS = 0x5510
/** Hashes of two words that were made lately, up to the index of the slots. */
export const MAPPINGS = 0x6000
/** Where the host keeps code that is run again. */
export const CODES = 0x68_0000
/** Where the outermost frame begins. */
export const FRAMES = 0x100_0000

// Rules, as offsets.

/** Gas per byte of an exponent. */
export const EXP_BYTE = 0
/** Most bytes of a frame's memory. */
export const MAX_MEMORY = 8
/** Gas for reading a slot, and for the first time in the transaction. */
export const SLOT_WARM = 16
export const SLOT_COLD = 24
/** Whether the value at the start of the transaction counts (EIP-2200); then what follows is as in StorageRules. */
export const IS_NET = 32
export const SENTRY = 40
export const SLOT_SET = 48
export const SLOT_RESET = 56
export const SLOT_DIRTY = 64
export const CLEAR_REFUND = 72

/** Flag of an opcode: the last instruction of a basic block. */
export const IS_LAST = 1

// Of a slot.

/** Bytes from one slot to the next. */
export const SLOT_SIZE = 128
/** Its value, after its key; then its value at the start of the transaction. */
export const SLOT_VALUE = 32
export const SLOT_ORIGINAL = 64
/** Number of the account. */
export const SLOT_ACCOUNT = 96
/** 1: accessed in this transaction. 2: written in this transaction. */
export const SLOT_FLAGS = 100
export const WAS_ACCESSED = 1
export const WAS_WRITTEN = 2

// What a run answers: an opcode (it has ended the frame, or the host has to do something), or one of these.

/** A slot is needed that is not in the table; its key is in the request. */
export const MISSING_SLOT = 0x200
/** An instruction is announced. */
export const STEP = 0x201
/** The slice is over. */
export const SLICE = 0x202
export const OUT_OF_GAS = -1
export const STACK_UNDERFLOW = -2
export const STACK_OVERFLOW = -3
export const INVALID_OPCODE = -4
export const INVALID_JUMP = -5
export const STATIC_STATE_CHANGE = -6
export const RETURN_DATA_OUT_OF_BOUNDS = -7
