import { SLOW } from './test/support/runner/tiers.js'

/**
 * The fast tests: they need no compiler, no other node, no browser and no installed command, and make a tenth of the runs of a
 * random law; with LAW_RUNS=1 all of them. jest.slow.config.js has the others.
 * @type {import('jest').Config}
 */
export default {
  // Test files share their modules: test/support/runner.
  runtime: '<rootDir>/test/support/runner/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/runner/environment.cjs',
  testEnvironmentOptions: { lawRuns: Number(process.env['LAW_RUNS'] || 0.1) },
  injectGlobals: false,
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...SLOW],
  globalSetup: '<rootDir>/test/support/runner/global-setup.js',
  globalTeardown: '<rootDir>/test/support/runner/global-teardown.js',
  testSequencer: '<rootDir>/test/support/runner/longest-first.js',
  reporters: ['default', '<rootDir>/test/support/runner/fast-reporter.cjs'],
  // Modules of a test file are never freed: a worker that grew is replaced by a fresh one.
  workerIdleMemoryLimit: '1GB',
  maxWorkers: 2,
  // What takes a second alone may take a minute on a busy machine.
  testTimeout: 120_000,
}
