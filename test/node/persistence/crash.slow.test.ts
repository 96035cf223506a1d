/** A few moments of `npm run crash`: each kind once. */

import { beforeAll, expect, test } from '@jest/globals'
import { crash } from '../../../scripts/crash/run.ts'
import { commandPath } from '../../support/packed-command.ts'

let command: string
beforeAll(async () => {
  command = await commandPath()
})

test('a node killed on a full or read-only disk, with a second node or a late clock loses nothing that it said was written', async () => {
  const said = await crash({ moments: 7, seed: 1, command })
  expect(said.at(-1)).toMatch(/nothing lost$/)
})
