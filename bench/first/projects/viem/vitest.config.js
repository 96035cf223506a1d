/** Vitest on Anvil, and with DEV in the environment on dev-node by its own set-up. */

import { defineConfig } from 'vitest/config'

const devNode = {
  globalSetup: 'dev-node/vitest',
  setupFiles: 'dev-node/vitest/chain',
  environmentOptions: { devNode: { network: 'ethereum' } },
}

const anvil = { globalSetup: './anvil.js' }

export default defineConfig({ test: process.env.DEV ? devNode : anvil })
