/**
 * All recorded sessions of the reference node, and the rows of the table that they need. `DEV_NODE_RECORDINGS` names a folder with
 * other recordings.
 */

import { describe, expect, test } from '@jest/globals'
import type { Row } from '../../../scripts/reference-differences.ts'
import { MODES, replayed } from '../../support/reference-node/expect-explained.ts'
import { FIXTURES, readRecordings } from '../../support/reference-node/recording.ts'

const folder = process.env['DEV_NODE_RECORDINGS'] || FIXTURES

describe.each(MODES)('$name, the node differs from the reference node only as the table says', (mode) => {
  const used = new Set<Row>()

  test.each(readRecordings(folder))('$session', async (recording) => {
    const verdict = await replayed(recording, mode)
    for (const row of verdict.used) used.add(row)
    expect(verdict.unexplained).toBe('')
  })

  // After the sessions, which tell what the rows are for.
  const isOurs = folder === FIXTURES
  const theTable = isOurs ? test : test.skip
  theTable('each row explains a recorded difference, or says why none is recorded', () => {
    const idle = mode.rows.filter((row) => !used.has(row) && row.unrecorded === undefined)
    expect(idle.map(({ id }) => id)).toEqual([])
    expect([...used].filter(({ unrecorded }) => unrecorded !== undefined)).toEqual([])
  })
})
