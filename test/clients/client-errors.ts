/** What the errors of each client say about a revert: for each request, in each dialect, the member with the reason. */
import { HardhatEthersProvider } from '@nomicfoundation/hardhat-ethers/internal/hardhat-ethers-provider.js'
import { HardhatEthersSigner } from '@nomicfoundation/hardhat-ethers/signers.js'
import { Contract, JsonRpcProvider, JsonRpcSigner } from 'ethers'
import type { InterfaceAbi, Signer } from 'ethers'
import { ethers as ethers5 } from 'ethers5'
import { BackwardsCompatibilityProviderAdapter } from 'hardhat/internal/core/providers/backwards-compatibility.js'
import { HttpProvider } from 'hardhat/internal/core/providers/http.js'
import { createTestClient, encodeErrorResult, http, parseAbi, publicActions, walletActions } from 'viem'
import type { Abi, Address } from 'viem'
import { Web3 } from 'web3'
import type { ClientErrors } from '../../scripts/client-errors-table.ts'
import { DIALECTS } from '../../lib/config/dialect.ts'
import { withDialect } from '../support/packed-command.ts'

/** A deployed Reverter, and an account of the node. */
export interface Deployed {
  readonly url: string
  readonly abi: Abi
  readonly address: Address
  readonly owner: Address
}

type Ask = (method: string, args: readonly unknown[]) => Promise<unknown>

/** The requests of a client, by their name in the table. */
interface Requests {
  readonly call: Ask
  readonly estimate: Ask
  readonly 'send without gas': Ask
  readonly 'send with gas': Ask
}

/** Enough gas, so that nothing is estimated and the transaction itself fails. */
const GAS = 300_000n

function ofEthers(signer: Signer, { address, abi }: Deployed): Requests {
  const contract = new Contract(address, abi as InterfaceAbi, signer)
  return {
    call: (method, args) => contract[method]!.staticCall(...args),
    estimate: (method, args) => contract[method]!.estimateGas(...args),
    'send without gas': (method, args) => contract[method]!(...args),
    'send with gas': (method, args) => contract[method]!(...args, { gasLimit: GAS }),
  }
}

function ethers6(at: Deployed): Requests {
  const provider = new JsonRpcProvider(at.url, undefined, {
    cacheTimeout: -1,
    staticNetwork: true,
    batchMaxCount: 1,
  })
  return ofEthers(new JsonRpcSigner(provider, at.owner), at)
}

/** With a network of any other name than `localhost`, so that gas is estimated. */
function hardhatEthers(at: Deployed): Requests {
  const http = new BackwardsCompatibilityProviderAdapter(new HttpProvider(at.url, 'devnode'))
  const provider = new HardhatEthersProvider(http as never, 'devnode')
  // Its constructor is private; `create` wants a whole Hardhat.
  const signer: Signer = Reflect.construct(HardhatEthersSigner, [at.owner, provider, 'remote'])
  return ofEthers(signer, at)
}

function ethersFive({ url, abi, address, owner }: Deployed): Requests {
  const provider = new ethers5.providers.StaticJsonRpcProvider(url)
  const contract = new ethers5.Contract(address, JSON.stringify(abi), provider.getSigner(owner))
  return {
    call: (method, args) => contract.callStatic[method]!(...args),
    estimate: (method, args) => contract.estimateGas[method]!(...args),
    'send without gas': (method, args) => contract[method]!(...args),
    'send with gas': (method, args) => contract[method]!(...args, { gasLimit: GAS }),
  }
}

function viem({ url, abi, address, owner }: Deployed): Requests {
  const client = createTestClient({ mode: 'hardhat', transport: http(url) })
    .extend(publicActions)
    .extend(walletActions)
  const to = (functionName: string, args: readonly unknown[]) =>
    ({ address, abi, functionName, args, account: owner }) as const
  return {
    call: (method, args) => client.simulateContract(to(method, args)),
    estimate: (method, args) => client.estimateContractGas(to(method, args)),
    'send without gas': (method, args) => client.writeContract({ ...to(method, args), chain: null }),
    'send with gas': (method, args) => client.writeContract({ ...to(method, args), chain: null, gas: GAS }),
  }
}

function web3({ url, abi, address, owner: from }: Deployed): Requests {
  const web3 = new Web3(url)
  web3.setConfig({ defaultTransactionType: '0x0', transactionPollingInterval: 20 })
  const { methods }: any = new web3.eth.Contract(abi as any, address)
  return {
    call: (method, args) => methods[method](...args).call({ from }),
    estimate: (method, args) => methods[method](...args).estimateGas({ from }),
    'send without gas': (method, args) => methods[method](...args).send({ from }),
    'send with gas': (method, args) => methods[method](...args).send({ from, gas: GAS }),
  }
}

const CLIENTS = {
  'ethers 6': ethers6,
  'ethers 5': ethersFive,
  viem,
  'web3.js 4': web3,
  'hardhat-ethers': hardhatEthers,
}

/** The answers of every client. */
export async function clientErrors(at: Deployed): Promise<readonly ClientErrors[]> {
  const rows: ClientErrors[] = []
  for (const [client, connect] of Object.entries(CLIENTS)) {
    for (const dialect of DIALECTS) {
      const requests = connect({ ...at, url: withDialect(at.url, dialect) })
      for (const [request, ask] of Object.entries(requests)) {
        rows.push({ client, request, dialect, ...(await answers(ask, at.owner)) })
      }
    }
  }
  return rows
}

const REASON = 'out of order'
const ERRORS = parseAbi([
  'error Error(string)',
  'error Refused(address caller, uint256 code, string text)',
  'error Panic(uint256)',
])

async function answers(ask: Ask, owner: Address) {
  const args = [owner, 42n, 'no'] as const
  const refused = encodeErrorResult({ abi: ERRORS, errorName: 'Refused', args })
  const text = encodeErrorResult({ abi: ERRORS, errorName: 'Error', args: [REASON] })
  const panic = encodeErrorResult({ abi: ERRORS, errorName: 'Panic', args: [0x12n] })
  return {
    reason: told(await outcomeOf(ask('withReason', [REASON])), REASON, text),
    custom: told(await outcomeOf(ask('withCustomError', [42n, 'no'])), 'Refused', refused),
    panic: told(await outcomeOf(ask('withPanic', [0n])), 'Panic', panic),
    empty: (await outcomeOf(ask('withoutReason', []))) instanceof Error ? 'error' : 'no error',
  }
}

const outcomeOf = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error)

/** What a message says of a panic in words. */
const DIVISION = 'ivision or modulo'

/** Where an error has the decoded word, or else the text and the data. Without an error, the client has a hash. */
function told(outcome: unknown, word: string, data: string): string {
  if (!(outcome instanceof Error)) return 'hash'
  const decoded = pathOf(outcome, word)
  if (decoded !== undefined) return `\`${decoded}\``
  const { message } = outcome
  const isText = message.includes(word === 'Panic' ? DIVISION : word)
  const raw = pathOf(outcome, data)
  const found = [...(isText ? ['in the message'] : []), ...(raw === undefined ? [] : [`data in \`${raw}\``])]
  return found.length > 0 ? found.join(', ') : 'receipt' in outcome ? 'receipt' : 'nothing'
}

/** Members in which an error repeats the request. */
const OF_REQUEST = new Set(['abi', 'args', 'fragment', 'params', 'transaction'])

/** The shortest path of members to a value inside an error. */
function pathOf(error: object, value: string): string | undefined {
  const seen = new Set<unknown>()
  const queue: [path: string, holder: object][] = [['', error]]
  for (const [path, holder] of queue) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const member: unknown = Reflect.get(holder, name)
      if (member === value) return `${path}${name}`
      if (typeof member !== 'object' || member === null || OF_REQUEST.has(name) || seen.has(member)) continue
      seen.add(member)
      queue.push([`${path}${name}.`, member])
    }
  }
  return undefined
}
