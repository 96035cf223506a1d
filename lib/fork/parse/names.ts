/** Gives members of a remote's results their neutral names, which networks can replace (config/names.ts). */

import { memberNames, renamed } from '../../config/names.ts'
import type { NetworkNames } from '../../config/names.ts'

/** A result with neutral names, whether the remote uses them or those of the network. Values stay unchanged. */
export const neutralMembers = (names: NetworkNames, result: unknown): unknown =>
  renamed(result, new Map([...memberNames(names)].map(([neutral, own]) => [own, neutral])))
