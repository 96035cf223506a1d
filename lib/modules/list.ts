/** The modules of the node. A feature goes with its folder and its line here. */

import { coverage } from './coverage/index.ts'
import { gasReport } from './gas-report/index.ts'

/** In the order in which they start; they end, and report, in the opposite order. */
export const MODULES = [coverage, gasReport] as const
