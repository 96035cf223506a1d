/** Starts the longest suites first, so that none of them runs alone at the end. Jest knows times only after a first run. */
import { createRequire } from 'node:module'
import { sep } from 'node:path'

// Jest gives a class of CommonJS its default export.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer')

/** Suites that take more than some ten seconds, longest first. A suite that is not here is only started later. */
const LONGEST = [
  'modules/debug/corpus.slow',
  'recipes/bundlers',
  'modules/network-33/reference-replay.slow',
  'recipes/hardhat2',
  'recipes/runners',
  'recipes/hardhat3-plugin',
  'recipes/hardhat2-process',
  'rpc/hardhat-texts.slow',
  'recipes/deployment-tools',
  'insight/explain/reason',
  'recipes/hardhat3',
  'fork/peers.slow',
  'fork/timeouts',
  'node/worlds/eight-workers.slow',
  'insight/artifacts/compiling-tools.slow',
  'explorer/every-page',
  'explorer/address-page',
  'fork/offline',
  'clients/viem',
  'rpc/hostile-params',
  'explorer/transaction-page',
  'fork/processes.slow',
  'explorer/controls-page',
  'cli/crash.slow',
  'insight/explain/proxies',
  'chain/miner/empty-blocks',
  'node/persistence/kill.slow',
  'clients/package',
  'embed/testing/jest.slow',
  'fork/blocks-of-peers.slow',
  'rpc/long-writes',
  'rpc/long-calls',
  'evm/machine/machine',
  'modules/cross-check/cross-check',
  'chain/kept-memory.slow',
  'evm/machine/core',
  'chain/instance/revert-law',
  'chain/flat-costs.slow',
  'explorer/long-lists',
  'clients/blobs',
  'recipes/scaling',
  'recipes/init',
  'fuzz/campaign.slow',
]

/** Place of a suite in the list; those without a place come after it. */
function placeOf({ path }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`test/${name}.test.ts`.replaceAll('/', sep)))
  return place === -1 ? LONGEST.length : place
}

/** Jest's order, but for the suites that have a place. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}
