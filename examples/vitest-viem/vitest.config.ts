import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: 'dev-node/vitest',
    setupFiles: 'dev-node/vitest/chain',
    environmentOptions: { devNode: { network: 'ethereum' } },
  },
})
