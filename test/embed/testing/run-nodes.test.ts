import { expect, jest, test } from '@jest/globals'
import { startNodes } from '../../../lib/embed/testing/run-nodes.ts'

test.each([
  [
    { devNode: { gasReport: 'gas.md' }, processes: 2 },
    'gasReport: 2 processes cannot share it; use one process',
  ],
  [{ devNode: { port: 4444 }, processes: 2 }, 'port: 2 processes cannot share it; use one process'],
  [{ processes: 0 }, 'processes: expected a whole number from 1 to 256, or cores, got 0'],
])('a run with %j is refused', async (settings, message) => {
  await expect(startNodes(settings, {})).rejects.toThrow(message)
})

test.each([
  ['no word', {}, {}, 0],
  ['its explorer', { explorer: true }, {}, 1],
  ['DEV_NODE_EXPLORER', {}, { DEV_NODE_EXPLORER: '1' }, 1],
  ['an option before the variable', { explorer: false }, { DEV_NODE_EXPLORER: '1' }, 0],
])('a run with %s prints the URL of its explorer or not', async (_what, devNode, environment, lines) => {
  const print = jest.spyOn(console, 'error').mockReturnValue()
  const { urls, close } = await startNodes({ devNode }, environment)
  await close()
  const expected = [[`dev-node: the chains of this run and their explorer: ${urls[0]}`]]
  expect(print.mock.calls).toEqual(expected.slice(0, lines))
  print.mockRestore()
})
