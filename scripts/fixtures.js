/** Compiles fixtures/compiled anew: runs every test that reads it, which writes what is missing. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

rmSync('fixtures/compiled', { recursive: true, force: true })
const env = { ...process.env, DEV_NODE_FIXTURES: 'write' }
for (const config of ['jest.config.js', 'jest.slow.config.js']) {
  const jest = ['node_modules/jest/bin/jest.js', '--config', config, '--maxWorkers=1']
  const { status } = spawnSync(process.execPath, [...jest, '--findRelatedTests', 'test/support/solc.ts'], {
    env,
    stdio: 'inherit',
  })
  if (status !== 0) process.exitCode = 1
}
