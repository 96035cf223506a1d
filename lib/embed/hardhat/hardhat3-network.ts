/** Converts a network's settings from Hardhat 3 to Hardhat 2, and reads values that Hardhat reads late, such as from a keystore. */

import { knownAccountsOf } from '../../accounts/known-accounts.ts'
import { toHex } from '../../base/hex.ts'
import { once } from '../../base/once.ts'
import { childPrivateKey, parentKey } from '../../crypto/hd-key.ts'
import type { Accounts, DevNodeNetwork, Forking } from './hardhat3-config.ts'
import type { HardhatFork, HardhatNetwork } from './hardhat-network.ts'

const BLOCK_GAS_LIMIT = 60_000_000

/** The settings, with the mnemonic or the keys of the accounts as text. */
type PlainNetwork = Awaited<ReturnType<typeof plainNetwork>>

export async function plainNetwork(given: DevNodeNetwork) {
  const { blockGasLimit = BLOCK_GAS_LIMIT, initialBaseFeePerGas, initialDate, mining, forking } = given
  return {
    accounts: await plainAccounts(given.accounts),
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

async function forkOf({ url, blockNumber, httpHeaders = {} }: Forking): Promise<HardhatFork> {
  return {
    jsonRpcUrl: await url.get(),
    httpHeaders,
    ...(blockNumber === undefined ? {} : { blockNumber: Number(blockNumber) }),
  }
}

async function plainAccounts(accounts: Accounts) {
  if ('mnemonic' in accounts) {
    const { mnemonic, passphrase } = accounts
    return { ...accounts, mnemonic: await mnemonic.get(), passphrase: await passphrase.get() }
  }
  return Promise.all(
    accounts.map(async ({ privateKey, balance }) => ({ privateKey: await privateKey.get(), balance })),
  )
}

export function withKeys({ accounts, ...settings }: PlainNetwork): HardhatNetwork {
  if (!('mnemonic' in accounts)) return { ...settings, genesisAccounts: accounts }
  const { mnemonic, passphrase, path, initialIndex, count, accountsBalance: balance } = accounts
  const known = passphrase === '' ? knownAccountsOf(`${mnemonic} ${path}`) : []
  const parent = once(() => parentKey(mnemonic, path, passphrase))
  const genesisAccounts = Array.from({ length: count }, (_, index) => {
    const [key] = known[initialIndex + index] ?? []
    return { privateKey: key ?? toHex(childPrivateKey(parent(), initialIndex + index)), balance }
  })
  return { ...settings, genesisAccounts }
}
