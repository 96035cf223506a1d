/**
 * Compares callTracer, prestateTracer and struct logs with those of Anvil, and the first two with those of Hardhat, on the same
 * signed transactions. Both trace with revm-inspectors. Where that differs from geth, geth decides, and the difference is below
 * with its reason.
 */

import { describe, expect, test } from '@jest/globals'
import { encodeDeployData, encodeFunctionData, getContractAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { withAnvil } from '../../support/anvil.ts'
import type { Ask } from '../../support/peer-process.ts'
import { loadContracts } from '../../support/contracts.ts'
import { describeFoundry, networks } from '../../support/foundry.ts'
import { withHardhat3 } from '../../support/hardhat3.ts'
import { call, freshNode } from '../../support/node.ts'
import { EVERYTHING, GAS } from '../../support/tracing.ts'

const CHAIN_ID = 31337
const account = privateKeyToAccount(networks[0].key)
/** An account whose key authorizes the contract as its code (EIP-7702). */
const permitting = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
/** The first contract of the account. */
const TRACER = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const COINBASE = '0x00000000000000000000000000000000000000c0'
const ANVIL = ['--hardfork', 'prague', '--base-fee', '0', '--gas-price', '0', '--gas-limit', '30000000']

/** Creation transactions with effects that no compiled contract has: name, init code and wei. */
const INIT_CODES: readonly (readonly [name: string, code: string, value: number])[] = [
  ['a creation with wei above the balance', '600060006001f000', 0],
  ['a salted creation with wei above the balance', '6000600060006001f500', 0],
  ['a call with wei to a precompile', '60006000600060006007600461fffff100', 7],
  ['a call of a precompile without the gas for it', '6000600060006000600060026001f100', 0],
  ['a self-destruct while it is created', '33ff', 5],
  ['an event that is reverted', '60006000a060006000fd', 0],
  ['code that cannot be paid for', '6160006000f3', 0],
  ['code that is too large', '6160016000f3', 0],
  ['code that begins with 0xef', '60ef60005360016000f3', 0],
  ['a stack underflow', '01', 0],
  ['a jump to nowhere', '600a56', 0],
  ['an opcode that is not defined', '0c', 0],
  ['a loop without an end', '5b600056', 0],
  ['return data out of bounds', '60016000803e', 0],
]

/** The transactions by name. */
async function contents(): Promise<readonly (readonly [name: string, content: object])[]> {
  const { abi, bytecode } = (await loadContracts()).Tracer
  const dataOf = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args })
  const permission = { chainId: CHAIN_ID, contractAddress: TRACER, nonce: 0 } as const
  const authorizationList = [await permitting.signAuthorization(permission)]
  const legacy = { type: 'legacy', gasPrice: 0n }
  return [
    ['deployment', { ...legacy, data: bytecode, value: 100n }],
    ...EVERYTHING.map(([functionName, args, value]) => {
      const data = dataOf(functionName, args)
      return [
        `${functionName}(${args.join()})`,
        { ...legacy, to: TRACER, data, value: BigInt(value) },
      ] as const
    }),
    ...INIT_CODES.map(
      ([name, code, value]) => [name, { ...legacy, data: `0x${code}`, value: BigInt(value) }] as const,
    ),
    [
      'an authorization and a call of the account',
      {
        type: 'eip7702',
        authorizationList,
        maxFeePerGas: 0n,
        maxPriorityFeePerGas: 0n,
        to: permitting.address,
        data: dataOf('fill', [0n, 1n]),
      },
    ],
    [
      'a call of an account that delegates',
      { ...legacy, to: permitting.address, data: dataOf('overspend', [TRACER]) },
    ],
  ]
}

/** Traces of one transaction. */
interface Traces {
  readonly call: any
  readonly prestate: any
  readonly difference: any
}

/** Sends transactions to a node; returns their names and hashes. */
async function* sent(ask: Ask, transactions: Awaited<ReturnType<typeof contents>>) {
  for (const [nonce, [name, content]] of transactions.entries()) {
    const common = { chainId: CHAIN_ID, gas: BigInt(GAS), nonce }
    const raw = await account.signTransaction({ ...common, ...content } as never)
    const hash = await ask('eth_sendRawTransaction', [raw])
    while ((await ask('eth_getTransactionReceipt', [hash])) === null);
    yield [name, hash as string] as const
  }
}

/** Sends every transaction to a node; returns its traces by the name of the transaction. */
async function tracesOf(ask: Ask, setCoinbase: string): Promise<Readonly<Record<string, Traces>>> {
  await ask(setCoinbase, [COINBASE])
  const traces: Record<string, Traces> = {}
  for await (const [name, hash] of sent(ask, await contents())) {
    const trace = (tracer: string, tracerConfig: object) =>
      ask('debug_traceTransaction', [hash, { tracer, tracerConfig }])
    traces[name] = {
      call: await trace('callTracer', { withLog: true }),
      // The peers show the accounts that a transaction makes; geth does so only with includeEmpty (prestate.go).
      prestate: await trace('prestateTracer', { includeEmpty: true }),
      difference: await trace('prestateTracer', { diffMode: true }),
    }
  }
  return traces
}

/** Our traces, without the accounts of refused creations: geth shows those (CREATE in prestate.go), the peers do not. */
async function ownTraces() {
  const node = await freshNode({ network: 'ethereum', hardfork: 'prague', returnHashOnRevert: true })
  await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x0'])
  const traces = await tracesOf((method, params) => call(node, method, params), 'hardhat_setCoinbase')
  for (const { call: root, prestate } of Object.values(traces)) {
    for (const refused of refusedCreations(root)) {
      expect(prestate[refused]).toEqual({ balance: '0x0' })
      Reflect.deleteProperty(prestate, refused)
    }
  }
  return traces
}

/** Addresses of contracts that a new contract could not create, without code or salt. */
function refusedCreations({ to: from, calls = [] }: any): readonly string[] {
  const bytecode = '0x'
  const salt = `0x${'00'.repeat(32)}` as const
  return calls
    .filter(({ type, error }: any) => type.startsWith('CREATE') && error?.startsWith('insufficient'))
    .map(({ type }: any) =>
      type === 'CREATE'
        ? getContractAddress({ from, nonce: 1n })
        : getContractAddress({ opcode: type, from, salt, bytecode }),
    )
    .map((address: string) => address.toLowerCase())
}

/** Exceptions that have another name in revm than in geth (geth, core/vm/errors.go). */
const EXCEPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['CreateContractSizeLimit', /^max code size exceeded/],
  ['CreateContractStartingWithEF', /^invalid code: must not begin with 0xef$/],
  ['OutOfOffset', /^return data out of bounds$/],
  ['StackUnderflow', /^stack underflow \(0 <=> 2\)$/],
  ['invalid opcode', /^invalid opcode: opcode 0xc not defined$/],
  ['out of gas', /^contract creation code storage out of gas$/],
])

/** A frame of a peer in geth's format, to compare it with our own. */
function asGeth(frame: any, own: any, isFailed = false): any {
  const fails = isFailed || frame.error !== undefined
  const { logs, error, calls, ...rest } = frame
  return {
    ...rest,
    // geth drops the events of frames that failed (clearFailedLogs in call.go).
    ...(logs === undefined || fails ? {} : { logs }),
    ...(error === undefined ? {} : { error: EXCEPTIONS.get(error)?.test(own?.error) ? own.error : error }),
    ...(calls === undefined
      ? {}
      : { calls: calls.map((inner: any, index: number) => asGeth(inner, own?.calls?.[index], fails)) }),
  }
}

async function expectAlike(peer: Readonly<Record<string, Traces>>, rootGas: (own: any, peer: any) => string) {
  const own = await ownTraces()
  const expected = Object.entries(peer).map(([name, traces]) => {
    const { call: frame, ...states } = traces
    const ours = own[name]?.call
    return [name, { ...states, call: { ...asGeth(frame, ours), gas: rootGas(ours, frame) } }]
  })
  expect(own).toEqual(Object.fromEntries(expected))
}

/** A token, which is the first contract of the account, and transfers, of which the last one fails. */
async function tokenContents(): Promise<Awaited<ReturnType<typeof contents>>> {
  const { abi, bytecode } = (await loadContracts()).GameToken
  const legacy = { type: 'legacy', gasPrice: 0n }
  const data = encodeDeployData({ abi, bytecode, args: [account.address] })
  const called = (functionName: string, args: readonly unknown[]) => {
    return { ...legacy, to: TRACER, data: encodeFunctionData({ abi, functionName, args }) }
  }
  return [
    ['token', { ...legacy, data }],
    ['mint', called('mint', [account.address, 1000n])],
    ['ERC-20 transfer', called('transfer', [COINBASE, 5n])],
    ['ERC-20 transfer of all', called('transfer', [COINBASE, 995n])],
    ['ERC-20 transfer of too much', called('transfer', [COINBASE, 5n])],
  ]
}

/** Struct logs of every transaction, by its name. */
async function structLogsOf(ask: Ask, transactions: Awaited<ReturnType<typeof contents>>) {
  const traces: Record<string, any> = {}
  for await (const [name, hash] of sent(ask, transactions)) {
    const options = { enableMemory: true, enableReturnData: true }
    traces[name] = await ask('debug_traceTransaction', [hash, options])
  }
  return traces
}

/** Names of the exceptions that Anvil shows in struct logs, and the texts of geth. */
const STEP_ERRORS: Readonly<Record<string, string>> = {
  'Some(StackUnderflow)': 'stack underflow (0 <=> 2)',
  'Some(InvalidJump)': 'invalid jump destination',
  'Some(InvalidFEOpcode)': 'invalid opcode: INVALID',
  'Some(OpcodeNotFound)': 'invalid opcode: opcode 0xc not defined',
  'Some(OutOfOffset)': 'return data out of bounds',
}

/** An entry of Anvil as geth and this node have it. `initialRefund` is the counter before the first instruction. */
function entryAsGeth(
  entry: any,
  next: any,
  { own, initialRefund }: { own: any; initialRefund: number },
): any {
  const { returnData, refund, error, ...rest } = entry
  // geth changes the counter when it computes the gas of SSTORE, before it logs the instruction.
  const counted = initialRefund + Number(entry.op === 'SSTORE' && next !== undefined ? next.refund : refund)
  return {
    ...rest,
    ...(returnData === '0x' ? {} : { returnData }),
    ...(counted === 0 ? {} : { refund: counted }),
    ...(error === undefined ? {} : { error: STEP_ERRORS[error] ?? error }),
    ...(own.reason === undefined ? {} : { reason: own.reason }),
    // The gas that a creation forwards is no part of its cost (gasCreate in core/vm/gas_table.go).
    ...(entry.op.startsWith('CREATE') ? { gasCost: own.gasCost } : {}),
    ...(entry.op === 'Unknown' ? { op: own.op } : {}),
  }
}

/** Refund of an authorization (EIP-7702), which geth counts before the first instruction and Anvil after the last. */
const AUTHORIZATION_REFUND = 12_500

function traceAsGeth({ structLogs, ...rest }: any, own: any, hasAuthorization: boolean): any {
  const initialRefund = hasAuthorization ? AUTHORIZATION_REFUND : 0
  const entries = structLogs.map((entry: any, index: number) =>
    entryAsGeth(entry, structLogs[index + 1], { own: own.structLogs[index] ?? {}, initialRefund }),
  )
  return { ...rest, structLogs: entries }
}

describeFoundry('Anvil', () => {
  test.each([
    ['token transfers', tokenContents],
    ['calls, creations and failures', contents],
  ])('logs the instructions of the same %s', async (_, transactionsOf) => {
    // Anvil does not limit the list.
    const transactions = (await transactionsOf()).filter(([name]) => name !== 'a loop without an end')
    const node = await freshNode({ network: 'ethereum', hardfork: 'prague', returnHashOnRevert: true })
    await call(node, 'hardhat_setNextBlockBaseFeePerGas', ['0x0'])
    const own = await structLogsOf((method, params) => call(node, method, params), transactions)
    await withAnvil([...ANVIL, '--steps-tracing'], async (ask) => {
      const peer = await structLogsOf(ask, transactions)
      for (const [name, trace] of Object.entries(peer)) {
        const hasAuthorization = name.startsWith('an authorization')
        expect([name, own[name]]).toEqual([name, traceAsGeth(trace, own[name], hasAuthorization)])
      }
    })
  })

  test('traces the same transactions in the same way', async () => {
    await withAnvil(ANVIL, async (ask) => {
      // Its outermost frame has the gas without the intrinsic gas, in geth that of the transaction (call.go).
      await expectAlike(await tracesOf(ask, 'anvil_setCoinbase'), (own) => own.gas)
    })
  })
})

describe('Hardhat', () => {
  test('traces the same transactions alike', async () => {
    const network = {
      type: 'edr-simulated',
      chainType: 'l1',
      chainId: CHAIN_ID,
      hardfork: 'prague',
      gasPrice: 0,
      initialBaseFeePerGas: 0,
      blockGasLimit: 30_000_000,
      throwOnTransactionFailures: false,
    }
    await withHardhat3(network, async (ask) => {
      await expectAlike(await tracesOf(ask, 'hardhat_setCoinbase'), (_own, { gas }) => gas)
    })
  })
})
