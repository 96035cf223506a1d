/** A setup file that exec-hooks.ts adds to Vitest's, to explain failed tests of a program of `dev-node exec`. */

import { EXPLAIN } from './vitest-hooks.ts'

const explain: unknown = Reflect.get(globalThis, EXPLAIN)
if (typeof explain === 'function') Reflect.apply(explain, undefined, [])
