/** The picture of an explained failure in the README shows what the command prints. `UPDATE_PICTURE=1` draws it again. */

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { Chalk } from 'chalk'
import { explanationLines } from '../../lib/cli/explanation-lines.ts'
import { explanationObject } from '../../lib/schema/explanation-results.ts'
import { terminalPicture } from '../../scripts/terminal-picture.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { failed, plain, withShop } from '../support/shop.ts'

const FILE = 'docs/explain.svg'

test('the picture of an explained failure is what the command prints', async () => {
  await withShop(hardhat2(plain), async ({ shop, explain }) => {
    const explanation = explanationObject.parse(await explain(failed(shop, 'buy', 30)))
    const lines = explanationLines(explanation, new Chalk({ level: 1 }))
    const picture = terminalPicture(lines, 'A failed transaction, explained in a terminal')
    if (process.env['UPDATE_PICTURE'] !== undefined) writeFileSync(FILE, picture)
    expect(readFileSync(FILE, 'utf8')).toBe(picture)
  })
})
