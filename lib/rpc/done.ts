/** The answer of controls that have no result of their own. */

import { flag } from '../schema/results.ts'
import type { RequestContext } from './method.ts'

/** True as from Hardhat and Ganache; null as from Anvil, whose typed clients (alloy) refuse anything else. */
export const doneFlag = flag.nullable()

/** The answer of a control that was carried out; `hadEffect` is false where there was nothing to do. */
export const done = ({ dialect }: RequestContext, hadEffect = true): boolean | null =>
  dialect === 'ethereum' ? null : hadEffect
