/** Contracts that are not written in Solidity have names and decoded values, and no lines. */

import { rm } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { encodeFunctionData, parseAbi } from 'viem'
import { writeProject } from '../../support/artifact-projects.ts'
import { askerOf } from '../../support/fork-pair.ts'
import { withServer } from '../../support/server.ts'
import { OUTPUTS, compiled } from '../../support/solc.ts'
import type { Explained } from '../../support/shop.ts'

const YUL = `object "Refuser" {
  code { datacopy(0, dataoffset("run"), datasize("run")) return(0, datasize("run")) }
  object "run" {
    code {
      function refuse(code) { mstore(0, shl(224, code)) revert(0, 4) }
      if iszero(calldataload(4)) { refuse(0x12345678) }
      if eq(calldataload(4), 1) { revert(0, 0) }
      log1(0, 0, 5)
      sstore(0, calldataload(4))
      mstore(0, 7) return(0, 32)
    }
  }
}`

const input = {
  language: 'Yul',
  sources: { 'Refuser.yul': { content: YUL } },
  settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': OUTPUTS, '': ['ast'] } } },
}
const output = compiled(input)
const { evm } = output.contracts['Refuser.yul'].Refuser
const abi = parseAbi(['function answer(uint256 question) returns (uint256)'])

/** The output in the form of Vyper's standard JSON: another tree, and a source map that is not that of solc. */
const vyper = {
  compiler: 'vyper-0.4.0',
  sources: { 'Refuser.vy': { id: 0, ast: { ast_type: 'Module', src: '0:99:0', body: [] } } },
  contracts: {
    'Refuser.vy': {
      Refuser: {
        abi,
        evm: {
          bytecode: { object: evm.bytecode.object },
          deployedBytecode: { object: evm.deployedBytecode.object, sourceMap: '0:20:0:-;;;;5:9:0' },
        },
      },
    },
  },
}

/** Explains a creation and calls with some arguments. */
async function explain(file: object): Promise<readonly Explained[]> {
  const folder = await writeProject([['output.json', file]])
  const explained: Explained[] = []
  await withServer({ network: 'ethereum', artifacts: [folder] }, async (server) => {
    const ask = askerOf(server)
    const [from] = await ask('eth_accounts', [])
    const hash = await ask('eth_sendTransaction', [
      { from, data: `0x${evm.bytecode.object}`, gas: '0x7a120' },
    ])
    explained.push(await ask('dev_explainTransaction', [hash]))
    const { contractAddress: to } = await ask('eth_getTransactionReceipt', [hash])
    for (const question of [0n, 1n, 2n]) {
      const data = encodeFunctionData({ abi, args: [question] })
      explained.push(await ask('dev_explainCall', [{ from, to, data }, 'latest']))
    }
  })
  await rm(folder, { recursive: true })
  return explained
}

describe.each([
  ['Yul', { input, output }, [undefined, undefined]],
  ['Vyper', vyper, ['answer(uint256)', '7']],
])('%s', (_language, file, [name, result]) => {
  test('contracts have names, reasons and no lines', async () => {
    const [creation, ...calls] = await explain(file)
    expect(creation).toMatchObject({ status: 'success', call: { contract: 'Refuser' } })
    expect(calls.map(({ status, reason }) => reason?.message ?? status)).toEqual([
      'reverted with an unrecognized custom error (return data: 0x12345678)',
      'reverted without a reason string',
      'success',
    ])
    for (const { call, stack = [] } of calls) {
      expect([call.contract, call.function]).toEqual(['Refuser', name])
      for (const entry of stack) {
        expect(entry.contract).toBe('Refuser')
        expect([entry.function, entry.line, entry.excerpt]).toEqual([undefined, undefined, undefined])
      }
    }
    expect(calls.map(({ stack }) => stack?.length)).toEqual([1, 1, undefined])
    expect(calls[2]?.call.results?.[0]?.value).toBe(result)
    expect(calls[2]?.storage).toMatchObject([{ after: `0x${'2'.padStart(64, '0')}` }])
  })
})
