/** The public API, and the only module that re-exports from others. */

export { NodeError } from './base/errors.ts'
export type { ErrorKind } from './base/errors.ts'
export type { Dialect } from './config/dialect.ts'
export type { Network } from './config/network.ts'
export type { OptionsInput } from './node/options.ts'
export type { BlockLogEntry, ConsoleOutput, FailedRun, NodeHooks } from './config/request-log.ts'
export type { LoggedFunction, LoggedStack, RequestLogEntry, SentTransaction } from './config/request-log.ts'
export { createNode, createProvider } from './embed/dev-node.ts'
export type { DevAccount, DevNode, WorldMembers } from './embed/dev-node.ts'
export type { MethodName, MethodParams, MethodResult } from './embed/provider-api.ts'
export type { Provider, ProviderEvents, ProviderMessage } from './embed/provider-api.ts'
export type { ProviderRequest, ProviderSettings } from './embed/provider-api.ts'
export { ProviderError } from './embed/provider-error.ts'
export type { RpcMethods } from './embed/rpc-types.ts'
export { precompileAddresses, precompileInterfaces } from './networks/network-33/precompiles/interfaces.ts'
export type {
  AbiItem,
  ContractInterface,
  SelectedItem,
} from './networks/network-33/precompiles/interfaces.ts'
export { startServer } from './server/start.ts'
export type { RunningServer } from './server/start.ts'
export { startNodes } from './embed/testing/run-nodes.ts'
export type { RunNodes, RunSettings } from './embed/testing/run-nodes.ts'
