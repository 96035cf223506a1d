/** The modules of the node. To remove a feature, delete its folder and its line here. */

import { affected } from './affected/index.ts'
import { coverage } from './coverage/index.ts'
import { crossCheck } from './cross-check/index.ts'
import { debug } from './debug/index.ts'
import { gasProfile } from './gas-profile/index.ts'
import { gasReport } from './gas-report/index.ts'
import { network33 } from './network-33/index.ts'
import { report } from './report/index.ts'
import { sources } from './sources/index.ts'
import { trace } from './trace/index.ts'

/** In the order in which they start and report to programs. They end and report to a terminal in reverse order. */
export const MODULES = [
  network33,
  sources,
  trace,
  debug,
  coverage,
  gasReport,
  gasProfile,
  crossCheck,
  affected,
  report,
] as const
