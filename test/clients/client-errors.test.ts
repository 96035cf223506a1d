/** The table of docs/requests.md about the errors of clients, against real clients and the packed command. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { createTestClient, http, publicActions, walletActions } from 'viem'
import { clientErrors } from './client-errors.ts'
import { loadContracts } from '../support/contracts.ts'
import { startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

const FILE = 'fixtures/client-errors.json'

let node: RunningNode

beforeAll(async () => {
  node = await startDevNode()
})

afterAll(() => node.stop())

test('clients see of reverts what fixtures/client-errors.json has (DEV_NODE_FIXTURES=write renews it)', async () => {
  // web3.js prints what it cannot decode.
  const printing = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const { abi, bytecode } = (await loadContracts()).Reverter
  const url = withDialect(node.url, 'ethereum')
  const client = createTestClient({ mode: 'hardhat', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)
  const [owner] = await client.getAddresses()
  const hash = await client.deployContract({ abi, bytecode, account: owner!, chain: null })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  const seen = await clientErrors({ url: node.url, abi, address: contractAddress!, owner: owner! })
  printing.mockRestore()
  if (process.env['DEV_NODE_FIXTURES'] === 'write') writeFileSync(FILE, `${JSON.stringify(seen, null, 2)}\n`)
  expect(seen).toEqual(JSON.parse(readFileSync(FILE, 'utf8')))
})
