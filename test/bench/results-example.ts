/** Results of a small run: a row that dev-node wins, one that it loses, and one in which a node fails. */

import type { Results } from '../../bench/results.ts'

const node = (id: string, title: string, missing?: string) => ({
  id,
  title,
  settings: 'default',
  version: `${id}/1.0`,
  missing,
})

const times = (...cpuMs: readonly number[]) => cpuMs.map((each) => ({ cpuMs: each, wallMs: 2 * each }))

export const results: Results = {
  machine: 'Some processor, 2 cores',
  nodeVersion: '20.0.0',
  bareNodeMs: 40,
  minutes: 11.6,
  rounds: 3,
  nodes: [node('dev-node', 'dev-node'), node('anvil', 'Anvil'), node('ganache', 'Ganache', 'not installed')],
  rows: [
    { name: 'won', outcomes: { 'dev-node': times(1, 2, 1), anvil: times(3, 8, 5) } },
    { name: 'lost & <found>', outcomes: { 'dev-node': times(4, 4, 8), anvil: times(2, 1, 2) } },
    {
      name: 'wrong',
      outcomes: {
        'dev-node': times(1, 1, 1),
        anvil: [...times(1, 1), { failed: 'the balance is [1] | 2\nand more' }],
      },
    },
    {
      name: 'memory',
      outcomes: { 'dev-node': [{ megabytes: 200 }], anvil: [{ megabytes: 40, note: 'of half' }] },
    },
  ],
}
