/** Public API, and the only barrel. */

export { NodeError } from './base/errors.ts'
export type { ErrorKind } from './base/errors.ts'
export type { Network } from './config/network.ts'
export type { Options, OptionsInput } from './config/options.ts'
export { resolveOptions } from './config/resolve-options.ts'
export type { RequestLogEntry, SentTransaction } from './config/request-log.ts'
export { startServer } from './server/start.ts'
export type { RunningServer, ServerHooks } from './server/start.ts'
