/** The recorded sessions of the reference node that take no time; reference-replay.slow.test.ts replays all. */

import { describe, expect, test } from '@jest/globals'
import { MODES, replayed } from './reference-node/modes.ts'
import { FIXTURES, readRecordings } from './reference-node/recording.ts'

const LONG = ['b-gas', 'h-bridge-votes', 'l-logs-time', 'z-programs']

const recordings = readRecordings(FIXTURES).filter(({ session }) => !LONG.includes(session))

describe.each(MODES)('$name, the node differs from the reference node only as the table says', (mode) => {
  test.each(recordings)('$session', async (recording) => {
    expect((await replayed(recording, mode)).unexplained).toBe('')
  })
})
