/** Creates the genesis block of a network and its state. */

import { bigIntToBytes, fromHex, toHash, toWord, type Address, type Hash } from '../base/hex.ts'
import type { Network } from '../config/network.ts'
import { keccak256 } from '../crypto/keccak.ts'
import { requestContracts, systemContracts } from '../evm/system-contracts.ts'
import { EMPTY_BLOOM } from '../evm/outcome.ts'
import { StateRoot } from '../state/state-root.ts'
import type { Funding } from '../state/state-source.ts'
import { State } from '../state/state.ts'
import { blobFields } from './fees.ts'
import type { Block } from './block.ts'
import { forkFields, EMPTY_TRIE_HASH, NO_UNCLES_HASH, ZERO_HASH, headerHash } from './header.ts'
import type { Header } from '../networks/consensus/consensus.ts'

/** The genesis state: system contracts, the preset's accounts, and the funded accounts. */
export function genesisState(network: Network, funding: ReadonlyMap<Address, Funding>): StateRoot {
  const state = new State(StateRoot.empty)
  const contracts = [...systemContracts(network), ...requestContracts(network)]
  for (const { address, code } of network.genesis.systemContracts ? contracts : []) {
    // Nonce 1, like every contract that a transaction created (EIP-161).
    state.putAccount(address, { nonce: 1n, balance: 0n })
    state.putCode(address, code)
  }
  for (const address of network.kind.consensus.precompileAccounts)
    state.putAccount(address, { nonce: 0n, balance: 0n })
  for (const account of network.genesis.accounts) {
    state.putAccount(account.address, { nonce: account.nonce, balance: account.balance })
    if (account.code.length > 0) state.putCode(account.address, account.code)
    for (const [slot, value] of account.storage)
      state.putStorage(account.address, toWord(slot), bigIntToBytes(value))
  }
  for (const [address, { balance }] of funding) {
    // An account of the genesis file that already has the balance stays unchanged, even with a balance of zero.
    const account = state.account(address)
    if (balance === (account?.balance ?? 0n)) continue
    state.putAccount(address, { nonce: account?.nonce ?? 0n, balance })
  }
  return state.commitRoot()
}

/** Block 0. `startedAt` (seconds) is its timestamp if the preset has none. */
export function genesisBlock(network: Network, state: StateRoot, startedAt: bigint): Block {
  const { genesis } = network
  const header: Header = {
    consensus: network.kind.consensus,
    parentHash: ZERO_HASH,
    unclesHash: NO_UNCLES_HASH,
    coinbase: genesis.coinbase,
    stateRoot: state.hash,
    transactionsRoot: EMPTY_TRIE_HASH,
    receiptsRoot: EMPTY_TRIE_HASH,
    logsBloom: EMPTY_BLOOM,
    difficulty: genesis.difficulty,
    number: 0n,
    gasLimit: genesis.gasLimit,
    gasUsed: 0n,
    timestamp: genesis.timestamp ?? startedAt,
    extraData: genesis.extraData,
    mixHash: genesis.mixHash ?? ZERO_HASH,
    nonce: genesis.nonce ?? new Uint8Array(8),
    paidFees: 0n,
    minimumGasPrice: network.minimumGasPrice,
    ...forkFields(network),
    ...blobFields(network, 0n, []),
    ...(network.baseFee === false ? {} : { baseFeePerGas: network.baseFee.initial }),
    ...network.kind.consensus.genesisFields,
  }
  return { header, hash: headerHash(header), receipts: [], uncles: [], totalDifficulty: header.difficulty }
}

/** Mix hash of the child of a block. It depends on the parent only, so that equal transactions give equal blocks. */
export const mixHashAfter = (parent: Pick<Block, 'header' | 'hash'>): Hash =>
  parent.header.consensus.hasMixHash ? toHash(keccak256(fromHex(parent.hash))) : ZERO_HASH
