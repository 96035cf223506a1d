import { expect, test } from '@jest/globals'
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
