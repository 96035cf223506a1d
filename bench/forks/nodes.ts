/** The nodes that fork the remote. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anvilDefault } from '../nodes/anvil.ts'
import { devNodeEthereum } from '../nodes/dev-node.ts'
import { hardhat2 } from '../nodes/hardhat.ts'
import type { BenchNode } from '../nodes/node.ts'

/** What a node forks, and where it keeps its cache. */
export interface ForkSource {
  readonly url: string
  readonly blockNumber: number
  /** Folder that outlives the process. */
  readonly cache: string
}

/** A node that can fork. */
export interface ForkingNode {
  readonly node: BenchNode
  readonly forking: (source: ForkSource) => BenchNode
}

const flagsOf = ({ url, blockNumber }: ForkSource): readonly string[] => [
  '--fork-url',
  url,
  '--fork-block-number',
  String(blockNumber),
]

const withFlags = (
  node: BenchNode,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): BenchNode => ({
  ...node,
  launch: (run) => {
    const launch = node.launch(run)
    return { ...launch, args: [...launch.args, ...flags], env: { ...launch.env, ...env } }
  },
})

const devNode: ForkingNode = {
  node: devNodeEthereum,
  forking: (source) => withFlags(devNodeEthereum, [...flagsOf(source), '--fork-cache', source.cache]),
}

/** Anvil keeps its cache in the folder of the user. It waits for the rate limit of a service unless told not to. */
const anvil: ForkingNode = {
  node: anvilDefault,
  forking: (source) =>
    withFlags(anvilDefault, [...flagsOf(source), '--no-rate-limit'], { HOME: source.cache }),
}

const hardhat: ForkingNode = {
  node: hardhat2,
  forking: ({ url, blockNumber, cache }) => ({
    ...hardhat2,
    launch: (run) => {
      const launch = hardhat2.launch(run)
      const file = join(run.folder, 'hardhat.config.cjs')
      const config = JSON.parse(readFileSync(file, 'utf8').replace('module.exports = ', ''))
      config.networks.hardhat.forking = { url, blockNumber }
      mkdirSync(cache, { recursive: true })
      config.paths = { cache }
      writeFileSync(file, `module.exports = ${JSON.stringify(config)}`)
      return launch
    },
  }),
}

/** The nodes, this project's first. */
export const FORKING_NODES: readonly ForkingNode[] = [devNode, anvil, hardhat]
