import { expect, test } from '@jest/globals'
import { quotable, shownUrl, withShownUrls } from '../../lib/base/shown-url.ts'

test.each([
  ['https://user:word@node.test:8545/v3/key?token=1#part', 'https://node.test:8545'],
  ['wss://node.test/key', 'wss://node.test'],
  ['http://[::1]:8545/key', 'http://[::1]:8545'],
  ['http://:80/key', 'http://...'],
  ['node.test/key', '...'],
  ['user:word@node.test', '...'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown)
})

test.each([
  [' https://node.test/key', 'https://node.test'],
  ['http', 'http'],
  ['0x1234', '0x1234'],
  ['see https://node.test/key', 'see https://node.test/key'],
])('the text %p is quoted as %p', (text, quoted) => {
  expect(quotable(text)).toBe(quoted)
})

test('a JSON value keeps its form, and URLs in it are shown URLs', () => {
  const url = 'https://node.test/key'
  const given = [{ forking: { jsonRpcUrl: url, blockNumber: 5 } }, [url, null, true]]
  const shown = [
    { forking: { jsonRpcUrl: 'https://node.test', blockNumber: 5 } },
    ['https://node.test', null, true],
  ]
  expect(withShownUrls(given)).toEqual(shown)
})

test('a value of any depth is read', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(() => withShownUrls(deep)).not.toThrow()
})
