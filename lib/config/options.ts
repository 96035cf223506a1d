/** Every option, declared once. Flags, environment variables, help, documents and the type of the API derive from here. */

import { z } from 'zod'
import { DIALECTS } from './dialect.ts'
import { HARDFORKS } from './hardfork.ts'
import { MOST_ACCOUNTS } from './network-schema.ts'
import { declare } from './option-facts.ts'
import * as option from './option-values.ts'
import { address, choice, count, mnemonic, quantity, quantityBetween, text } from './values.ts'

const OF_NETWORK = 'of the network'
const MOST_GAS = 2n ** 63n - 1n
const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const MEBIBYTE = 1024 * 1024

const gas = quantityBetween(21_000n, MOST_GAS, 'an amount of gas')
const limit = count(1, Number.MAX_SAFE_INTEGER)
const names = option.textList.default([])
const off = () => option.onOff.default(false)
const on = () => option.onOff.default(true)

/** Schema of all options; the key is the option's name in the programmatic API. */
export const optionsSchema = z
  .strictObject({
    network: declare(text.default('network-33'), {
      group: 'Network',
      summary: 'Network to simulate: the name of a preset, or the path of a JSON file like one.',
    }),
    hardfork: declare(choice(HARDFORKS).optional(), {
      group: 'Network',
      summary: `Hard fork whose rules hold from the first block on: ${HARDFORKS.join(', ')}.`,
      otherwise: OF_NETWORK,
    }),
    chainId: declare(quantityBetween(1n, MOST_SAFE).optional(), {
      group: 'Network',
      summary: 'Chain id that transactions are signed for.',
      otherwise: OF_NETWORK,
    }),
    networkId: declare(quantityBetween(0n, MOST_SAFE).optional(), {
      group: 'Network',
      summary: 'Network id that net_version answers.',
      otherwise: 'the chain id',
    }),

    accounts: declare(count(0, MOST_ACCOUNTS).optional(), {
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
        'When blocks are made: instant (for each transaction), interval (every --block-time seconds), manual (when asked to, as by evm_mine), external (by miners that take work from mnr_getWork).',
      otherwise: 'instant, or interval with --block-time',
    }),
    noMining: declare(off(), {
      group: 'Mining and time',
      summary: 'The same as --mining manual.',
      form: 'switch',
    }),
    frozenTime: declare(option.frozenClock.default(false), {
      group: 'Mining and time',
      summary: 'Let time pass only when asked to, from the given Unix time on or from the start.',
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
      summary: 'Gas limit of a block.',
      otherwise: OF_NETWORK,
    }),
    defaultGas: declare(option.gasOrEstimate.optional(), {
      group: 'Gas',
      summary: 'Gas of a transaction that is sent to be signed here and names none; estimate: what it needs.',
      otherwise: OF_NETWORK,
    }),
    callGasLimit: declare(gas.optional(), {
      group: 'Gas',
      summary: 'Most gas an eth_call may use.',
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

    dialect: declare(choice(DIALECTS).default('node33'), {
      group: 'Client',
      summary: `Client whose error codes and phrases are answered: ${DIALECTS.join(', ')}.`,
    }),
    strictRevert: declare(off(), {
      group: 'Client',
      summary:
        'Answer evm_revert to an unknown snapshot with an error that says what became of it, not false.',
      form: 'switch',
    }),
    returnHashOnRevert: declare(off(), {
      group: 'Client',
      summary: 'Answer the hash of a sent transaction that reverts, not the error.',
      form: 'switch',
    }),
    release: declare(option.releaseNumber.default('9.1.0'), {
      group: 'Client',
      summary: 'Release of the client to behave like.',
    }),

    port: declare(count(0, 65_535).optional(), {
      group: 'Server',
      summary: 'Port to listen on; 0 takes any that is free.',
      otherwise: '4444, or that of the network',
    }),
    host: declare(text.default('127.0.0.1'), {
      group: 'Server',
      summary: 'Address to listen on.',
    }),
    apiKeys: declare(names.clone(), {
      group: 'Server',
      summary: 'API key to accept in the path of the URL; may be repeated. Without one every key passes.',
      flag: 'api-key',
      form: 'list',
    }),
    cors: declare(names.clone(), {
      group: 'Server',
      summary: 'Origin beside localhost whose web pages may call; may be repeated, * is every origin.',
      form: 'list',
    }),
    allowedHosts: declare(names.clone(), {
      group: 'Server',
      summary: 'Host name beside localhost under which the node may be called; may be repeated.',
      flag: 'allowed-host',
      form: 'list',
    }),

    batchLimit: declare(limit.default(1000), { group: 'Limits', summary: 'Most requests in a batch.' }),
    bodyLimit: declare(limit.default(5 * MEBIBYTE), { group: 'Limits', summary: 'Most bytes of a request.' }),
    answerLimit: declare(limit.default(100 * MEBIBYTE), {
      group: 'Limits',
      summary: 'Most bytes of an answer.',
    }),
    logRangeLimit: declare(limit.default(2000), {
      group: 'Limits',
      summary: 'Most blocks eth_getLogs searches without a limit on the number of logs.',
    }),
    logCountLimit: declare(limit.default(10_000), {
      group: 'Limits',
      summary: 'Most logs eth_getLogs answers from a longer range.',
    }),
    wsBufferLimit: declare(limit.default(64 * MEBIBYTE), {
      group: 'Limits',
      summary:
        'Most bytes that wait for a WebSocket client to read them; one that lets more wait is dropped.',
    }),
    filterTimeout: declare(option.seconds.default(300), {
      group: 'Limits',
      summary: 'Seconds after which a filter nobody polls is dropped.',
    }),

    quiet: declare(off(), { group: 'Output', summary: 'Print the URL and nothing else.', form: 'switch' }),
    verbose: declare(off(), {
      group: 'Output',
      summary: 'Print params and results of every request.',
      form: 'switch',
    }),
    json: declare(off(), {
      group: 'Output',
      summary: 'Print one JSON object per line for programs to read.',
      form: 'switch',
    }),
  })
  .readonly()

/** All options, settled: defaults filled in, values read. */
export type Options = z.output<typeof optionsSchema>

/** Options as a program gives them: all optional, numbers in any spelling. */
export type OptionsInput = z.input<typeof optionsSchema>
