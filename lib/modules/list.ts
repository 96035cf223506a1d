/** The modules of the node. A feature goes with its folder and its line here. */

import { coverage } from './coverage/index.ts'
import { gasReport } from './gas-report/index.ts'

/** In the order of their reports at the end. */
export const MODULES = [gasReport, coverage] as const
