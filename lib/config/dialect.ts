/** Whose client the node imitates in codes and phrases of errors; the table per dialect is in rpc/error-codes.ts. */

export const DIALECTS = ['node33', 'hardhat', 'ethereum'] as const

/** Name of an imitated client. */
export type Dialect = (typeof DIALECTS)[number]
