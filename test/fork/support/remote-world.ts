/** Contracts on a remote: tokens, a governor with its timelock, an exchange, factories, and random programs. */

import { encodeDeployData, encodeFunctionData } from 'viem'
import type { Abi, Hex } from 'viem'
import { toHex, toWord } from '../../../lib/base/hex.ts'
import { CONTRACTS as CODES, creationCode } from '../../support/bytecode.ts'
import type { CodeName } from '../../support/bytecode.ts'
import type { ContractName, Contracts } from '../../support/contracts.ts'
import type { World } from '../../support/machine-runs.ts'
import type { Ask } from '../../support/peer-process.ts'

/** A contract of Solidity on the remote. */
export interface DeployedContract {
  readonly address: Hex
  readonly abi: Abi
}

/** What a remote has been loaded with. */
export interface RemoteWorld {
  /** Accounts that send transactions. */
  readonly senders: readonly Hex[]
  readonly contracts: Readonly<Record<string, DeployedContract>>
  /** Contracts in assembler, by what they do. */
  readonly codes: Readonly<Record<CodeName, Hex>>
}

const GAS = '0x5b8d80'

/** Loads a remote with the contracts, for its first accounts, or others that it impersonates. */
export async function loadRemote(
  ask: Ask,
  compiled: Contracts,
  named?: readonly Hex[],
): Promise<RemoteWorld> {
  const senders = named ?? ((await ask('eth_accounts')) as Hex[]).slice(0, 4)
  const owner = senders[0]!
  const send = async (fields: object): Promise<any> => {
    const hash = await ask('eth_sendTransaction', [{ from: owner, gas: GAS, ...fields }])
    // Anvil answers before it mines.
    for (;;) {
      const receipt = await ask('eth_getTransactionReceipt', [hash])
      if (receipt !== null) return receipt
    }
  }
  const contracts: Record<string, DeployedContract> = {}
  const deploy = async (name: ContractName, args: readonly unknown[], key: string = name) => {
    const { abi, bytecode } = compiled[name]
    const receipt = await send({ data: encodeDeployData({ abi, bytecode, args }) })
    contracts[key] = { address: receipt.contractAddress, abi }
    return receipt.contractAddress as Hex
  }
  const invoke = (key: string, functionName: string, args: readonly unknown[], from = owner) => {
    const { address, abi } = contracts[key]!
    return send({ from, to: address, data: encodeFunctionData({ abi, functionName, args }) })
  }
  const token = await deploy('GameToken', [owner])
  const votes = await deploy('VoteToken', [owner, 10n ** 24n])
  const timelock = await deploy('CouncilTimelock', [0n, owner])
  const council = await deploy('Council', [votes, timelock, 0, 5, 0n, 1n])
  const pair = await deploy('SwapPair', [token, votes])
  await deploy('Storage', [7n])
  await deploy('Vault', [owner])
  await deploy('GameItem', [owner])
  await deploy('Tracer', [])
  await deploy('Reverter', [])
  await deploy('Natives', [])
  await invoke('CouncilTimelock', 'grantRole', [PROPOSER, council])
  await invoke('CouncilTimelock', 'grantRole', [EXECUTOR, council])
  await invoke('VoteToken', 'delegate', [owner])
  for (const sender of senders) {
    await invoke('GameToken', 'mint', [sender, 10n ** 20n])
    await invoke('VoteToken', 'transfer', [sender, 10n ** 20n])
    for (const each of ['GameToken', 'VoteToken']) await invoke(each, 'approve', [pair, 10n ** 30n], sender)
  }
  await invoke('SwapPair', 'addLiquidity', [10n ** 18n, 10n ** 19n])
  const codes: Record<string, Hex> = {}
  for (const [name, code] of Object.entries(CODES).filter(([name]) => !LEFT_OUT.includes(name)))
    codes[name] = (await send({ data: toHex(creationCode(code)) })).contractAddress
  return { senders, contracts, codes: codes as Record<CodeName, Hex> }
}

/** One logs the hash of the parent, which differs on a fork, and the trace of the other is long. */
const LEFT_OUT = ['environment', 'burn']

const PROPOSER: Hex = '0xb09aa5aeb3702cfd50b6b62bc4532604938f21248a27a1d5ca736082b6819cc1'
const EXECUTOR: Hex = '0xd8aa0f3194971a2a116679f7c2090f6939c8d4e01a2a8d7e41d55e5351469e63'

/** Puts random programs, with their storage and balances, at their addresses. */
export async function putPrograms(ask: Ask, world: World): Promise<void> {
  for (const [address, { code, balance = 0n, nonce = 0n, storage }] of world) {
    if (code !== undefined) await ask('hardhat_setCode', [address, toHex(code)])
    await ask('hardhat_setBalance', [address, `0x${balance.toString(16)}`])
    await ask('hardhat_setNonce', [address, `0x${nonce.toString(16)}`])
    for (const [slot, value] of storage ?? [])
      await ask('hardhat_setStorageAt', [address, `0x${slot.toString(16)}`, toWord(value)])
  }
}
