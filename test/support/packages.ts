/** Packages that suites install into projects of users. A run installs each set once: run-installs.ts. */

import { delimiter, join } from 'node:path'

/** Packages of a project, and how they are installed. */
export interface PackageSet {
  /** Exact versions by name. */
  readonly dependencies: Readonly<Record<string, string>>
  /** A line of a shell, for a folder with the package.json. */
  readonly install: string
}

const QUIET = '--no-audit --no-fund --no-package-lock --prefer-offline'
const INSTALL = `npm install ${QUIET}`

/** Hardhat 3 runs on no older Node than 22; npm has the binaries of both. */
const NEWER_NODE = `node-${process.platform.replace('win32', 'win')}-${process.arch}`
const NEWER_NODE_VERSION = '22.23.3'

/** The newer Node first: npm chooses binaries by the Node it runs on. */
const INSTALL_WITH_NEWER_NODE = [
  `npm install ${QUIET} --no-save --prefix newer-node ${NEWER_NODE}@${NEWER_NODE_VERSION}`,
  `PATH="$PWD/newer-node/node_modules/${NEWER_NODE}/bin:$PATH" ${INSTALL}`,
].join(' && ')

/** Hardhat 3 with the plugins of the guide. */
export const HARDHAT_3: PackageSet = {
  dependencies: {
    hardhat: '3.18.0',
    '@nomicfoundation/hardhat-mocha': '3.1.0',
    '@nomicfoundation/hardhat-toolbox-mocha-ethers': '3.0.7',
    '@nomicfoundation/hardhat-toolbox-viem': '5.0.7',
    chai: '6.3.0',
    mocha: '11.8.0',
    solc: '0.8.28',
    viem: '2.56.1',
  },
  install: INSTALL_WITH_NEWER_NODE,
}

/** The value of PATH for Hardhat 3 installed in a folder: the newer Node comes first. */
export function pathWithNewerNode(folder: string): string {
  const newerNode = join(folder, 'newer-node', 'node_modules', NEWER_NODE, 'bin')
  return [newerNode, process.env['PATH'] ?? ''].join(delimiter)
}

/** The newest Vitest for the oldest Node we support. */
export const VITEST: PackageSet = { dependencies: { vitest: '3.2.4' }, install: INSTALL }

/** The newest Vitest. */
export const NEWER_VITEST: PackageSet = {
  dependencies: { vitest: '5.1.2' },
  install: INSTALL_WITH_NEWER_NODE,
}

/** The entry points of ERC-4337. */
export const ENTRY_POINT_PACKAGES: PackageSet = {
  dependencies: {
    'entry-point-0.6': 'npm:@account-abstraction/contracts@0.6.0',
    'entry-point-0.7': 'npm:@account-abstraction/contracts@0.7.0',
    'entry-point-0.8': 'npm:@account-abstraction/contracts@0.8.0',
  },
  install: `${INSTALL} --ignore-scripts --legacy-peer-deps`,
}

/** A bundler, accounts for it, and their factories for each entry point. */
export const BUNDLER_PACKAGES: PackageSet = {
  dependencies: {
    ...ENTRY_POINT_PACKAGES.dependencies,
    '@account-abstraction/contracts': '0.8.0',
    '@pimlico/alto': '0.0.20',
    permissionless: '0.2.57',
    viem: '2.56.1',
  },
  install: ENTRY_POINT_PACKAGES.install,
}

/** A version of the compiler. */
export const solcPackage = (version: string): PackageSet => ({
  dependencies: { solc: version },
  install: INSTALL,
})

/** What every whole run installs: the sets of the longest suites first. */
export const ALWAYS_INSTALLED: readonly PackageSet[] = [HARDHAT_3, VITEST]
