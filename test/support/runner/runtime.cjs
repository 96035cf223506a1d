/**
 * Jest's runtime without isolation: test files and what they import are modules of the process, each loaded once per worker.
 * Jest's own loads every module again for each file, in a sandbox, which takes longer than most of the tests.
 */
const asyncHooks = require('node:async_hooks')
const { register } = require('node:module')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const urlOf = (file) => pathToFileURL(join(__dirname, file)).href
register(urlOf('typescript.js'))

/** Where jest-circus keeps the handlers of its events, and reads the time limit of tests. */
const EVENT_HANDLERS = Symbol.for('EVENT_HANDLERS')
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL')

/**
 * Replaces the AsyncLocalStorage in which jest-circus keeps the running test: tests run one after the other, and the real one
 * makes promises take three times as long in Node 20.
 */
class RunningTest {
  #current

  getStore() {
    return this.#current
  }

  async run(test, task) {
    const outer = this.#current
    this.#current = test
    try {
      return await task()
    } finally {
      this.#current = outer
    }
  }
}

module.exports = class SharedRuntime {
  constructor(_config, environment) {
    this.mocker = environment.moduleMocker
  }

  /** jest-circus has a state per instance: every file gets a new one. */
  requireInternalModule(path) {
    delete globalThis[EVENT_HANDLERS]
    delete globalThis[TEST_TIMEOUT]
    delete require.cache[path]
    // A getter since Node 24.
    const original = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage')
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: RunningTest, configurable: true })
    try {
      return require(path)
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', original)
    }
  }

  requireModule(path) {
    return require(path)
  }

  setGlobalsForRuntime(globals) {
    this.globals = globals
  }

  unstable_shouldLoadAsEsm() {
    return true
  }

  async unstable_importModule(path) {
    const jest = {
      setTimeout: (milliseconds) => (globalThis[TEST_TIMEOUT] = milliseconds),
      spyOn: this.mocker.spyOn.bind(this.mocker),
    }
    const { setGlobals } = await import(urlOf('globals.js'))
    setGlobals({ ...this.globals, jest })
    await import(pathToFileURL(path).href)
  }

  getSourceMaps() {
    return new Map()
  }

  getAllCoverageInfoCopy() {
    return undefined
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.mocker.restoreAllMocks()
  }
}
