/** Dialects: whose error codes and phrases the node uses. rpc/error-codes.ts has the tables. */

/** The reference node of network 33, Hardhat, and geth. */
export const DIALECTS = ['node33', 'hardhat', 'ethereum'] as const

export type Dialect = (typeof DIALECTS)[number]
