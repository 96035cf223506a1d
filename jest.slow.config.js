import fast from './jest.config.js'
import { repeatedTests } from './test/support/runner/tiers.js'

/**
 * The tests that `npm test` leaves out, and all runs of deep laws.
 * @type {import('jest').Config}
 */
export default {
  ...fast,
  testEnvironmentOptions: { lawRuns: 1, installs: true },
  testMatch: [
    '<rootDir>/test/**/*.slow.test.ts',
    '<rootDir>/test/{clients,recipes,explorer}/**/*.test.ts',
    ...repeatedTests.map((file) => `<rootDir>/${file}`),
  ],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/clients/hardhat/'],
  reporters: ['default'],
  // Commands that take seconds alone take a minute on a busy machine.
  testTimeout: 300_000,
}
