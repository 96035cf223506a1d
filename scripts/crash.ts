/**
 * Kills the built command under load at random moments, and checks that the next start has what was said to be written and says
 * what it found: `npm run crash -- --moments 200 --seed 7`. Its disk is a mount in memory if the user may make one; else the moments
 * of a full and of a read-only disk are left out.
 */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { crash } from './crash/run.ts'

const { values } = parseArgs({
  options: {
    moments: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    command: { type: 'string', default: 'dist/dev-node.cjs' },
  },
})

console.log(`seed ${values.seed}, ${values.moments} moments`)
const { moments, seed, command } = values
for (const line of await crash({ moments: Number(moments), seed: Number(seed), command: resolve(command) }))
  console.log(line)
