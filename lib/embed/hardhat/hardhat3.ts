/** The plugin for Hardhat 3, `dev-node/hardhat`: networks of the type `dev-node` run on a node inside the process. */

import { devNodeConfig } from './hardhat3-config.ts'

/** The plugin. Hardhat loads what a command needs of it. */
const plugin = {
  id: 'dev-node',
  npmPackage: 'dev-node',
  hookHandlers: {
    config: () => Promise.resolve({ default: () => Promise.resolve(devNodeConfig) }),
    network: async () => ({ default: (await import('./hardhat3-connections.ts')).createHandlers }),
  },
  tasks: [
    {
      type: 'TASK_OVERRIDE',
      id: ['node'],
      options: {},
      action: async () => ({ default: (await import('./hardhat3-node-task.ts')).runNode }),
    },
  ],
}

export default plugin
