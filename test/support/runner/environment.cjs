/** Test environment without a sandbox: the process itself. */
const { ModuleMocker } = require('jest-mock')

module.exports = class ProcessEnvironment {
  constructor({ projectConfig }, context) {
    this.cpu = process.cpuUsage()
    this.path = context.testPath
    this.global = globalThis
    globalThis.lawRuns = projectConfig.testEnvironmentOptions.lawRuns
    this.moduleMocker = new ModuleMocker(globalThis)
    // Jest replaces both for each file.
    this.console = globalThis.console
    this.exit = process.exit
  }

  async setup() {}

  async teardown() {
    globalThis.console = this.console
    if (process.env.CPU_LOG) { const {user,system}=process.cpuUsage(this.cpu); require('fs').appendFileSync(process.env.CPU_LOG, `${((user+system)/1e6).toFixed(2)} ${this.path.replace(/.*tiers.test./,'')} ${(process.memoryUsage().heapUsed/1e6).toFixed(0)}\n`) }
    process.exit = this.exit
  }

  getVmContext() {
    return null
  }
}
