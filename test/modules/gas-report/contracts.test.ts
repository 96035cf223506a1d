/** Which contract and function of a gas report an execution belongs to. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, Interface, JsonRpcProvider } from 'ethers'
import type { JsonRpcSigner } from 'ethers'
import { gasReportObject, type GasReport } from '../../../lib/modules/gas-report/results.ts'
import type { RunningServer } from '../../../lib/server/start.ts'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { withServer } from '../../support/server.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Vault {
    uint256 public stored;
    uint256 private immutable limit;
    constructor(uint256 most) { require(most > 0); limit = most; }
    function put(uint256 value) external { stored = value; }
    function put(uint256 value, uint256 more) external { stored = value + more; }
    function end() external { selfdestruct(payable(msg.sender)); }
    receive() external payable {}
    fallback() external { stored = 7; }
}
contract Proxy {
    constructor(address to) { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to) } }
    function upgrade(address to) external { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to) } }
    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc), 0, calldatasize(), 0, 0)
            if iszero(ok) { revert(0, 0) }
        }
    }
}
`
const run = compileProject({ 'contracts/Vault.sol': SOURCE }, { evmVersion: 'shanghai' })
const { Vault, Proxy } = run.output.contracts['contracts/Vault.sol']!
let folder = ''

beforeAll(async () => {
  folder = await writeProject(hardhat2(run))
})

afterAll(() => rm(folder, { recursive: true }))

/** A node that records gas, and the functions of its report with their numbers of transactions. */
interface Recorded {
  readonly server: RunningServer
  readonly signer: JsonRpcSigner
  readonly vault: Contract
  readonly rows: () => Promise<Record<string, Record<string, number>>>
}

const withVault = (test: (recorded: Recorded) => Promise<void>) =>
  withServer(
    { network: 'ethereum', hardfork: 'shanghai', artifacts: [join(folder, 'artifacts')], gasReport: true },
    async (server) => {
      const client = new JsonRpcProvider(server.url, undefined, {
        cacheTimeout: -1,
        staticNetwork: true,
        batchMaxCount: 1,
      })
      try {
        const signer = await client.getSigner(0)
        const vault = await deploy(signer, Vault, 5)
        const rows = async () => {
          const report = await reportOf(server)
          return Object.fromEntries(
            report.contracts.map(({ contract, functions }) => [
              contract.replace(/.*:/, ''),
              Object.fromEntries(
                functions.map(({ function: name, transactions }) => [name, transactions?.count ?? 0]),
              ),
            ]),
          )
        }
        await test({ server, signer, vault, rows })
      } finally {
        client.destroy()
      }
    },
  )

async function deploy(signer: JsonRpcSigner, compiled: typeof Vault, ...given: readonly unknown[]) {
  const { abi, evm } = compiled!
  const contract = await new ContractFactory(abi as never, evm.bytecode.object, signer).deploy(...given)
  return new Contract(await contract.getAddress(), abi as never, signer)
}

const put = new Interface(['function put(uint256)']).encodeFunctionData('put', [3])

/** The gas report of a server. */
const reportOf = async (server: RunningServer): Promise<GasReport> => {
  const [[name, report] = []] = await server.closingEvents()
  expect(name).toBe('gasReport')
  return gasReportObject.parse(report)
}

describe('a gas report', () => {
  test('has overloads by signature, receive, fallback, and calls with an unknown selector', async () => {
    await withVault(async ({ signer, vault, rows }) => {
      const to = await vault.getAddress()
      for (const data of [put, '0x', '0x12345678', '0x12'])
        await (await signer.sendTransaction({ to, data })).wait()
      await vault['put(uint256,uint256)']!(1, 2)
      expect(await rows()).toEqual({
        Vault: { 'put(uint256)': 1, 'put(uint256,uint256)': 1, fallback: 2, receive: 1 },
      })
    })
  })

  test('counts clones and proxies for the contract that they run, and the own functions of a proxy for the proxy', async () => {
    await withVault(async ({ signer, vault, rows }) => {
      const target = await vault.getAddress()
      const proxy = await deploy(signer, Proxy, target)
      const code = `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`
      const clone = await (await signer.sendTransaction({ data: code })).wait()
      for (const to of [await proxy.getAddress(), clone!.contractAddress!])
        await (await signer.sendTransaction({ to, data: put })).wait()
      await proxy['upgrade']!(target)
      expect(await rows()).toMatchObject({ Vault: { 'put(uint256)': 2 }, Proxy: { 'upgrade(address)': 1 } })
    })
  })

  test('names a contract that has destroyed itself, and one whose constructor failed', async () => {
    await withVault(async ({ server, signer, vault, rows }) => {
      await vault['end']!()
      const data = new ContractFactory(
        Vault!.abi as never,
        Vault!.evm.bytecode.object,
      ).interface.encodeDeploy([0])
      const created = { data: `0x${Vault!.evm.bytecode.object}${data.slice(2)}`, gasLimit: 900_000 }
      await signer.sendTransaction(created).catch(() => undefined)
      expect(await rows()).toMatchObject({ Vault: { 'end()': 1 } })
      const { contracts } = await reportOf(server)
      expect(contracts).toMatchObject([{ deployments: { count: 1, failed: 1 } }])
    })
  })
})
