/** The guide of explanations: its command, and what it prints. */

import { expect, test } from '@jest/globals'
import { Chalk } from 'chalk'
import { RequestLog } from '../../lib/cli/log.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { commandPath } from '../support/packed-command.ts'
import { codeBlocks, recipe, runShell } from '../support/recipes.ts'
import { failed, plain, withShop } from '../support/shop.ts'

test('the error and the log have the stack as the guide shows', async () => {
  const [code = ''] = recipe('docs/explain.md#in-errors-and-in-the-log', 'js', 'http://127.0.0.1')
  const shown = codeBlocks('docs/explain.md').find(
    ({ language, code }) => language === 'text' && code.startsWith('eth_call error'),
  )
  let log = ''
  const requests = new RequestLog({
    write: (text) => void (log += text),
    isTty: false,
    isVerbose: false,
    paint: new Chalk({ level: 0 }),
  })
  await withShop(
    hardhat2(plain),
    async ({ shop, buyer }) => {
      const data = shop.interface.encodeFunctionData('buy', [30])
      const transaction = { from: buyer, to: await shop.getAddress(), data }
      const lines: string[] = []
      const console = { log: (line: string) => lines.push(line) }
      const { provider } = shop.runner!
      // oxlint-disable-next-line typescript/no-implied-eval -- code of the guide
      const run = new Function('provider', 'transaction', 'console', `return (async () => { ${code} })()`)
      await run(provider, transaction, console)
      expect(lines).toEqual([
        'Token._move contracts/Shop.sol:33',
        'Token.transferFrom contracts/Shop.sol:29',
        'Shop.buy contracts/Shop.sol:51',
      ])
    },
    {},
    { onRequest: (entry) => requests.add(entry) },
  )
  requests.flush()
  expect(log).toContain(shown?.code)
})

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
    expect(output).toContain('└─ call Token.transferFrom(from: account 0, to: Shop, value: 3000)')
  })
})
