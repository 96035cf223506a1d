/** Jest's `globalTeardown: 'dev-node/jest/teardown'`. */

import { closeNode } from './jest-run.ts'

export default closeNode
