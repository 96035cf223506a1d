/** Gas of one transaction by source line and by call path, as flame graphs show it. @example `npx dev-node explain --gas <hash>` */

import { lazyPart } from '../../base/lazy-part.ts'
import { readMethod } from '../../kernel/method.ts'
import type { NodeCore, PlainChain } from '../../kernel/module.ts'
import type { NodeModule } from '../../node/node.ts'
import { SENT, ofMined, transactionHash } from '../../rpc/methods/params.ts'
import { gasProfileObject } from './results.ts'

const loadProfiler = lazyPart('gas profiles', () => import('./gas-profiler.ts'))

const profile = readMethod({
  name: 'dev_profile',
  summary: 'Gas of a mined transaction by source line, and by call path for flame graphs, or null.',
  params: [transactionHash],
  result: gasProfileObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: ofMined(async ({ entry, receipt }, { replayer, knownContracts }: PlainChain) => {
    const { gasProfiler } = await loadProfiler()
    return gasProfiler(replayer, knownContracts)(entry, receipt)
  }),
})

export const gasProfile = {
  name: 'gas profiles',
  start: () => ({}),
  methods: [profile],
} as const satisfies NodeModule<NodeCore>
