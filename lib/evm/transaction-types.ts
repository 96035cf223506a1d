/** The transaction types of EIP-2718. */

/** A transaction without a type byte. */
export const LEGACY_TYPE = 0

/** Adds an access list (EIP-2930). */
export const ACCESS_LIST_TYPE = 1

/** Has a maximum fee and a maximum tip instead of a gas price (EIP-1559). */
export const DYNAMIC_FEE_TYPE = 2

/** Carries blobs (EIP-4844). */
export const BLOB_TYPE = 3

/** Delegates accounts to the code of contracts (EIP-7702). */
export const SET_CODE_TYPE = 4

/** Whether the type is one of the above. Other networks have more types, which this node can show but not run. */
export const isKnownType = (type: number): boolean => type <= SET_CODE_TYPE

/**
 * Whether transactions of the type have one gas price, which is both their maximum fee and their maximum tip. Transactions of an
 * unknown type are shown with their gas price only.
 */
export const hasGasPrice = (type: number): boolean => type < DYNAMIC_FEE_TYPE || !isKnownType(type)
