/** Every method of the node: all methods that the files of this folder export. */

import { oncePer } from '../../base/once.ts'
import type { NetworkNames } from '../../config/names.ts'
import type { Method } from '../../kernel/method.ts'
import { Registry } from '../registry.ts'
import * as exported from './exports.ts'

const isMethod = (value: unknown): value is Method =>
  typeof value === 'object' && value !== null && 'prepare' in value

export const allMethods = new Registry(Object.values<unknown>(exported).flat().filter(isMethod))

/** The same with the names of a network. */
export const methodsNamed = oncePer((names: NetworkNames) => allMethods.named(names))
