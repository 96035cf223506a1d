/** How hooks of test runners ask the node of their tests. */

import type { RpcMethods } from './rpc-types.ts'

/** Sends a request to the node of the test, or to each of several nodes: then the answers are a list. */
export type Ask = (...request: Asked<'dev_testFailed'> | Asked<'dev_executedContracts'>) => Promise<unknown>
type Asked<Method extends keyof RpcMethods> = [method: Method, params: RpcMethods[Method]['params']]
