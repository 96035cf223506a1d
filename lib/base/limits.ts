/** Largest numbers that the node accepts. */

export const MAX_UINT64 = 2n ** 64n - 1n

export const MAX_UINT256 = 2n ** 256n - 1n

/** The last second of the year 9999. A larger number is probably a time in milliseconds, sent by mistake. */
export const LAST_TIME = 253_402_300_799n
