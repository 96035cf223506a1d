/** The guide of explanations: its command, and what it prints. */

import { expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { commandPath } from '../support/packed-command.ts'
import { codeBlocks, recipe, runShell } from '../support/recipes.ts'
import { failed, plain, withShop } from '../support/shop.ts'

test('the command explains a failed transaction as the guide shows', async () => {
  await withShop(hardhat2(plain), async ({ url, shop }) => {
    const { hash } = await failed(shop, 'buy', 30)
    const [line = ''] = recipe('docs/explain.md#explanations', 'sh', url)
    const run = line.replace('npx dev-node', `"${await commandPath()}"`).replace('$HASH', hash)
    const { exitCode, output } = await runShell(run, '.')
    expect(exitCode).toBe(0)
    const shown = codeBlocks('docs/explain.md')
      .find(({ language }) => language === 'text')
      ?.code.split('\n')
    // The first lines are shown whole, the calls without what would make them long.
    expect(output.split('\n').slice(0, 8)).toEqual(shown?.slice(0, 8))
    expect(output).toContain('└─ call Token.transferFrom(from: 0xf39F')
  })
}, 180_000)
