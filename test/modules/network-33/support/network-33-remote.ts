/** Remotes of network 33: nodes whose Bridge, fee contract and headers have a history, and nodes that continue their chain. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../../../lib/base/hex.ts'
import type { OptionsInput } from '../../../../lib/modules/options.ts'
import { addressOfPrivateKey } from '../../../../lib/crypto/address.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { auxBlockFor } from './aux-blocks.ts'
import { minedPegIn } from './aux-chain.ts'
import { COW, dataOf } from './bridge.ts'
import type { ProxiedMessage, ProxyFault } from '../../../support/fault-proxy.ts'
import { freshNode } from '../../../support/node.ts'
import { ask, rpc, withServer } from '../../../support/server.ts'
import { keyOf } from '../../../support/signing.ts'

export const BRIDGE = '0x0000000000000000000000000000000001000006'
export const FEE_CONTRACT = '0x0000000000000000000000000000000001000008'

/** Calls a method of the remote as a client does. */
export type AskRemote = (method: string, params?: readonly unknown[]) => Promise<any>

/** The remote of a test. */
export interface Network33Remote {
  readonly port: number
  readonly ask: AskRemote
  /** The blocks that it has now, oldest first. */
  readonly blocks: () => Promise<readonly any[]>
}

/** Runs a test with a new remote. */
export const withRemote = (
  options: OptionsInput,
  run: (remote: Network33Remote) => Promise<void>,
): Promise<void> =>
  withServer(options, async ({ port }) => {
    const request: AskRemote = async (method, params = []) => {
      const { result, error } = JSON.parse((await ask({ port }, { body: rpc(method, params) })).text)
      if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
      return result
    }
    const blocks = async () => {
      const height = Number(await request('eth_blockNumber'))
      const numbers = Array.from({ length: height + 1 }, (_, number) => `0x${number.toString(16)}`)
      return Promise.all(numbers.map((number) => request('eth_getBlockByNumber', [number, true])))
    }
    await run({ port, ask: request, blocks })
  })

/** Runs a test with a node that continues the chain of a port. */
export async function withFork(
  { port }: { readonly port: number },
  run: (fork: Node) => Promise<void>,
  options: OptionsInput = {},
): Promise<void> {
  const fork = await freshNode({ forkUrl: `http://127.0.0.1:${port}`, noForkCache: true, ...options })
  try {
    await run(fork)
  } finally {
    await fork.close()
  }
}

/** Sends a transaction of the first account to the Bridge, and returns the receipt. */
export async function sendToBridge(request: AskRemote, transaction: object): Promise<any> {
  const hash = await request('eth_sendTransaction', [
    { from: COW, to: BRIDGE, gas: '0x4c4b40', gasPrice: '0x5', ...transaction },
  ])
  return request('eth_getTransactionReceipt', [hash])
}

/** Pays coins to the federation on the auxiliary chain, and registers that. */
export async function pegIn(request: AskRemote, phrase = 'cow1', sat = 500_000n): Promise<void> {
  const { headers, registration } = minedPegIn(keyOf(phrase), sat)
  await sendAsMember(request, 'receiveHeaders', headers)
  await sendToBridge(request, { data: dataOf('registerAuxTransaction', registration) })
}

/** Calls the Bridge from the account of a phrase that it knows, at a gas price of 0. */
export async function sendAs(request: AskRemote, phrase: string, data: string): Promise<any> {
  const key = toHex(keyOf(phrase)).slice(2)
  const from = await request('personal_importRawKey', [key, 'passphrase'])
  await request('personal_unlockAccount', [from, 'passphrase', 0])
  return sendToBridge(request, { from, gasPrice: '0x0', data })
}

/** Calls the Bridge from a member of the federation. */
export const sendAsMember = (request: AskRemote, name: string, args: readonly unknown[] = []): Promise<any> =>
  sendAs(request, 'federator1', dataOf(name, args))

/** Sets the fee of the Bridge with the vote of its only voter. */
export const voteFee = (request: AskRemote, fee: bigint): Promise<any> =>
  sendAs(request, 'auth-fee-per-kb', dataOf('voteFeePerKbChange', [fee]))

/** Makes the first account the union contract, which may set the base event. The setter needs an account. */
export async function setUnion(request: AskRemote): Promise<any> {
  const setter = 'changeUnionBridgeContractAddressAuthorizer'
  await request('hardhat_setBalance', [addressOfPrivateKey(keyOf(setter)), '0x1'])
  return sendAs(request, setter, dataOf('setUnionBridgeContractAddressForTestnet', [COW]))
}

/**
 * Gives a remote a peg-in, a vote, peg-outs, blocks of a pool, an uncle, and fees that are paid out. `aux` is the name of the
 * auxiliary chain in its methods.
 */
export async function loadRemote({ ask: request }: Pick<Network33Remote, 'ask'>, aux = 'Aux'): Promise<void> {
  await pegIn(request)
  await voteFee(request, 150_000n)
  await sendToBridge(request, { value: '0xde0b6b3a7640000' })
  // Two blocks of one work: the second is a side block, and then an uncle.
  const { blockHashForMergedMining: work } = await request('mnr_getWork')
  for (const nonce of [100, 200])
    await request(`mnr_submit${aux}Block`, [toHex(auxBlockFor(work, nonce)).slice(2)])
  for (let count = 0; count < 14; count++) await request('evm_mine')
}

/** Runs a test with a preset: network 33 with changes. */
export async function withPreset(changes: object, run: (network: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'preset-'))
  const network = join(folder, 'acme.json')
  try {
    writeFileSync(network, JSON.stringify({ extends: 'network-33', ...changes }))
    await run(network)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a test with a preset that gives the network its own names. */
export const withBrandedPreset = (run: (network: string) => Promise<void>): Promise<void> =>
  withPreset({ names: { module: 'acme', aux: 'pow' } }, run)

/** Methods that the reference node does not have (node-rpc 6). */
const MISSING = ['eth_createAccessList', 'eth_getBlockReceipts', 'eth_getProof', 'eth_feeHistory']

/** Members that results of the reference node do not have. */
const ABSENT = new Set(['mixHash', 'effectiveGasPrice', 'removed', 'blockTimestamp', 'chainId'])

/** Maximum number of requests in a batch of the reference node. */
const MAX_BATCH = 50

/**
 * The answers of a node as another program gives them: without the methods and members that the reference node lacks, and
 * with other slots of the precompiles. `isOld` refuses blocks by their hashes and writes numbers with leading zeros.
 */
export function asReferenceNode(isOld = false): (message: ProxiedMessage) => ProxyFault {
  return (message) => ({
    change: (answer: any) => {
      if (message.requests.length > MAX_BATCH)
        return {
          jsonrpc: '2.0',
          id: null,
          error: { code: -32600, message: 'Cannot dispatch batch requests' },
        }
      const change = (response: any) => {
        const request = message.requests.find(({ id }) => id === response.id)
        return request === undefined
          ? response
          : { ...response, ...referenceAnswer(response, request, isOld) }
      }
      return Array.isArray(answer) ? answer.map(change) : change(answer)
    },
  })
}

/** The members of a response that differ. */
function referenceAnswer(
  { result }: any,
  { method, params }: ProxiedMessage['requests'][number],
  isOld: boolean,
): object {
  const last = params.at(-1)
  if (MISSING.includes(method))
    return { result: undefined, error: { code: -32601, message: 'method not found' } }
  if (isOld && typeof last === 'object' && last !== null && 'blockHash' in last)
    return { result: undefined, error: { code: -32602, message: 'invalid block identifier' } }
  if (method === 'web3_clientVersion') return { result: 'NODEJ/9.1.0/Linux/Java17/SNAPSHOT-d987a4c' }
  const isPrecompile = method === 'eth_getStorageAt' && String(params[0]).startsWith('0x00000000')
  if (isPrecompile) return { result: isOld ? '0x0' : `0x${'00'.repeat(32)}` }
  if (method === 'eth_call' || result === undefined) return {}
  return { result: inReferenceForm(result, isOld) }
}

/** A result with the members of the reference node; the system transaction has no signature. */
function inReferenceForm(value: any, isOld: boolean): any {
  if (Array.isArray(value)) return value.map((item) => inReferenceForm(item, isOld))
  if (typeof value !== 'object' || value === null) return value
  const isSystem = value.v === '0x0' && value.r === '0x0'
  const members = Object.entries(value)
    .filter(([name]) => !ABSENT.has(name))
    .map(([name, member]) => {
      if (isSystem && ['v', 'r', 's'].includes(name)) return [name, null]
      if (isOld && ['gasUsed', 'difficulty', 'timestamp'].includes(name) && typeof member === 'string')
        return [name, `0x0${member.slice(2)}`]
      return [name, inReferenceForm(member, isOld)]
    })
  return Object.fromEntries(members)
}
