/**
 * NODE_OPTIONS loads this file before the programs of `dev-node exec`. If the program loads a test runner, this file makes it
 * explain failed tests. Other programs only lose the time that loading takes.
 */

import nodeModule, { Module, register } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { explainFailedTest } from './failed-tests.ts'
import { explainCircus, type CircusEvent } from './jest-hooks.ts'
import { failureHooks } from './mocha-hooks.ts'
import { explainNext, type VitestHooks } from './vitest-hooks.ts'
import { explainNodeTests } from './node-test-hooks.ts'
import {
  changed,
  hasPlace,
  isChanged,
  JEST,
  MOCHA,
  VITEST,
  withCall,
  type LoadedModule,
} from './exec-sources.ts'

/** Compiles a CommonJS module, as Node's own function does. */
type Compile = (this: unknown, source: string, path: string, ...rest: unknown[]) => unknown

/** Node's function that registers module hooks, from 22.15 on. Older versions run hooks in a thread. */
type RegisterHooks = (hooks: { readonly load: LoadHook }) => void
type LoadHook = (
  url: string,
  context: object,
  next: (url: string, context: object) => LoadedModule,
) => LoadedModule

const isCompile = (value: unknown): value is Compile => typeof value === 'function'
const isRegisterHooks = (value: unknown): value is RegisterHooks => typeof value === 'function'

function watchRunners(): void {
  const compile: unknown = Reflect.get(Module.prototype, '_compile')
  if (isCompile(compile))
    Reflect.set(
      Module.prototype,
      '_compile',
      function (this: unknown, ...[source, path, ...rest]: Parameters<Compile>) {
        return compile.call(this, hasPlace(path) ? withCall(path, source) : source, path, ...rest)
      },
    )
  const registerHooks: unknown = Reflect.get(nodeModule, 'registerHooks')
  if (!isRegisterHooks(registerHooks)) return register('./exec-sources.js', import.meta.url)
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context)
      return isChanged(url, loaded) ? changed(url, loaded) : loaded
    },
  })
}

/** Asks the command's node, without loading what test chains need. */
const ask: Parameters<typeof explainFailedTest>[1] = async (method, params) => {
  const response = await fetch(process.env['DEV_NODE_URL'] ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  return typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : null
}

const explainMocha = (mocha: { readonly rootHooks: (hooks: object) => void }): void =>
  mocha.rootHooks(failureHooks(ask))

const explainRunner = (
  { config }: { readonly config: { setupFiles: readonly string[] } },
  hooks: VitestHooks,
): void => {
  explainNext(hooks, ask)
  config.setupFiles = [...config.setupFiles, fileURLToPath(new URL('./exec-vitest.js', import.meta.url))]
}

const explainEnvironments = (exported: object): void => {
  for (const environment of new Set<unknown>(Object.values(exported))) explainIn(environment)
}

/** Makes an environment class of Jest explain the tests that run in it. */
function explainIn(environment: unknown): void {
  if (typeof environment !== 'function') return
  const prototype: unknown = Reflect.get(environment, 'prototype')
  if (typeof prototype !== 'object' || prototype === null) return
  const own: unknown = Reflect.get(prototype, 'handleTestEvent')
  Reflect.set(
    prototype,
    'handleTestEvent',
    async function (this: { readonly global: object }, event: CircusEvent, ...rest: unknown[]) {
      await explainCircus(event, { globals: this.global }, ask)
      if (typeof own === 'function') await own.call(this, event, ...rest)
    },
  )
}

if (process.env['DEV_NODE_URL'] !== undefined) {
  Reflect.set(globalThis, MOCHA, guarded(explainMocha))
  Reflect.set(globalThis, VITEST, guarded(explainRunner))
  Reflect.set(globalThis, JEST, guarded(explainEnvironments))
  guarded(watchRunners)()
  // Only processes of `node --test` have this variable: importing node:test elsewhere would print an empty report.
  if (process.env['NODE_TEST_CONTEXT'] !== undefined) await explainNodeTests(ask)
}

/** Wraps a function so that its errors do not fail the run. */
function guarded<Given extends unknown[]>(receive: (...given: Given) => void) {
  return (...given: Given): void => {
    try {
      receive(...given)
    } catch {
      // Another release of the runner or of Node.
    }
  }
}
