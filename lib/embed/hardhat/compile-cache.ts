/** Keeps compiled modules of this package, of Hardhat and of the tests on disk for the next run. */

import module from 'node:module'

/** Uses the compile cache of Node 22.8 and later. With it, counts of V8's coverage are less exact. */
export function keepCompiledModules(env: Readonly<Record<string, string | undefined>>): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache')
  if (typeof enable === 'function' && !env['NODE_V8_COVERAGE']) Reflect.apply(enable, module, [])
}
