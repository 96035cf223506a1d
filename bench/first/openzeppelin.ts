/** Rows of OpenZeppelin's contracts, in a folder that the user names: a checkout with its packages, compiled. */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { anvil } from '../nodes/anvil.ts'
import { devNode, pluginPath } from '../nodes/dev-node.ts'
import { startNode } from '../nodes/node.ts'
import { nodeProgram } from '../nodes/program.ts'
import { HARDHAT_CHAIN } from './row.ts'
import type { FirstRow, Place, Side } from './row.ts'
import { timedTests } from './timed.ts'
import { HARDHAT } from './workspace.ts'

const ACCESS = ['access']

const LARGE = ['access', 'token', 'governance']

const CONFIG = 'dev-node-bench.config.js'

/** As the config of OpenZeppelin has it, with the plugin, the workers and the node that the environment names. */
const CONFIG_CODE = `
if (process.env.DEV) require(process.env.DEV)
const config = require('./hardhat.config.js')
const networks = { ...config.networks, http: { url: process.env.NODE_URL ?? 'http://127.0.0.1:8545' } }
module.exports = { ...config, networks, mocha: { ...config.mocha, jobs: 4 } }
`

/** The contracts of the tests are larger than the limit, and compiled for Osaka. */
const DEV_NODE = devNode('dev-node-large', 'dev-node, large contracts', [
  '--network',
  'ethereum',
  '--hardfork',
  'osaka',
  '--allow-unlimited-contract-size',
])

const ANVIL = anvil('anvil-large', 'Anvil, large contracts', [
  '--hardfork',
  'osaka',
  '--disable-code-size-limit',
  '--silent',
])

/** Command line of the tests in some folders of `test`. */
function tests(
  { workspace, openzeppelin = '' }: Place,
  folders: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const config = join(openzeppelin, CONFIG)
  if (!existsSync(config)) {
    writeFileSync(config, CONFIG_CODE)
    process.once('exit', () => rmSync(config))
  }
  const files = folders.flatMap((folder) =>
    readdirSync(join(openzeppelin, 'test', folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => name.endsWith('.test.js'))
      .map(({ parentPath, name }) => relative(openzeppelin, join(parentPath, name))),
  )
  return {
    file: nodeProgram(),
    args: [HARDHAT[2], 'test', '--no-compile', ...args, ...files.sort()],
    cwd: openzeppelin,
    // The workers of Mocha read the variable; they do not get the flag.
    env: { ...workspace.env, HARDHAT_CONFIG: config, ...env },
  }
}

const inProcess =
  (folders: readonly string[], ...args: readonly string[]) =>
  (side: Side, place: Place) =>
    timedTests(tests(place, folders, args, side === 'dev-node' ? { DEV: pluginPath() } : {}))

/** The suite, and the node from its start on. Of the other folders, most tests fail on Anvil. */
async function overHttp(side: Side, place: Place) {
  const running = await startNode(side === 'dev-node' ? DEV_NODE : ANVIL)
  try {
    const url = side === 'dev-node' ? `${running.url}/?dialect=hardhat` : running.url
    const { cpuMs = NaN, ...measured } = await timedTests(
      tests(place, ACCESS, ['--network', 'http'], { NODE_URL: url }),
    )
    return { ...measured, cpuMs: cpuMs + running.use().cpuMs }
  } finally {
    await running.stop()
  }
}

const row = (id: string, name: string, measure: FirstRow['measure'], other: string): FirstRow => ({
  id,
  name: `OpenZeppelin: ${name}`,
  other,
  figure: 'cpuMs',
  needsOpenzeppelin: true,
  measure,
})

/** Suites inside Hardhat 2, and over HTTP. */
export const OPENZEPPELIN_ROWS: readonly FirstRow[] = [
  row('access', 'access', inProcess(ACCESS), HARDHAT_CHAIN),
  row('large', 'access, token, governance', inProcess(LARGE), HARDHAT_CHAIN),
  row('parallel', 'access, token, governance, four workers', inProcess(LARGE, '--parallel'), HARDHAT_CHAIN),
  row('http', 'access over HTTP', overHttp, 'Anvil'),
]
