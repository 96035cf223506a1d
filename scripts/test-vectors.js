/** Runs the state and transaction tests of the Ethereum Foundation in a folder: `npm run test:vectors -- <folder>`. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Possible folders of the tests, best first. */
const FOLDERS = ['../tests', 'fixtures/vectors']

const folder = process.argv[2] ?? FOLDERS.find((path) => existsSync(path))
console.log(`The tests in ${folder}:`)
const jest = ['node_modules/jest/bin/jest.js', 'test/vectors']
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: { ...process.env, VECTORS: folder },
})
process.exitCode = status ?? 1
