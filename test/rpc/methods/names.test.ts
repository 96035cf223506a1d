/** Names in the log and in explanations, as the client and the terminal get them. */

import { describe, expect, test } from '@jest/globals'
import { Interface } from 'ethers'
import type { RequestLogEntry } from '../../../lib/config/request-log.ts'
import { compileProject, hardhat2, writeProject } from '../../support/artifact-projects.ts'
import { answerOf, withServer } from '../../support/server.ts'
import { join } from 'node:path'

const PATH = 'contracts/Bank.sol'
const run = compileProject({
  [PATH]: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Coin {
    string public symbol = "MTK";
    uint8 public decimals = 6;
    mapping(address => uint256) public balances;
    event Transfer(address indexed from, address indexed to, uint256 value);
    function approve(address, uint256) external {}
    function transferFrom(address from, address to, uint256 value) external {
        balances[to] += value;
        emit Transfer(from, to, value);
    }
}
contract Bank {
    Coin coin;
    constructor(Coin first) { coin = first; }
    function deposit(uint256 amount) external { coin.transferFrom(msg.sender, address(this), amount); }
}
`,
})
const { Bank, Coin } = run.output.contracts[PATH]!
const [bank, coin] = [Bank!, Coin!].map(({ abi }) => new Interface(abi as never))
const PROXY_BEFORE = '363d3d373d3d3d363d73'
const PROXY_AFTER = '5af43d82803e903d91602b57fd5bf3'

/** Sends transactions, and returns what the log says and the explanation of the last one. */
async function sent(artifacts: boolean) {
  const entries: RequestLogEntry[] = []
  const folder = await writeProject(artifacts ? hardhat2(run) : [])
  const options = {
    network: 'ethereum',
    ...(artifacts && { artifacts: [join(folder, 'artifacts')] }),
  } as const
  let [explained, described]: any[] = []
  await withServer(
    options,
    async ({ url }) => {
      const ask = async (method: string, ...params: readonly unknown[]): Promise<any> => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        return ((await response.json()) as { result: unknown }).result
      }
      const accounts = (await ask('eth_accounts')) as readonly string[]
      const send = (from: number, request: object): Promise<string> =>
        ask('eth_sendTransaction', { from: accounts[from], ...request })
      const deployed = async (data: string) =>
        (await ask('eth_getTransactionReceipt', await send(0, { data }))).contractAddress as string
      const token = await deployed(`0x${Coin!.evm.bytecode.object}`)
      const vault = await deployed(`0x${Bank!.evm.bytecode.object}${bank!.encodeDeploy([token]).slice(2)}`)
      const clone = await deployed(`0x3d602d80600a3d3981f3${PROXY_BEFORE}${token.slice(2)}${PROXY_AFTER}`)
      await send(2, { to: accounts[3], value: '0x14d1120d7b160000' })
      await send(1, { to: token, data: coin!.encodeFunctionData('approve', [vault, 2_500_000n]) })
      await send(1, { to: clone, data: coin!.encodeFunctionData('approve', [clone, 1n]) })
      const hash = await send(1, { to: vault, data: bank!.encodeFunctionData('deposit', [12_000_000n]) })
      explained = await ask('dev_explainTransaction', hash)
      await ask('evm_setAutomine', false)
      const pooled = await send(1, {
        to: vault,
        data: bank!.encodeFunctionData('deposit', [1n]),
        gas: '0x30d40',
      })
      described = await ask('dev_describeTransactions', [hash, pooled, `0x${'ee'.repeat(32)}`])
    },
    { onRequest: (entry) => entries.push(entry) },
  )
  return { actions: entries.flatMap(({ transaction }) => transaction?.action ?? []), explained, described }
}

describe('with artifacts', () => {
  test('transactions are functions of contracts with amounts of tokens, by accounts', async () => {
    const { actions, explained, described } = await sent(true)
    expect(described).toEqual([
      { from: 'account 1', call: 'Bank.deposit(12 MTK)' },
      { from: 'account 1', call: 'Bank.deposit(1)' },
      null,
    ])
    expect(actions).toEqual([
      expect.stringMatching(/^new Coin at 0x[0-9a-f]{40} from account 0$/),
      expect.stringMatching(/^new Bank at 0x[0-9a-f]{40} from account 0$/),
      expect.stringMatching(/^new contract at 0x[0-9a-f]{40} from account 0$/),
      '1.5 ether to account 3 from account 2',
      'Coin.approve(Bank, 2.5 MTK) from account 1',
      'Coin (proxy).approve(Coin (proxy), 1) from account 1',
      'Bank.deposit(12 MTK) from account 1',
    ])
    expect(Object.values(explained.names)).toEqual(expect.arrayContaining(['account 1', 'Bank', 'Coin']))
    const token = explained.tokens[0].token
    expect(explained.units).toEqual({ [token]: { symbol: 'MTK', decimals: 6 } })
    // The fees of the miner are left out.
    expect(explained.balances).toHaveLength(1)
  })
})

describe('without artifacts', () => {
  test('transactions have the functions of common standards, and tokens their symbols', async () => {
    const { actions } = await sent(false)
    expect(actions.slice(3, 5)).toEqual([
      '1.5 ether to account 3 from account 2',
      expect.stringMatching(/^MTK\.approve\(0x\w{40}, 2\.5 MTK\) from account 1$/),
    ])
  })
})

test('a call of the Bridge has the name of its function, also by a selector of its own', () =>
  withServer({ federation: 'off' }, async ({ url, accounts }) => {
    const request = { from: accounts[0]!.address, to: '0x0000000000000000000000000000000001000006' }
    const sent = { ...request, data: '0x0c5a9990', gas: '0xf4240' }
    const { result, error } = await answerOf(url, 'eth_sendTransaction', [sent])
    const described = await answerOf(url, 'dev_describeTransactions', [[result ?? error.data?.txHash]])
    expect(described.result).toMatchObject([{ call: 'bridge.updateCollections()' }])
  }))
