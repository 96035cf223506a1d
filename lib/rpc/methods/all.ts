/** Every method: those that the files of this folder export, and those of the modules. */

import { oncePer } from '../../base/once.ts'
import type { Method } from '../../kernel/method.ts'
import { Registry } from '../registry.ts'
import type { AnyModule } from '../../kernel/running-modules.ts'
import * as exported from './exports.ts'

const isMethod = (value: unknown): value is Method =>
  typeof value === 'object' && value !== null && 'prepare' in value

/** Of a node with these modules. Each method gets the node, which has the parts of the modules. */
export const methodsOf = oncePer((modules: readonly AnyModule[]) => {
  const declared: readonly unknown[] = [Object.values(exported), modules.map(({ methods }) => methods)]
  return new Registry(declared.flat(3).filter(isMethod))
})
