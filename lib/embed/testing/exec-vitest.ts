/** A setup file that exec-hooks.ts adds to those of Vitest: explains failed tests of a program of `dev-node exec`. */

import { EXPLAIN } from './vitest-hooks.ts'

const explain: unknown = Reflect.get(globalThis, EXPLAIN)
if (typeof explain === 'function') explain()
