/** Lists the modules of the node. */

import * as z from 'zod'
import { method } from '../method.ts'

const modules = method({
  name: 'rpc_modules',
  summary: 'Modules of methods and their versions.',
  params: [],
  result: z.record(z.string(), z.string()),
  access: 'read',
  example: { params: [] },
  run: (_, __, { modules: names }) => Object.fromEntries(names.map((name) => [name, '1.0'])),
})

export const rpcMethods = [modules]
