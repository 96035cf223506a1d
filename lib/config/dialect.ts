/** Dialects: whose error codes and phrases the node uses. The tables are in rpc/error-codes.ts. */

/** The reference node of network 33, Hardhat, and geth. */
export const DIALECTS = ['node33', 'hardhat', 'ethereum'] as const

export type Dialect = (typeof DIALECTS)[number]
