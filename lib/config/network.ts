/** Loads networks (chain id, genesis, rules and fees) from preset files. resolve-network.ts applies options to them. */

import type * as z from 'zod'
import { NodeError } from '../base/errors.ts'
import { describeIssues } from './issues.ts'
import { networkSchema } from './network-schema.ts'
import { findPreset, readPreset } from './preset-file.ts'
import { PARSE_ONCE } from './values.ts'

/** A network; the schema documents the members. */
export type Network = z.output<typeof networkSchema>

/** Source of the funded and unlocked accounts. */
export type AccountSource = Network['accounts']

/**
 * Reads a shipped preset by its name, or a preset file by its path (absolute or relative to the working folder).
 * @throws NodeError 'invalidOption', naming the file and the key.
 */
export function loadNetwork(nameOrPath: string): Network {
  const file = findPreset(nameOrPath, '.')
  const parsed = networkSchema.safeParse(readPreset(file), PARSE_ONCE)
  if (parsed.success) return parsed.data
  throw new NodeError('invalidOption', `network file ${file}: ${describeIssues(parsed.error.issues)}`)
}
