/** Lists the modules of the node. */

import * as z from 'zod'
import { method } from '../method.ts'

export const modules = method({
  name: 'rpc_modules',
  summary: 'Modules of methods and their versions.',
  result: z.record(z.string(), z.string()),
  example: { params: [] },
  run: (_, __, { modules: names }) => Object.fromEntries(names.map((name) => [name, '1.0'])),
})
