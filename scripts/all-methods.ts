/** The methods of all networks, for documents and tests. A node serves those of its network. */

import { MODULES } from '../lib/modules/list.ts'
import { methodsOf } from '../lib/rpc/methods/all.ts'

export const allMethods = methodsOf(MODULES)
