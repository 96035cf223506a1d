/** Declares the options of the chain: network, accounts, mining, gas and state files. */

import { HARDFORKS, NETWORK_FORKS, NEXT_FORK } from './eips.ts'
import { MAX_ACCOUNTS } from './network-schema.ts'
import { declare, inGroup, ofNetwork, toggle } from './option-description.ts'
import * as option from './option-values.ts'
import {
  address,
  choice,
  count,
  gasFrom,
  mnemonicOrRandom,
  quantity,
  quantityBetween,
  text,
  MAX_CHAIN_ID,
} from './values.ts'

const gas = gasFrom(21_000n)

/** Largest number of the first block, so that one second per block fits between 1970 and now. */
const MAX_FIRST_NUMBER = 1_000_000_000n

export const chainOptions = {
  ...inGroup('Network', {
    network: declare(
      text.optional(),
      'Network to simulate: the name of a preset, or the path of a preset file.',
      { defaultDescription: 'network-33, or ethereum with --genesis' },
    ),
    genesis: ofNetwork(
      text,
      'Genesis file of geth, for chain id, hard fork, accounts and first block. Other accounts are funded only with --balance.',
    ),
    hardfork: ofNetwork(
      choice(NETWORK_FORKS),
      `Hard fork whose rules hold from the first block on: ${HARDFORKS.join(', ')} (experimental); of network 33, ${NEXT_FORK} (experimental).`,
    ),
    chainId: ofNetwork(quantityBetween(1n, MAX_CHAIN_ID), 'Chain id that transactions are signed for.'),
    networkId: declare(quantityBetween(0n, MAX_CHAIN_ID).optional(), 'Network id that net_version returns.', {
      defaultDescription: 'the chain id',
    }),
    predeploys: declare(
      option.predeployChoice.optional(),
      'Include the contracts that tools expect in the genesis: the deterministic deployment proxy, Multicall3 and the Safe singleton factory; with the value erc4337 also the entry points 0.6 to 0.8 of ERC-4337.',
      { form: 'maybe-value', defaultDescription: 'set by the network' },
    ),
    noPredeploys: toggle('The same as --predeploys false.'),
  }),

  ...inGroup('Accounts', {
    accounts: ofNetwork(count(0, MAX_ACCOUNTS), 'Number of funded accounts.'),
    mnemonic: ofNetwork(
      mnemonicOrRandom,
      'BIP-39 mnemonic from which the funded accounts are derived; "random" makes a new one, which the banner shows.',
    ),
    balance: ofNetwork(option.coins, 'Coins of each funded account, decimals allowed.'),
    fundAccounts: declare(
      option.balanceList.optional(),
      'Address and coins of another account to fund, as 0x...:1000; may be repeated. On a fork it keeps its code.',
      { form: 'list', defaultDescription: 'none' },
    ),
    privateKeys: declare(
      option.privateKeyList.default([]),
      'Private key of an account to fund, instead of the accounts of the network; may be repeated.',
      { flag: 'private-key', form: 'list' },
    ),
    holdsKeys: declare(
      option.onOff.default(true),
      'Hold no keys: the accounts are funded, but only their owners can sign for them.',
      { flag: 'no-accounts', form: 'off-switch' },
    ),
    keystore: declare(
      text.optional(),
      'Folder of keystore files, which keeps accounts that are created or imported at run time.',
      { defaultDescription: 'none, keys end with the process' },
    ),
    keystoreScrypt: declare(
      choice(['light', 'standard']).default('light'),
      'Cost of guessing the passphrase of a new key: light (quick, for tests) or standard.',
    ),
    autoImpersonate: toggle(
      'Let every account send without a key, as anvil_autoImpersonateAccount does at run time.',
    ),
    coinbase: ofNetwork(address, 'Address that mines the blocks.'),
  }),

  ...inGroup('Mining and time', {
    blockTime: declare(
      option.seconds.optional(),
      'Seconds between blocks, fractions allowed, instead of a block per transaction.',
      { defaultDescription: 'a block per transaction' },
    ),
    mining: declare(
      option.miningKind.optional(),
      'When blocks are mined: instant (for each transaction), interval (every --block-time seconds), mixed (both), manual (on request, as by evm_mine), external (by miners that get work from eth_getWork or, on network 33, from mnr_getWork).',
      { defaultDescription: 'instant, or interval with --block-time' },
    ),
    noMining: toggle('The same as --mining manual.'),
    mixedMining: toggle(
      'The same as --mining mixed: a block for each transaction, and one every --block-time seconds.',
    ),
    order: declare(
      choice(['fees', 'fifo']).default('fees'),
      'Order of transactions in a block: fees (highest first) or fifo (order of arrival). Transactions of one sender are always ordered by nonce.',
    ),
    frozenTime: declare(
      option.frozenClock.default(false),
      'Freeze the clock at the given Unix time, or at the start, and use no randomness: the same requests get the same results everywhere. Keys of personal_newAccount are then predictable.',
      { form: 'maybe-value' },
    ),
    genesisTimestamp: ofNetwork(option.unixTime, 'Unix time in seconds of the first block.'),
    number: declare(
      quantityBetween(0n, MAX_FIRST_NUMBER).default(0n),
      'Number of the block with which the chain begins. The blocks before it are empty, a second apart.',
    ),
    allowSameTimestamp: toggle('Let a block carry the timestamp of its parent.'),
    slotsInAnEpoch: declare(
      quantityBetween(0n, MAX_FIRST_NUMBER).default(0n),
      'Blocks between the newest and the `safe` one; the `finalized` one is twice as far. With 0 all three are the same.',
    ),
  }),

  ...inGroup('Gas', {
    blockGasLimit: ofNetwork(gas, 'Gas limit of a block, up to 2^53 - 1.'),
    defaultGas: ofNetwork(
      option.gasOrEstimate,
      'Gas of a transaction that the node signs, if the request has none; "estimate" estimates it. Contract creations are always estimated.',
    ),
    callGasLimit: ofNetwork(gas, 'Maximum gas of an eth_call, up to 2^53 - 1.'),
    allowUnlimitedContractSize: toggle('Deploy contracts of any size.'),
    codeSizeLimit: ofNetwork(
      count(0, Number.MAX_SAFE_INTEGER),
      'Maximum bytes of the code of a contract. Init code may have twice as many.',
    ),
    minimumGasPrice: ofNetwork(
      quantity,
      'Wei per gas below which a transaction is refused. On network 33 the minimum begins at 0 and moves towards it, by 1 wei or 1 % per block.',
    ),
    baseFee: ofNetwork(quantity, 'Base fee of the first block in wei, if the network has base fees.'),
  }),

  ...inGroup('State', {
    state: declare(text.optional(), 'State file: loaded at the start if it exists, written at the end.', {
      defaultDescription: 'none, the chain is lost when the node stops',
    }),
    loadState: declare(text.optional(), 'State file to start from.', { defaultDescription: 'none' }),
    dumpState: declare(text.optional(), 'State file to write at the end.', { defaultDescription: 'none' }),
    stateInterval: declare(
      option.seconds.optional(),
      'Seconds between writes of the state file, fractions allowed.',
      { defaultDescription: 'only at the end' },
    ),
    stateFormat: declare(
      choice(['dev-node', 'anvil']).default('dev-node'),
      'Format of state files that are written: dev-node (everything), or anvil (accounts and the newest block, which Anvil can load). Both can be loaded.',
    ),
    stateParts: declare(
      option.statePartList.default(['blocks', 'transactions', 'receipts', 'snapshots']),
      'Parts of a state file besides accounts: blocks, transactions, receipts, snapshots, keystore.',
      { form: 'list' },
    ),
  }),
}
