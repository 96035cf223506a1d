/** The command itself, on the packed node. */

import { expect, test } from '@jest/globals'
import { parseOptions } from '../../bench/options.ts'
import { commandPath } from '../support/packed-command.ts'
import { runShell } from '../support/recipes.ts'

test('measures a row on a node', async () => {
  const command = await commandPath()
  const { exitCode, output } = await runShell(
    `npm run --silent bench -- --quick --nodes dev-node --only 'trivial call' --command ${command}`,
    process.cwd(),
  )
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  expect(output).toMatch(/^\| trivial call +\| +[\d.]+ \|$/m)
  expect(output).toMatch(/^\| trivial call over WebSocket +\| +[\d.]+ \|$/m)
})

test('measures a row of the first seconds', async () => {
  const command = await commandPath()
  const { exitCode, output } = await runShell(
    `npm run --silent bench -- --first --rows start --rounds 1 --node "${process.execPath}" --command ${command}`,
    process.cwd(),
  )
  expect({ exitCode, output }).toMatchObject({ exitCode: 0 })
  expect(output).toMatch(
    /^\| `dev-node start` [^|]+\| Anvil +\| +1 \| +[\d.]+ \| +[\d.]+ \| +\**[\d.]+\** \|$/m,
  )
})

test.each([
  [['--nodes', 'anvils'], 'unknown node anvils'],
  [['--rounds', '0'], '--rounds 0'],
  [['--quik'], '--quik'],
])('refuses %j', (args, message) => expect(() => parseOptions(args)).toThrow(message))

test.each([
  [[], true],
  [['--quick'], false],
  [['--only', 'logs'], false],
  [['--nodes', 'anvil'], false],
  [['--rows', 'start'], false],
])('only a run of everything renews the document: %j', (args, complete) =>
  expect(parseOptions(args)).toMatchObject({ subject: 'table', complete }),
)
