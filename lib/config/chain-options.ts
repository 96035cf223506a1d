/** Declares the options of the chain: network, accounts, mining, gas and state files. */

import { HARDFORKS } from './hardfork.ts'
import { MAX_ACCOUNTS } from './network-schema.ts'
import { declare } from './option-description.ts'
import * as option from './option-values.ts'
import {
  address,
  choice,
  count,
  gasFrom,
  mnemonic,
  quantity,
  quantityBetween,
  text,
  MAX_CHAIN_ID,
} from './values.ts'

const OF_NETWORK = 'of the network'

const gas = gasFrom(21_000n)
const off = () => option.onOff.default(false)
const on = () => option.onOff.default(true)

/** Schemas by name. */
export const chainOptions = {
  network: declare(text.optional(), {
    group: 'Network',
    summary: 'Network to simulate: the name of a preset, or the path of a preset file.',
    defaultDescription: 'network-33, or ethereum with --genesis',
  }),
  genesis: declare(text.optional(), {
    group: 'Network',
    summary:
      'Genesis file of geth, for chain id, hard fork, accounts and first block. Other accounts are funded only with --balance.',
    defaultDescription: OF_NETWORK,
  }),
  hardfork: declare(choice(HARDFORKS).optional(), {
    group: 'Network',
    summary: `Hard fork whose rules hold from the first block on: ${HARDFORKS.join(', ')}.`,
    defaultDescription: OF_NETWORK,
  }),
  chainId: declare(quantityBetween(1n, MAX_CHAIN_ID).optional(), {
    group: 'Network',
    summary: 'Chain id that transactions are signed for.',
    defaultDescription: OF_NETWORK,
  }),
  networkId: declare(quantityBetween(0n, MAX_CHAIN_ID).optional(), {
    group: 'Network',
    summary: 'Network id that net_version returns.',
    defaultDescription: 'the chain id',
  }),
  predeploys: declare(option.onOff.optional(), {
    group: 'Network',
    summary:
      'Include the contracts that tools expect in the genesis: the deterministic deployment proxy, Multicall3 and the Safe singleton factory.',
    form: 'switch',
    defaultDescription: OF_NETWORK,
  }),
  noPredeploys: declare(off(), {
    group: 'Network',
    summary: 'The same as --predeploys false.',
    form: 'switch',
  }),

  accounts: declare(count(0, MAX_ACCOUNTS).optional(), {
    group: 'Accounts',
    summary: 'Number of funded accounts.',
    defaultDescription: OF_NETWORK,
  }),
  mnemonic: declare(mnemonic.optional(), {
    group: 'Accounts',
    summary: 'BIP-39 mnemonic from which the funded accounts are derived.',
    defaultDescription: OF_NETWORK,
  }),
  balance: declare(option.coins.optional(), {
    group: 'Accounts',
    summary: 'Coins of each funded account, decimals allowed.',
    defaultDescription: OF_NETWORK,
  }),
  privateKeys: declare(option.privateKeyList.default([]), {
    group: 'Accounts',
    summary: 'Private key of an account to fund, instead of the accounts of the network; may be repeated.',
    flag: 'private-key',
    form: 'list',
  }),
  holdsKeys: declare(on(), {
    group: 'Accounts',
    summary: 'Hold no keys: the accounts are funded, but only their owners can sign for them.',
    flag: 'no-accounts',
    form: 'off-switch',
  }),
  keystore: declare(text.optional(), {
    group: 'Accounts',
    summary: 'Folder of keystore files, which keeps accounts that are created or imported at run time.',
    defaultDescription: 'none, keys end with the process',
  }),
  keystoreScrypt: declare(choice(['light', 'standard']).default('light'), {
    group: 'Accounts',
    summary: 'Cost of guessing the passphrase of a new key: light (quick, for tests) or standard.',
  }),
  autoImpersonate: declare(off(), {
    group: 'Accounts',
    summary: 'Let every account send without a key, as anvil_autoImpersonateAccount does at run time.',
    form: 'switch',
  }),
  coinbase: declare(address.optional(), {
    group: 'Accounts',
    summary: 'Address that mines the blocks.',
    defaultDescription: OF_NETWORK,
  }),

  blockTime: declare(option.seconds.optional(), {
    group: 'Mining and time',
    summary: 'Seconds between blocks, fractions allowed, instead of a block per transaction.',
    defaultDescription: 'a block per transaction',
  }),
  mining: declare(option.miningKind.optional(), {
    group: 'Mining and time',
    summary:
      'When blocks are mined: instant (for each transaction), interval (every --block-time seconds), manual (on request, as by evm_mine), external (by miners that get work from mnr_getWork, or from eth_getWork without merged mining).',
    defaultDescription: 'instant, or interval with --block-time',
  }),
  noMining: declare(off(), {
    group: 'Mining and time',
    summary: 'The same as --mining manual.',
    form: 'switch',
  }),
  order: declare(choice(['fees', 'fifo']).default('fees'), {
    group: 'Mining and time',
    summary:
      'Order of transactions in a block: fees (highest first) or fifo (order of arrival). Transactions of one sender are always ordered by nonce.',
  }),
  frozenTime: declare(option.frozenClock.default(false), {
    group: 'Mining and time',
    summary:
      'Freeze the clock at the given Unix time, or at the start, and use no randomness: the same requests get the same results everywhere. Keys of personal_newAccount are then predictable.',
    form: 'maybe-value',
  }),
  genesisTimestamp: declare(option.unixTime.optional(), {
    group: 'Mining and time',
    summary: 'Unix time in seconds of the first block.',
    defaultDescription: OF_NETWORK,
  }),
  systemTransaction: declare(off(), {
    group: 'Mining and time',
    summary: 'End every block with the transaction that pays out the fees, if the network has one.',
    form: 'switch',
  }),
  allowSameTimestamp: declare(off(), {
    group: 'Mining and time',
    summary: 'Let a block carry the timestamp of its parent.',
    form: 'switch',
  }),

  blockGasLimit: declare(gas.optional(), {
    group: 'Gas',
    summary: 'Gas limit of a block, up to 2^53 - 1.',
    defaultDescription: OF_NETWORK,
  }),
  defaultGas: declare(option.gasOrEstimate.optional(), {
    group: 'Gas',
    summary:
      'Gas of a transaction that the node signs, if the request has none; "estimate" estimates it. Contract creations are always estimated.',
    defaultDescription: OF_NETWORK,
  }),
  callGasLimit: declare(gas.optional(), {
    group: 'Gas',
    summary: 'Maximum gas of an eth_call, up to 2^53 - 1.',
    defaultDescription: OF_NETWORK,
  }),
  allowUnlimitedContractSize: declare(off(), {
    group: 'Gas',
    summary: 'Deploy contracts of any size.',
    form: 'switch',
  }),
  minimumGasPrice: declare(quantity.optional(), {
    group: 'Gas',
    summary: 'Wei per gas below which a transaction is refused.',
    defaultDescription: OF_NETWORK,
  }),
  baseFee: declare(quantity.optional(), {
    group: 'Gas',
    summary: 'Base fee of the first block in wei, if the network has base fees.',
    defaultDescription: OF_NETWORK,
  }),

  state: declare(text.optional(), {
    group: 'State',
    summary: 'State file: loaded at the start if it exists, written at the end.',
    defaultDescription: 'none, the chain ends with the process',
  }),
  loadState: declare(text.optional(), {
    group: 'State',
    summary: 'State file to start from.',
    defaultDescription: 'none',
  }),
  dumpState: declare(text.optional(), {
    group: 'State',
    summary: 'State file to write at the end.',
    defaultDescription: 'none',
  }),
  stateInterval: declare(option.seconds.optional(), {
    group: 'State',
    summary: 'Seconds between writes of the state file, fractions allowed.',
    defaultDescription: 'only at the end',
  }),
  stateFormat: declare(choice(['dev-node', 'anvil']).default('dev-node'), {
    group: 'State',
    summary:
      'Format of state files that are written: dev-node (everything), or anvil (accounts and the newest block, which Anvil can load). Both can be loaded.',
  }),
  stateParts: declare(option.statePartList.default(['blocks', 'transactions', 'receipts', 'snapshots']), {
    group: 'State',
    summary: 'Parts of a state file besides accounts: blocks, transactions, receipts, snapshots, keystore.',
    form: 'list',
  }),
}
