/** How the hooks of test runners ask their node. */

import type { RpcMethods } from './rpc-types.ts'

/** Sends a request to the test's node. With several nodes, the answer is a list. */
export type Ask = (...request: Asked<'dev_testFailed'> | Asked<'dev_executedContracts'>) => Promise<unknown>
type Asked<Method extends keyof RpcMethods> = [method: Method, params: RpcMethods[Method]['params']]
