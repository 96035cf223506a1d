/**
 * Replays fixtures/transcripts/<method>/<case>.io: `// why`, `>> request`, `<< response`, each file on a new node with
 * frozen time. With UPDATE_TRANSCRIPTS=1 the responses are written instead, to be reviewed.
 */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { allMethods } from '../lib/modules/list.ts'
import { TRANSPORTS } from './support/transports.ts'
import type { Send } from './support/transports.ts'

const folder = join(import.meta.dirname, '..', 'fixtures', 'transcripts')
const isUpdate = process.env['UPDATE_TRANSCRIPTS'] === '1'

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(sep).join('/'))
  .filter((file) => file.endsWith('.io'))
  .toSorted()

/** The transcript with the current responses. */
async function replayed(transcript: string, send: Send): Promise<string> {
  const lines: string[] = []
  for (const line of transcript.split('\n')) {
    if (line.startsWith('<< ')) continue
    lines.push(line)
    const answer = line.startsWith('>> ') ? await send(line.slice(3)) : undefined
    if (answer !== undefined) lines.push(`<< ${answer}`)
  }
  return lines.join('\n')
}

describe.each(isUpdate ? TRANSPORTS.slice(0, 1) : TRANSPORTS)('%s', (_, withNode) => {
  test.each(files)('%s', (file) =>
    withNode({}, async (send) => {
      const transcript = readFileSync(join(folder, file), 'utf8')
      const present = await replayed(transcript, send)
      if (isUpdate) writeFileSync(join(folder, file), present)
      else expect(present).toBe(transcript)
    }),
  )
})

test.each(files)('%s has a reason, and calls the method of its folder', (file) => {
  const transcript = readFileSync(join(folder, file), 'utf8')
  const [method] = file.split('/')
  expect(transcript).toMatch(/^\/\/ \S/)
  expect(transcript).toContain(`"method":"${method!}"`)
  expect(allMethods.names).toContain(method)
})
