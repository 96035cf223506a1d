/**
 * First bytes of encoded values (value-codec.ts). Such a byte contains the type of the value, and a small integer itself or
 * the length of a bigint.
 */

/** First bytes of values. */
export const TAG = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  /** An integer of at least SMALL_INTEGERS. */
  integer: 4,
  /** Any other number: eight bytes follow. */
  double: 5,
  /** A bigint that is negative or of more than MAX_BIGINT_BYTES: its decimal text follows. */
  bigintText: 6,
  text: 7,
  /** A text of `0x` and lower-case digits: the bytes follow. */
  hex: 8,
  bytes: 9,
  /** As `hex` and `bytes`, but each run of zeros is written as its length. */
  sparseHex: 10,
  sparseBytes: 11,
  array: 12,
  object: 13,
  /** A text that occurred before. */
  known: 14,
  constant: 15,
  /** A bigint of no bytes, which is zero. The tags after it are those of bigints of one byte and more. */
  bigint: 32,
  /** The integer zero. The tags after it are those of 1 and more. */
  smallInteger: 128,
} as const

/** Maximum number of bytes of a bigint whose length is in the tag. */
export const MAX_BIGINT_BYTES = 32

/** Number of integers that are in the tag. */
export const SMALL_INTEGERS = 128
