/** Keeps compiled modules on the disk for the next run: those of this package, of Hardhat and of the tests. */

import module from 'node:module'

/** Uses the cache of Node 22.8 and later. Counts of V8's coverage are less exact with it. */
export function keepCompiledModules(env: Readonly<Record<string, string | undefined>>): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache')
  if (typeof enable === 'function' && !env['NODE_V8_COVERAGE']) Reflect.apply(enable, module, [])
}
