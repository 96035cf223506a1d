/** The compilers of the tier that runs. */

import { ALL_SETUPS, PLAIN } from './failing-contracts.ts'
import type { CompilerSetup } from './failing-contracts.ts'
import { isWhole } from '../../../support/tier.ts'

/** The setups that are tested: the fast tier has no compiler. */
export const SETUPS: readonly CompilerSetup[] = isWhole ? ALL_SETUPS : [PLAIN]
