/** Options of the chain: which network, whose accounts, when blocks are made, what gas costs, where the state is kept. */

import { HARDFORKS } from './hardfork.ts'
import { MAX_ACCOUNTS } from './network-schema.ts'
import { declare } from './option-facts.ts'
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
    summary: 'Network to simulate: the name of a preset, or the path of a JSON file like one.',
    otherwise: 'network-33, or ethereum with --genesis',
  }),
  genesis: declare(text.optional(), {
    group: 'Network',
    summary:
      'Genesis file of geth: its chain id, hard fork, accounts and first block. Only --balance funds other accounts then.',
    otherwise: OF_NETWORK,
  }),
  hardfork: declare(choice(HARDFORKS).optional(), {
    group: 'Network',
    summary: `Hard fork whose rules hold from the first block on: ${HARDFORKS.join(', ')}.`,
    otherwise: OF_NETWORK,
  }),
  chainId: declare(quantityBetween(1n, MAX_CHAIN_ID).optional(), {
    group: 'Network',
    summary: 'Chain id that transactions are signed for.',
    otherwise: OF_NETWORK,
  }),
  networkId: declare(quantityBetween(0n, MAX_CHAIN_ID).optional(), {
    group: 'Network',
    summary: 'Network id that net_version answers.',
    otherwise: 'the chain id',
  }),
  predeploys: declare(option.onOff.optional(), {
    group: 'Network',
    summary:
      'Have the contracts in the genesis that tools expect: the deterministic deployment proxy, Multicall3 and the Safe singleton factory.',
    form: 'switch',
    otherwise: OF_NETWORK,
  }),
  noPredeploys: declare(off(), {
    group: 'Network',
    summary: 'The same as --predeploys false.',
    form: 'switch',
  }),

  accounts: declare(count(0, MAX_ACCOUNTS).optional(), {
    group: 'Accounts',
    summary: 'Number of funded accounts.',
    otherwise: OF_NETWORK,
  }),
  mnemonic: declare(mnemonic.optional(), {
    group: 'Accounts',
    summary: 'BIP-39 mnemonic from which the funded accounts are derived.',
    otherwise: OF_NETWORK,
  }),
  balance: declare(option.coins.optional(), {
    group: 'Accounts',
    summary: 'Coins of each funded account, decimals allowed.',
    otherwise: OF_NETWORK,
  }),
  privateKeys: declare(option.privateKeyList.default([]), {
    group: 'Accounts',
    summary: 'Private key of an account to fund instead of those of the network; may be repeated.',
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
    summary:
      'Folder of keystore files: accounts made or imported at run time are kept there, and found again.',
    otherwise: 'none, keys end with the process',
  }),
  keystoreScrypt: declare(choice(['light', 'standard']).default('light'), {
    group: 'Accounts',
    summary: 'What a guess at the passphrase of a new key costs: light (quick, for tests) or standard.',
  }),
  autoImpersonate: declare(off(), {
    group: 'Accounts',
    summary: 'Let every account send without a key, as anvil_autoImpersonateAccount does at run time.',
    form: 'switch',
  }),
  coinbase: declare(address.optional(), {
    group: 'Accounts',
    summary: 'Address that mines the blocks.',
    otherwise: OF_NETWORK,
  }),

  blockTime: declare(option.seconds.optional(), {
    group: 'Mining and time',
    summary: 'Seconds between blocks, fractions allowed, instead of a block per transaction.',
    otherwise: 'a block per transaction',
  }),
  mining: declare(option.miningKind.optional(), {
    group: 'Mining and time',
    summary:
      'When blocks are made: instant (for each transaction), interval (every --block-time seconds), manual (when asked to, as by evm_mine), external (by miners that take work from mnr_getWork, or from eth_getWork without merged mining).',
    otherwise: 'instant, or interval with --block-time',
  }),
  noMining: declare(off(), {
    group: 'Mining and time',
    summary: 'The same as --mining manual.',
    form: 'switch',
  }),
  order: declare(choice(['fees', 'fifo']).default('fees'), {
    group: 'Mining and time',
    summary:
      'Order of transactions in a block: fees (those that pay most come first) or fifo (in the order they came). Those of one sender always go by nonce.',
  }),
  frozenTime: declare(option.frozenClock.default(false), {
    group: 'Mining and time',
    summary:
      'Let time pass only when asked to, from the given Unix time on or from the start, and nothing be random: the same requests get the same answers everywhere. Keys made by personal_newAccount can then be foretold.',
    form: 'maybe-value',
  }),
  genesisTimestamp: declare(option.unixTime.optional(), {
    group: 'Mining and time',
    summary: 'Unix time in seconds of the first block.',
    otherwise: OF_NETWORK,
  }),
  systemTransaction: declare(off(), {
    group: 'Mining and time',
    summary:
      'Close every block with the transaction that pays out the fees, where the network has one: one more transaction in each block.',
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
    otherwise: OF_NETWORK,
  }),
  defaultGas: declare(option.gasOrEstimate.optional(), {
    group: 'Gas',
    summary:
      'Gas of a transaction that is sent to be signed here and names none; estimate: what it needs. A creation always gets that.',
    otherwise: OF_NETWORK,
  }),
  callGasLimit: declare(gas.optional(), {
    group: 'Gas',
    summary: 'Most gas an eth_call may use, up to 2^53 - 1.',
    otherwise: OF_NETWORK,
  }),
  allowUnlimitedContractSize: declare(off(), {
    group: 'Gas',
    summary: 'Deploy contracts of any size.',
    form: 'switch',
  }),
  minimumGasPrice: declare(quantity.optional(), {
    group: 'Gas',
    summary: 'Wei per gas below which a transaction is refused.',
    otherwise: OF_NETWORK,
  }),
  baseFee: declare(quantity.optional(), {
    group: 'Gas',
    summary: 'Base fee of the first block in wei, where the network has base fees.',
    otherwise: OF_NETWORK,
  }),

  state: declare(text.optional(), {
    group: 'State',
    summary: 'File to keep the chain in: loaded at the start if it is there, written at the end.',
    otherwise: 'none, the chain ends with the process',
  }),
  loadState: declare(text.optional(), {
    group: 'State',
    summary: 'State file to start from.',
    otherwise: 'none',
  }),
  dumpState: declare(text.optional(), {
    group: 'State',
    summary: 'File to write the chain into at the end.',
    otherwise: 'none',
  }),
  stateInterval: declare(option.seconds.optional(), {
    group: 'State',
    summary: 'Seconds after which the state file is written again, fractions allowed.',
    otherwise: 'only at the end',
  }),
  stateFormat: declare(choice(['dev-node', 'anvil']).default('dev-node'), {
    group: 'State',
    summary:
      'Form in which state is written: dev-node (everything), or anvil (accounts and the newest block, which Anvil can load). Both are read.',
  }),
  stateParts: declare(option.statePartList.default(['blocks', 'transactions', 'receipts', 'snapshots']), {
    group: 'State',
    summary: 'What a state file holds beside accounts: blocks, transactions, receipts, snapshots, keystore.',
    form: 'list',
  }),
}
