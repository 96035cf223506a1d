module.exports = {
  globalSetup: 'dev-node/jest/setup',
  globalTeardown: 'dev-node/jest/teardown',
  testEnvironment: 'dev-node/jest',
  testEnvironmentOptions: { devNode: { network: 'ethereum' } },
}
