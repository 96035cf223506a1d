/**
 * Where the test runners' sources get a call of the hooks that explain failed tests, in programs of `dev-node exec`. If another
 * release lacks the place, its tests are not explained.
 */

interface Place {
  readonly file: RegExp
  /** The call is added after this text; by default at the end of the file. */
  readonly behind?: RegExp
  readonly call: string
}

/** Names under which exec-hooks.ts gives its functions to the runners. */
export const [MOCHA, VITEST, JEST] = ['__devNodeMocha', '__devNodeVitest', '__devNodeJest'] as const

const PLACES: readonly Place[] = [
  {
    file: /\/mocha\/lib\/mocha\.c?js$/,
    behind: /Mocha\.prototype\.run = function\s*\(fn\) \{/,
    call: `globalThis.${MOCHA}?.(this);`,
  },
  {
    // The second folder is that of Vitest 5.
    file: /\/(?:@vitest\/runner\/dist|vitest\/dist\/chunks)\/[^/]+\.js$/,
    behind: /async function startTests\(specs, runner\) \{/,
    // The functions that register hooks are in the same file: the package may not be found from here.
    call: `try { globalThis.${VITEST}?.(runner, { afterEach, getCurrentSuite, getHooks }) } catch {}`,
  },
  {
    file: /\/jest-environment-(node|jsdom)\/build\/index\.js$/,
    call: `globalThis.${JEST}?.(module.exports);`,
  },
]

/** Whether the runner's file has a place. */
export const hasPlace = (path: string): boolean => PLACES.some(({ file }) => file.test(path))

export function withCall(path: string, source: string): string {
  const { behind, call } = PLACES.find(({ file }) => file.test(path)) ?? {}
  if (call === undefined) return source
  return behind === undefined ? `${source}\n${call}` : source.replace(behind, (text) => text + call)
}

export interface LoadedModule {
  readonly format: string
  readonly source?: string | ArrayBuffer | Uint8Array
}

/** Whether a loaded ES module has a place. CommonJS is changed when it is compiled (exec-hooks.ts). */
export const isChanged = (url: string, { format }: LoadedModule): boolean =>
  format === 'module' && hasPlace(url)

export const changed = <Loaded extends LoadedModule>(url: string, loaded: Loaded): Loaded => ({
  ...loaded,
  source: withCall(url, Buffer.from(textOf(loaded)).toString('utf8')),
})

const textOf = ({ source = '' }: LoadedModule): string | Uint8Array =>
  typeof source === 'string' || source instanceof Uint8Array ? source : new Uint8Array(source)

/** The hook for Node 20, which runs in its own thread (module.register). */
export async function load<Loaded extends LoadedModule>(
  url: string,
  context: object,
  next: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  const loaded = await next(url, context)
  return isChanged(url, loaded) ? changed(url, loaded) : loaded
}
