/** A setup file that exec-hooks.ts adds to those of Vitest: explains failed tests of a program of `dev-node exec`. */

import { TestChain } from './test-chain.ts'
import { explainVitest } from './vitest-hooks.ts'

const chain = new TestChain({ url: process.env['DEV_NODE_URL'] ?? '' })
await explainVitest((method, params) => chain.rpc(method, params))
