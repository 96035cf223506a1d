/**
 * Is loaded by the Hardhat config of a copied project, and is a reporter of Mocha, which writes the files with tests and those that
 * fail. The first run is that of dev-node. In later ones it writes which files are affected, and lets all run, without new records.
 */

const { existsSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { extendConfig, subtask } = require('hardhat/config')

const AFFECTED = join(__dirname, 'affected.json')

extendConfig(({ mocha }) => {
  mocha.reporter = Reporter
})

subtask('test:get-test-files', async (given, _, runSuper) => {
  const affected = await runSuper(given)
  if (!existsSync(AFFECTED)) return affected
  writeFileSync(AFFECTED, JSON.stringify(affected))
  process.env.DEV_NODE_AFFECTED = 'false'
  delete process.env.DEV_NODE_AFFECTED_RUN
  return runSuper(given)
})

function Reporter(runner) {
  const tested = new Set()
  const failing = new Set()
  runner.on('test end', ({ file }) => tested.add(file))
  runner.on('fail', ({ file, title, err }) => {
    // A hook outside of all files has none.
    failing.add(file ?? null)
    console.log(`${title}: ${err?.message}`)
  })
  runner.on('end', () =>
    writeFileSync(
      join(__dirname, 'results.json'),
      JSON.stringify({ tested: [...tested], failing: [...failing] }),
    ),
  )
}
