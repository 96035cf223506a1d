import { expect, test } from '@jest/globals'
import { realHost } from '../../../lib/base/host.ts'
import { getJson } from '../../../lib/insight/sources/http-get.ts'
import { withSourceStub } from '../../support/source-providers.ts'
import type { StubAnswer } from '../../support/source-providers.ts'

const ADDRESS = `0x${'1b'.repeat(20)}`

async function get(answer: StubAnswer): Promise<unknown> {
  let got: unknown
  await withSourceStub({ [ADDRESS]: answer }, async ({ url }) => {
    const settings = { host: realHost, timeoutMs: 300 }
    got = await getJson(new URL(`${url}/${ADDRESS}`), settings).catch((error: unknown) => error)
  })
  return got
}

test.each([200, 400, 404])('the JSON of an answer with status %d', async (status) => {
  expect(await get((response) => response.writeHead(status).end('{"a":1}'))).toEqual({ a: 1 })
})

test.each<[string, StubAnswer, string]>([
  ['no answer', () => undefined, 'no answer within 300 ms'],
  ['half an answer', (response) => response.writeHead(200).write('{'), 'no answer within 300 ms'],
  ['an answer that breaks off', (response) => response.write('{', () => response.destroy()), 'aborted'],
  ['status 500', (response) => response.writeHead(500).end('{}'), 'HTTP 500'],
])('%s is a fault', async (_case, answer, message) => {
  expect(await get(answer)).toMatchObject({ message, pauseMs: undefined })
})

test.each([
  ['7', 7000],
  ['soon', undefined],
  ['-5', undefined],
])('Retry-After: %s', async (header, pauseMs) => {
  const answer: StubAnswer = (response) => response.writeHead(429, { 'retry-after': header }).end()
  expect(await get(answer)).toMatchObject({ message: 'HTTP 429', pauseMs })
})
