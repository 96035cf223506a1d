/** Loads the contracts that tools expect on every chain from fixtures/predeploys.json. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { genesisAccount } from './network-schema.ts'
import { findPackage } from './package.ts'
import { PARSE_ONCE } from './values.ts'

/** An account of the genesis. */
export type GenesisAccount = z.output<typeof genesisAccount>

const predeploysSchema = z.array(genesisAccount).readonly()

/** Reads the predeployed contracts that ship with the package. */
export function loadPredeploys(): readonly GenesisAccount[] {
  const file = join(findPackage().folder, 'fixtures', 'predeploys.json')
  return predeploysSchema.parse(JSON.parse(readFileSync(file, 'utf8')), PARSE_ONCE)
}
