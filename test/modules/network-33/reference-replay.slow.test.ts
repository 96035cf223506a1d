/**
 * All recorded sessions of the reference node, and the rows of the table that they need. `DEV_NODE_RECORDINGS` names a folder with
 * other recordings.
 */

import { describe, expect, test } from '@jest/globals'
import type { Row } from '../../../scripts/reference-differences.ts'
import { MODES, replayed } from './reference-node/modes.ts'
import type { Recording } from './reference-node/recording.ts'
import { FIXTURES, readRecordings } from './reference-node/recording.ts'

const folder = process.env['DEV_NODE_RECORDINGS'] || FIXTURES

const recordings = readRecordings(folder)

describe.each(MODES)('$name, the node differs from the reference node only as the table says', (mode) => {
  const verdicts = new Map<Recording, ReturnType<typeof replayed>>()
  const verdictOf = (recording: Recording): ReturnType<typeof replayed> => {
    const verdict = verdicts.get(recording) ?? replayed(recording, mode)
    verdicts.set(recording, verdict)
    return verdict
  }

  test.each(recordings)('$session', async (recording) => {
    expect((await verdictOf(recording)).unexplained).toBe('')
  })

  // Other recordings need other rows.
  const testOfRows = folder === FIXTURES ? test : test.skip
  testOfRows('each row explains a recorded difference, or says why none is recorded', async () => {
    const used = new Set<Row>()
    for (const recording of recordings) for (const row of (await verdictOf(recording)).used) used.add(row)
    const idle = mode.rows.filter((row) => !used.has(row) && row.unrecorded === undefined)
    expect(idle.map(({ id }) => id)).toEqual([])
    expect([...used].filter(({ unrecorded }) => unrecorded !== undefined)).toEqual([])
  })
})
