/** Declares the options of the service: dialect, addresses, limits and output. */

import { DIALECTS } from './dialect.ts'
import { declare, inGroup, toggle } from './option-description.ts'
import * as option from './option-values.ts'
import { choice, count, text } from './values.ts'

/** Value of --host that means every interface, including IPv6 if the machine has it. */
export const ALL_INTERFACES = 'all'

/** Addresses and names that mean every interface, each with the address at which this machine reaches itself. */
export const OWN_ADDRESS_OF: ReadonlyMap<string, string> = new Map([
  [ALL_INTERFACES, '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

const MEBIBYTE = 1024 * 1024

const limit = count(1, Number.MAX_SAFE_INTEGER)
const names = option.textList.default([])

export const serviceOptions = {
  ...inGroup('Client', {
    dialect: declare(
      choice(DIALECTS).optional(),
      `Client whose error codes and phrases the node uses: ${DIALECTS.join(', ')}.`,
      { defaultDescription: 'that of the network, hardhat with exec' },
    ),
    strictRevert: toggle(
      'Fail evm_revert to an unknown snapshot with an error that gives the reason; otherwise it returns false.',
    ),
    returnHashOnRevert: toggle('Return the hash of a sent transaction that reverts, not an error.'),
  }),

  ...inGroup('Server', {
    port: declare(count(0, 65_535).optional(), 'Port to listen on; 0 takes a free one.', {
      defaultDescription: "4444, or the network's",
    }),
    host: declare(
      text.default('127.0.0.1'),
      `Address to listen on, or ${ALL_INTERFACES} for every interface of the machine.`,
    ),
    ipc: declare(
      text.optional(),
      'Path of a Unix domain socket, or name of a Windows pipe (\\\\.\\pipe\\name), that also serves the default chain.',
      { defaultDescription: 'none' },
    ),
    apiKeys: declare(
      names,
      'API key to accept in the path of the URL; may be repeated. Without this option every key is accepted.',
      { flag: 'api-key', form: 'list' },
    ),
    cors: declare(
      names,
      'Origin besides localhost whose web pages may call; may be repeated, * is every origin.',
      { form: 'list' },
    ),
    allowedHosts: declare(
      names,
      'Host name besides localhost under which the node may be called; may be repeated.',
      { flag: 'allowed-host', form: 'list' },
    ),
    explorer: declare(option.onOff.default(true), 'Do not serve the explorer at the URL of the node.', {
      flag: 'no-explorer',
      form: 'off-switch',
    }),
    explorerReadOnly: toggle(
      'Serve an explorer that only shows: it has no controls, no actions of accounts, and no functions that write. Only the page is restricted: clients can still call every method.',
    ),
    hold: toggle(
      'Keep the node of a test run after the tests until Ctrl-C, and print the URL of its explorer.',
    ),
  }),

  ...inGroup('Limits', {
    batchLimit: declare(limit.default(1000), 'Maximum requests in a batch.'),
    bodyLimit: declare(limit.default(5 * MEBIBYTE), 'Maximum bytes of a request.'),
    answerLimit: declare(limit.default(100 * MEBIBYTE), 'Maximum bytes of a response.'),
    logRangeLimit: declare(
      limit.default(2000),
      'Maximum blocks that eth_getLogs searches without a limit on the number of logs.',
    ),
    logCountLimit: declare(
      limit.default(10_000),
      'Maximum logs that eth_getLogs returns from a longer range.',
    ),
    wsBufferLimit: declare(
      limit.default(64 * MEBIBYTE),
      'Maximum unread bytes of a client of a WebSocket or a local socket; a slower client is disconnected.',
    ),
    callTimeout: declare(
      count(0, Number.MAX_SAFE_INTEGER).default(30_000),
      'Milliseconds after which the executions of eth_call, eth_estimateGas, the pending block and the like end; 0 for no limit.',
    ),
    filterTimeout: declare(
      option.seconds.default(300),
      'Seconds without a poll after which a filter is removed.',
    ),
    worldLimit: declare(limit.default(1000), 'Maximum isolated chains (/w/<id>) at a time.'),
    worldTimeout: declare(
      option.seconds.default(3600),
      'Seconds without requests and open sockets after which an isolated chain is deleted.',
    ),
    keepStates: declare(
      limit.default(100_000),
      'Age in blocks up to which the states after blocks are kept. Older ones are dropped, except those of snapshots; blocks, receipts and logs stay.',
    ),
  }),

  ...inGroup('Output', {
    artifacts: declare(
      names,
      'Folder of artifacts of Hardhat, Foundry, Truffle or solc, to recognise contracts and name custom errors; may be repeated. Without it: artifacts, out and build/contracts in the working folder.',
      { form: 'list' },
    ),
    noArtifacts: toggle('Read no artifacts, also none in the working folder.'),
    solidityStacks: declare(
      option.onOff.default(true),
      'Do not explain failures of requests with a Solidity stack in the error and in the log. They are explained only if artifacts are known.',
      { flag: 'no-solidity-stacks', form: 'off-switch' },
    ),
    selectors: declare(
      option.textList.default([]),
      'File or folder with signatures of functions, events and errors, one a line, or ABIs as JSON, which name what has no source; may be repeated.',
      { form: 'list' },
    ),
    quiet: toggle('Print the URL and nothing else.'),
    verbose: toggle('Print params and results of every request.'),
    json: toggle('Print one JSON object per line for programs to read.'),
  }),
}
