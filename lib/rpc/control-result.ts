/** The result of methods that control the node and return no data. */

import { flag } from '../schema/results.ts'
import type { RequestContext } from './method.ts'

/** True as in Hardhat and Ganache; null as in Anvil, whose typed clients (alloy) accept nothing else. */
export const controlResultSchema = flag.nullable()

/** The result in the dialect of the request; `hadEffect` is false if there was nothing to do. */
export const controlResult = ({ dialect }: RequestContext, hadEffect = true): boolean | null =>
  dialect === 'ethereum' ? null : hadEffect
