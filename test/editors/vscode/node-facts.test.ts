import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { nodeUrls, readFacts } from '../../../editors/vscode/node-facts.ts'
import { withServer } from '../../support/server.ts'

test('the URL of the settings, then that of the environment, then the usual ones', () => {
  const environment = { DEV_NODE_URL: 'http://127.0.0.1:2/' }
  expect(nodeUrls('http://127.0.0.1:1/', environment)).toEqual(['http://127.0.0.1:1/'])
  expect(nodeUrls('', environment)).toEqual(['http://127.0.0.1:2/'])
  expect(nodeUrls('', {})).toEqual(['http://127.0.0.1:4444/', 'http://127.0.0.1:8545/'])
})

test('a fresh node has no facts but its URL', async () => {
  await withServer({}, async ({ url }) => {
    expect(await readFacts([url])).toEqual({ url, failures: [], gas: undefined, coverage: undefined })
  })
})

test('what is no dev-node is passed over: another server, another node, nobody', async () => {
  const answers = ['<html>', '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}']
  const servers = await Promise.all(
    answers.map(async (text) => {
      const server = createServer((_, response) => response.end(text))
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
    }),
  )
  const others = [...servers.map(({ url }) => url), 'http://127.0.0.1:1/', 'no URL']
  try {
    expect(await readFacts(others)).toBeUndefined()
    await withServer({}, async ({ url }) => {
      expect(await readFacts([...others, url])).toMatchObject({ url })
    })
  } finally {
    for (const { server } of servers) server.close()
  }
})
