/**
 * Reads answers of Sourcify's API v2: `GET /v2/contract/{chainId}/{address}?fields=...` (ethereum/sourcify,
 * services/server/src/apiv2.yaml, "Get verified contract"; what the members hold is in services/utils/database-util.ts).
 */

import * as z from 'zod'
import { compilerInput, readAnswer, type FoundSource } from './found-source.ts'

/** The members that are asked for. */
export const SOURCIFY_FIELDS = 'abi,compilation,stdJsonInput'

const verified = z.object({
  match: z.enum(['match', 'exact_match']),
  abi: z.unknown(),
  compilation: z.object({ compilerVersion: z.string(), name: z.string() }),
  stdJsonInput: compilerInput,
})

const minimal = z.union([
  z.object({ match: z.string().nullable() }),
  // A chain that it does not know has no contracts.
  z.object({ customCode: z.literal('unsupported_chain') }).transform(() => ({ match: null })),
])

/** The verified contract of an answer; undefined if it is not verified. @throws SourceFault */
export function readSourcify(json: unknown): FoundSource | undefined {
  if (readAnswer(minimal, json).match === null) return undefined
  const { compilation, stdJsonInput: input, abi } = readAnswer(verified, json)
  const { name, compilerVersion } = compilation
  return { name, compiler: compilerVersion.replace(/^v/, ''), input, abi }
}
