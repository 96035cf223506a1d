/** Test environment without a sandbox: the process itself. */
const { ModuleMocker } = require('jest-mock')

module.exports = class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis
    globalThis.lawRuns = projectConfig.testEnvironmentOptions.lawRuns
    this.moduleMocker = new ModuleMocker(globalThis)
    // Jest replaces both for each file.
    this.console = globalThis.console
    this.exit = process.exit
  }

  async setup() {
    // Jest's hundred make the many errors that tests expect expensive; these are Node's own.
    Error.stackTraceLimit = 10
  }

  async teardown() {
    globalThis.console = this.console
    process.exit = this.exit
  }

  getVmContext() {
    return null
  }
}
