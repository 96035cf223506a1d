/**
 * Measures the longest transactions: whole blocks of gas for programs and precompiles that are slow for their price. While such a
 * transaction runs, other transactions wait.
 */

import { PRECOMPILE_INPUTS } from '../bench/precompile-inputs.ts'
import { toHex } from '../lib/base/hex.ts'
import { ethereumPrecompiles } from '../lib/networks/ethereum/precompiles/precompiles.ts'
import { activeEips } from '../lib/config/active-eips.ts'
import { NodeClient } from './node-client.ts'
import { EXPENSIVE, callsPrecompile } from './programs.ts'

/** Gas of the block, that of the preset of Ethereum. */
const GAS = 30_000_000

const TARGET = `0x${'77'.repeat(20)}`

/** Input that fits a transaction whose gas is for the calls. */
const MAX_INPUT = 20_000

interface Row {
  readonly name: string
  readonly code: string
  readonly data: string
}

function rows(): readonly Row[] {
  const eips = activeEips({ ownEips: undefined, hardfork: 'prague', eips: [] })
  const addresses = new Map(
    [...ethereumPrecompiles(eips)].map(([address, { name }]) => [name, Number(address)]),
  )
  const precompiles = PRECOMPILE_INPUTS.flatMap(({ network, name, what, input }) => {
    const address = addresses.get(name)
    if (network !== 'ethereum' || address === undefined || input.length > MAX_INPUT) return []
    return [{ name: `${name}, ${what}`, code: callsPrecompile(address), data: toHex(input) }]
  })
  return [...Object.entries(EXPENSIVE).map(([name, code]) => ({ name, code, data: '0x' })), ...precompiles]
}

/** Milliseconds of a transaction with the gas, and of one for which the node estimates first; slowest first. */
export async function longestTransactions(
  program: string,
): Promise<
  readonly (Row & { readonly ms: number; readonly estimateMs: number; readonly gasUsed: number })[]
> {
  const options = { network: 'ethereum', hardfork: 'prague', port: 0, noArtifacts: true } as const
  const node = await NodeClient.start(program, { ...options, defaultGas: 'estimate' })
  const from = node.ready.accounts[0]!.address
  const measured = []
  for (const row of rows()) {
    await node.call('hardhat_setCode', TARGET, row.code)
    const sent = { from, to: TARGET, data: row.data }
    const ms = await timeOf(() => node.call('eth_sendTransaction', { ...sent, gas: `0x${GAS.toString(16)}` }))
    const block = (await node.call('eth_getBlockByNumber', 'latest', false)) as { readonly gasUsed: string }
    const estimateMs = await timeOf(() => node.call('eth_sendTransaction', sent))
    measured.push({ ...row, ms, estimateMs, gasUsed: Number(block.gasUsed) })
  }
  await node.stop()
  return measured.toSorted((one, other) => other.ms - one.ms)
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return Math.round(performance.now() - startedAt)
}
