/** A server that accepts no requests, and a process for `main`, both in memory. */

import { PassThrough } from 'node:stream'
import { asAddress } from '../../lib/base/hex.ts'
import type { Io } from '../../lib/cli/io.ts'
import type { NodeHooks } from '../../lib/config/request-log.ts'
import type { RunningServer, StartServer } from '../../lib/server/start.ts'
import type { AllOptions } from '../../lib/modules/options.ts'
import type { RequestLogEntry } from '../../lib/config/request-log.ts'
import { KINDS } from '../support/networks.ts'
import { resolveNetwork } from '../../lib/config/resolve-network.ts'

export const ADDRESS = asAddress('0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826')
export const KEY = '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4'

/** The properties of a server with these options. */
export function fakeServer(options: AllOptions, close = async (): Promise<void> => undefined): RunningServer {
  const network = resolveNetwork(options, KINDS)
  const accounts = options.holdsKeys
    ? [{ address: ADDRESS, privateKey: KEY, balance: 15n * 10n ** 17n } as const]
    : []
  return {
    url: 'http://127.0.0.1:4444',
    port: 4444,
    explorer: options.explorer ? 'http://127.0.0.1:4444/' : undefined,
    ipc: options.ipc,
    state: undefined,
    findings: [],
    fork: undefined,
    accounts,
    network,
    version: '1.2.3',
    facts: [],
    waitsFor: undefined,
    closingText: async () => '',
    closingEvents: async () => [],
    crypto: 'native',
    findArtifacts: async () => ({ folders: ['artifacts'], contracts: 42 }),
    close,
    unref: () => undefined,
  }
}

/** A request that changed nothing. */
export function request(method: string, more: Partial<RequestLogEntry> = {}): RequestLogEntry {
  return { method, params: [], durationMs: 1.25, result: '0x1', ...more }
}

/** A process to run `main` in: the test sends signals and requests, and reads the output. */
export function fakeProcess(argv: readonly string[], start?: StartServer) {
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<Parameters<Io['signals']>[0]>()
  const crashListeners = new Set<(error: unknown) => void>()
  let hooks: NodeHooks = {}
  let onBegin = (): void => undefined
  let onStart = (): void => undefined
  const begun = new Promise<void>((resolve) => (onBegin = resolve))
  const started = new Promise<void>((resolve) => (onStart = resolve))
  const io: Io = {
    argv,
    env: {},
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    isTTY: false,
    pid: 77,
    signals: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    crashes: (listener) => {
      crashListeners.add(listener)
      return () => crashListeners.delete(listener)
    },
    streams: () => ({ input: new PassThrough(), output: new PassThrough() }),
    start: async (options, given = {}) => {
      hooks = given
      onBegin()
      // In a turn after that in which the command goes on.
      return (start ?? (async () => fakeServer(options)))(options, given).finally(() => setImmediate(onStart))
    },
  }
  return {
    io,
    written,
    /** The start has begun, or ended. */
    begun,
    started,
    listeners,
    signal: () => [...listeners].forEach((listener) => listener('SIGTERM')),
    request: (entry: RequestLogEntry) => hooks.onRequest?.(entry),
    fault: (error: unknown) => hooks.onFault?.(error),
    crash: (error: unknown) => [...crashListeners].forEach((listener) => listener(error)),
  }
}
