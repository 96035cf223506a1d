/** The blob schedule of a network; config/eips.ts has the values of each EIP. */

import { activeEips } from './active-eips.ts'
import type { HardforkChoice } from './active-eips.ts'
import type { BlobSchedule } from './eips.ts'

/** The blob schedule of a network; absent if its blocks have no blobs. */
export const networkBlobSchedule = (network: HardforkChoice): BlobSchedule | undefined =>
  activeEips(network).blobs
