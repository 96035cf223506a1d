/** Records a long sequence of requests over HTTP and WebSocket with every response. */

import { WebSocket } from 'ws'
import { toHex } from '../../lib/base/hex.ts'
import { CONTRACTS, creationCode, words } from './bytecode.ts'
import { ask } from './server.ts'

type Json = any
type Params = readonly unknown[]

/** Sends requests and records the responses, byte for byte. */
export class Recorder {
  readonly #url: URL
  /** Requests over HTTP with their responses, and the messages of each socket. There is no order between these lists. */
  readonly heard: Record<string, string[]> = {}
  /** Hashes, addresses and ids by description: they are the same on every machine. */
  readonly marks: Record<string, string> = {}
  #asked = 0

  constructor(url: string) {
    this.#url = new URL(url)
  }

  /** Sends a request over HTTP to a path; returns the result or the error. */
  async post(method: string, params: Params = [], path = '/'): Promise<Json> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#asked, method, params })
    const { result, error } = JSON.parse(await this.send(body, path))
    return error ?? result
  }

  /** Sends a body; returns the response body. */
  async send(body: string, path = '/'): Promise<string> {
    const { status, text } = await ask({ port: Number(this.#url.port) }, { path, body })
    this.#note('http', `POST ${path} ${body} -> ${status} ${text}`)
    return text
  }

  /** Gets a page. */
  async get(path: string): Promise<void> {
    const response = await fetch(new URL(path, this.#url))
    this.#note('http', `GET ${path} -> ${response.status} ${await response.text()}`)
  }

  /** Opens a socket. */
  async open(name: string, path = '/'): Promise<Talk> {
    const socket = new WebSocket(`ws://${this.#url.host}${path}`)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    return new Talk(socket, (text) => this.#note(name, text))
  }

  #note(by: string, text: string): void {
    ;(this.heard[by] ??= []).push(text)
  }
}

/** Sequential requests over a socket. */
export class Talk {
  readonly #socket: WebSocket
  #answered: (answer: Json) => void = () => undefined
  #asked = 0

  constructor(socket: WebSocket, note: (text: string) => void) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8')
      note(text)
      const message = JSON.parse(text)
      if (message.id !== undefined) this.#answered(message.error ?? message.result)
    })
  }

  ask(method: string, params: Params = []): Promise<Json> {
    return new Promise((resolve) => {
      this.#answered = resolve
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id: ++this.#asked, method, params }))
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.once('close', () => resolve()).close()
    })
  }
}

/** Sends all kinds of requests of a test suite; the recorder keeps each response. */
export async function recordStory(recorder: Recorder): Promise<void> {
  const socket = await recorder.open('socket')
  for (const kind of ['newHeads', 'newPendingTransactions', 'chainReverted']) {
    recorder.marks[`subscription to ${kind}`] = await socket.ask('eth_subscribe', [kind])
  }
  await socket.ask('eth_subscribe', ['logs', {}])
  await listen(recorder)
  const [store, environment] = await deploy(recorder)
  await callAndTrace(recorder, { store: store!, environment: environment! })
  await makeAccounts(recorder)
  await moveTime(recorder)
  await goBack(recorder, socket)
  await waitInPool(recorder)
  await goElsewhere(recorder)
  await lookBack(recorder)
  await socket.ask('eth_blockNumber')
  await socket.close()
}

async function listen(recorder: Recorder): Promise<void> {
  await recorder.get('/openrpc.json')
  for (const method of ['web3_clientVersion', 'hardhat_metadata', 'eth_chainId', 'rpc_modules']) {
    await recorder.post(method)
  }
  await recorder.post('eth_newFilter', [{ fromBlock: 'earliest' }])
  await recorder.post('eth_newBlockFilter')
  await recorder.post('eth_newPendingTransactionFilter')
}

const GAS = { gas: '0x7a120', gasPrice: '0x77359400' }

async function deploy(recorder: Recorder): Promise<readonly string[]> {
  const [from] = await recorder.post('eth_accounts')
  const addresses: string[] = []
  for (const code of [CONTRACTS.store, CONTRACTS.environment, CONTRACTS.revert]) {
    const hash = await recorder.post('eth_sendTransaction', [
      { from, ...GAS, data: toHex(creationCode(code)) },
    ])
    addresses.push((await recorder.post('eth_getTransactionReceipt', [hash])).contractAddress)
  }
  await recorder.post('eth_sendTransaction', [{ from, ...GAS, to: addresses[2], data: words([7n]) }])
  return addresses
}

async function callAndTrace(
  recorder: Recorder,
  { store, environment }: { readonly store: string; readonly environment: string },
): Promise<void> {
  const [, from] = await recorder.post('eth_accounts')
  await recorder.post('eth_sendTransaction', [{ from, ...GAS, to: store, data: words([1n, 5n]) }])
  const hash = await recorder.post('eth_sendTransaction', [
    { from, ...GAS, to: environment, data: words([3n]) },
  ])
  recorder.marks['a transaction'] = hash
  for (const tracer of ['callTracer', 'prestateTracer', 'flatCallTracer', undefined]) {
    await recorder.post('debug_traceTransaction', [hash, tracer === undefined ? {} : { tracer }])
  }
  await recorder.post('trace_filter', [{ fromBlock: 'earliest', toBlock: 'latest' }])
  const call = { from, to: environment, data: words([4n]) }
  for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList'])
    await recorder.post(method, [call])
  await recorder.post('eth_simulateV1', [
    { blockStateCalls: [{ calls: [call] }, { calls: [call] }] },
    'latest',
  ])
  await recorder.post('eth_getProof', [store, ['0x1'], 'latest'])
  await recorder.post('eth_sendTransaction', [{ from, to: 'nobody' }])
  await recorder.send(
    '[{"jsonrpc":"2.0","id":"a","method":"eth_gasPrice"},{"jsonrpc":"2.0","method":"evm_mine"},7]',
  )
}

async function makeAccounts(recorder: Recorder): Promise<void> {
  const [from] = await recorder.post('eth_accounts')
  for (const [name, passphrase] of [
    ['a new account', 'one'],
    ['another new account', 'two'],
  ] as const) {
    const made = await recorder.post('personal_newAccount', [passphrase])
    recorder.marks[name] = made
    await recorder.post('eth_sendTransaction', [{ from, to: made, value: '0xde0b6b3a7640000', ...GAS }])
    await recorder.post('personal_lockAccount', [made])
    await recorder.post('personal_sendTransaction', [
      { from: made, to: from, value: '0x1', ...GAS },
      passphrase,
    ])
    await recorder.post('personal_unlockAccount', [made, passphrase, 60])
    await recorder.post('personal_dumpRawKey', [made])
  }
  await recorder.post('personal_newAccountWithSeed', ['a seed'])
  await recorder.post('personal_sign', ['0x01', from])
  await recorder.post('eth_signTransaction', [{ from, to: from, value: '0x1', nonce: '0x63', ...GAS }])
}

async function moveTime(recorder: Recorder): Promise<void> {
  await recorder.post('evm_increaseTime', ['0x15180'])
  await recorder.post('evm_mine')
  await recorder.post('hardhat_mine', ['0x20', '0x3c'])
  const { timestamp } = await recorder.post('eth_getBlockByNumber', ['latest', false])
  await recorder.post('evm_setNextBlockTimestamp', [`0x${(BigInt(timestamp) + 100n).toString(16)}`])
  await recorder.post('evm_mine', [{ blocks: 3 }])
  await recorder.post('eth_getWork')
  await recorder.post('mnr_getWork')
}

async function goBack(recorder: Recorder, socket: Talk): Promise<void> {
  const [from, to] = await recorder.post('eth_accounts')
  const transfer = { from, to, value: '0x7', ...GAS }
  for (const name of ['first', 'second', 'third']) {
    await socket.ask('evm_snapshot', [{ name }])
    await recorder.post('eth_sendTransaction', [transfer])
  }
  await recorder.post('dev_snapshots')
  await socket.ask('evm_revert', ['second', { keep: true }])
  await recorder.post('hardhat_setBalance', [to, '0x1234'])
  await recorder.post('eth_sendTransaction', [transfer])
  await recorder.post('evm_revert', ['third'])
  await recorder.post('anvil_reorg', [{ depth: 2, tx_block_pairs: [[transfer, 0]] }])
  await recorder.post('anvil_rollback', [1])
  for (const id of ['0x1', '0x2', '0x3']) await recorder.post('eth_getFilterChanges', [id])
}

async function waitInPool(recorder: Recorder): Promise<void> {
  const [from, to] = await recorder.post('eth_accounts')
  await recorder.post('evm_stopMining')
  for (const value of ['0x1', '0x2', '0x3'])
    await recorder.post('eth_sendTransaction', [{ from, to, value, ...GAS }])
  await recorder.post('eth_sendTransaction', [{ from: to, to: from, value: '0x4', ...GAS }])
  for (const method of ['txpool_content', 'eth_pendingTransactions']) await recorder.post(method)
  await recorder.post('eth_getBlockByNumber', ['pending', true])
  await recorder.post('evm_startMining')
}

async function goElsewhere(recorder: Recorder): Promise<void> {
  await recorder.post('dev_createWorld', [{ id: 'other', from: 'first' }])
  await recorder.post('dev_createWorld')
  const socket = await recorder.open('socket of a world', '/w/other')
  recorder.marks['subscription in a world'] = await socket.ask('eth_subscribe', ['newHeads'])
  const [from, to] = await socket.ask('eth_accounts')
  await socket.ask('eth_sendTransaction', [{ from, to, value: '0x9', ...GAS }])
  recorder.marks['a new account in a world'] = await recorder.post('personal_newAccount', ['one'], '/w/other')
  await recorder.post('dev_worlds')
  const state = await recorder.post('dev_dumpState', [{ keystore: true }])
  await recorder.post('dev_loadState', [state], '/w/other')
  const { hash } = await socket.ask('eth_getBlockByNumber', ['latest', true])
  recorder.marks['head of a world'] = hash
  await socket.close()
  await recorder.post('dev_deleteWorld', ['world-1'])
}

async function lookBack(recorder: Recorder): Promise<void> {
  const height = Number(await recorder.post('eth_blockNumber'))
  for (let number = 0; number <= height; number++) {
    const { hash } = await recorder.post('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
    recorder.marks[`block ${number}`] = hash
    await recorder.post('eth_getBlockReceipts', [hash])
  }
  await recorder.post('eth_getLogs', [{ fromBlock: 'earliest' }])
  await recorder.post('eth_feeHistory', ['0x10', 'latest', [10, 90]])
}
