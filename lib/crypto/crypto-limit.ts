/* eslint-disable no-restricted-globals -- the only variable of lib: implementations are chosen when a module loads, before any option */
/** The variable DEV_NODE_CRYPTO, which leaves out faster implementations, so that each can be tested on one platform. */

import { NodeError } from '../base/errors.ts'
import type { Candidate } from './candidates.ts'

/** How an implementation runs, fastest first. */
export const CRYPTO_KINDS = ['native', 'wasm', 'javascript'] as const

/** How an implementation runs. */
export type CryptoKind = (typeof CRYPTO_KINDS)[number]

/** The fastest kind that the variable allows: native if it is not set. */
export function fastestAllowed(limit = process.env['DEV_NODE_CRYPTO']): CryptoKind {
  return CRYPTO_KINDS.find((kind) => kind === limit) ?? 'native'
}

/** The candidates, of which those that are faster than the limit refuse to load. */
export function withinLimit<T>(
  candidates: readonly (Candidate<T> & { readonly kind: CryptoKind })[],
  limit = fastestAllowed(),
): readonly Candidate<T>[] {
  const isAllowed = (kind: CryptoKind): boolean => CRYPTO_KINDS.indexOf(kind) >= CRYPTO_KINDS.indexOf(limit)
  return candidates.map(({ kind, ...candidate }) =>
    isAllowed(kind) ? candidate : { ...candidate, load: () => refuse(limit) },
  )
}

function refuse(limit: CryptoKind): never {
  throw new NodeError('internal', `left out by DEV_NODE_CRYPTO=${limit}`)
}
