/** Names the clients whose error codes and phrases the node can use; the tables are in rpc/error-codes.ts. */

export const DIALECTS = ['node33', 'hardhat', 'ethereum'] as const

/** Name of a dialect. */
export type Dialect = (typeof DIALECTS)[number]
