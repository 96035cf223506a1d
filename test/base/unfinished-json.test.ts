import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { UnfinishedJson } from '../../lib/rpc/streamed-response.ts'

/** The tokens of JSON; a key has its colon. */
const TOKENS = /"(?:[^"\\]|\\.)*":?|[[\]{},]|[^\s"[\]{},:]+/g

test('JSON that ends behind any token can be completed, whatever its texts contain', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.nat(),
      fc.integer({ min: 1, max: 5 }),
      (value, at, step) => {
        const tokens = [...JSON.stringify([value]).matchAll(TOKENS)].map(([token]) => token)
        const kept = tokens.slice(0, at % (tokens.length + 1))
        const json = new UnfinishedJson()
        let text = ''
        for (let from = 0; from < kept.length; from += step)
          text += json.add(kept.slice(from, from + step).join(''))
        if (text !== '') expect(() => JSON.parse(text + json.end)).not.toThrow()
        if (kept.length === tokens.length) expect(json.end).toBe('')
      },
    ),
  )
})

test.each([
  ['{"structLogs":[{"pc":0,"stack":["0x1"', ']}]}'],
  ['[{"txHash":"0x1","result":', 'null}]'],
  ['{"a":1,', '"":null}'],
  [String.raw`["a \"quoted\" [ text\\"`, ']'],
])('%s is completed by %s', (text, end) => {
  const json = new UnfinishedJson()
  json.add(text)
  expect(json.end).toBe(end)
})
