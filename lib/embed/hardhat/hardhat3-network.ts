/** The settings of a network of Hardhat 3 as Hardhat 2 has them. Values that Hardhat reads late, as from a keystore, are read. */

import { toHex } from '../../base/hex.ts'
import { childPrivateKey, parentKey } from '../../crypto/hd-key.ts'
import type { Accounts, DevNodeNetwork, Forking } from './hardhat3-config.ts'
import type { HardhatNetwork } from './hardhat-network.ts'

const BLOCK_GAS_LIMIT = 60_000_000

/** All settings. */
export async function hardhatNetwork(given: DevNodeNetwork): Promise<HardhatNetwork> {
  return {
    ...(await settingsOf(given)),
    genesisAccounts: genesisAccounts(await plainAccounts(given.accounts)),
  }
}

/** The settings without the accounts. */
export async function settingsOf(given: DevNodeNetwork): Promise<Omit<HardhatNetwork, 'genesisAccounts'>> {
  const { blockGasLimit = BLOCK_GAS_LIMIT, initialBaseFeePerGas, initialDate, mining, forking } = given
  return {
    chainId: given.chainId,
    networkId: given.networkId,
    hardfork: given.hardfork,
    blockGasLimit: blockGasLimit === false ? Number.MAX_SAFE_INTEGER : Number(blockGasLimit),
    minGasPrice: given.minGasPrice,
    throwOnTransactionFailures: given.throwOnTransactionFailures,
    throwOnCallFailures: given.throwOnCallFailures,
    automine: mining.auto,
    intervalMining: mining.interval,
    mempoolOrder: mining.mempool.order,
    coinbase: toHex(given.coinbase),
    allowUnlimitedContractSize: given.allowUnlimitedContractSize ?? false,
    allowBlocksWithSameTimestamp: given.allowBlocksWithSameTimestamp,
    ...(initialBaseFeePerGas === undefined ? {} : { initialBaseFeePerGas: Number(initialBaseFeePerGas) }),
    ...(initialDate === undefined ? {} : { initialDate: new Date(initialDate) }),
    ...(forking?.enabled === true ? { forkConfig: await forkOf(forking) } : {}),
  }
}

async function forkOf({ url, blockNumber, httpHeaders }: Forking): Promise<HardhatNetwork['forkConfig']> {
  return {
    jsonRpcUrl: await url.get(),
    httpHeaders,
    ...(blockNumber === undefined ? {} : { blockNumber: Number(blockNumber) }),
  }
}

/** Accounts with the secrets as text. */
type PlainAccounts = Awaited<ReturnType<typeof plainAccounts>>

/** Reads the secrets of accounts. */
export async function plainAccounts(accounts: Accounts) {
  if ('mnemonic' in accounts) {
    const { mnemonic, passphrase } = accounts
    return { ...accounts, mnemonic: await mnemonic.get(), passphrase: await passphrase.get() }
  }
  return Promise.all(
    accounts.map(async ({ privateKey, balance }) => ({ privateKey: await privateKey.get(), balance })),
  )
}

/** The keys of accounts. */
export function genesisAccounts(accounts: PlainAccounts): HardhatNetwork['genesisAccounts'] {
  if (!('mnemonic' in accounts)) return accounts
  const { mnemonic, passphrase, path, initialIndex, count, accountsBalance: balance } = accounts
  const parent = parentKey(mnemonic, path, passphrase)
  return Array.from({ length: count }, (_, index) => ({
    privateKey: toHex(childPrivateKey(parent, initialIndex + index)),
    balance,
  }))
}
