/** Forks of network 33: blocks, precompiles and mining of a node that continues another node's chain. */

import { describe, expect, test } from '@jest/globals'
import { fromHex, toHex, toQuantity } from '../../lib/base/hex.ts'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { BRIDGE_METHODS } from '../../lib/modules/network-33/bridge/bridge.ts'
import type { Node } from '../../lib/node/node.ts'
import { mineHeaders, minedPegIn } from '../modules/network-33/support/aux-chain.ts'
import { dataOf } from '../modules/network-33/support/bridge.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { ProxiedMessage, ProxyFault } from '../support/fault-proxy.ts'
import { call } from '../support/node.ts'
import { solve, takeWork } from '../modules/network-33/support/pool.ts'
import {
  asReferenceNode,
  BRIDGE,
  FEE_CONTRACT,
  loadRemote,
  sendAsMember,
  sendToBridge,
  setUnion,
  withBrandedPreset,
  withFork,
  voteFee,
  withRemote,
} from '../modules/network-33/support/network-33-remote.ts'
import type { AskRemote } from '../modules/network-33/support/network-33-remote.ts'
import { keyOf } from '../support/signing.ts'

/** The miner, to which the fee contract pays. */
const COINBASE = '0xec4ddeb4380ad69b3e509baad9f158cdf4e4681d'

/** Views without arguments. */
const views = BRIDGE_METHODS.filter(({ mutability, inputs }) => mutability === 'view' && inputs.length === 0)

/** Requests about a chain up to a height, to be answered alike by a remote and its fork. */
function questions(height: number): readonly (readonly [method: string, params: readonly unknown[]])[] {
  const numbers = Array.from({ length: height + 1 }, (_, number) => `0x${number.toString(16)}`)
  const ofBlocks = [
    'debug_getRawBlock',
    'debug_getRawHeader',
    'debug_getRawReceipts',
    'eth_getBlockReceipts',
    'eth_getUncleCountByBlockNumber',
  ]
  return [
    ...numbers.flatMap((number) => [
      ['eth_getBlockByNumber', [number, true]] as const,
      ['eth_getBlockByNumber', [number, false]] as const,
      ['eth_getUncleByBlockNumberAndIndex', [number, '0x0']] as const,
      ['eth_getBalance', [FEE_CONTRACT, number]] as const,
      ...ofBlocks.map((method) => [method, [number]] as const),
    ]),
    ...views.map(({ selector }) => ['eth_call', [{ to: BRIDGE, data: selector }, 'latest']] as const),
    ...[BRIDGE, FEE_CONTRACT, COINBASE].map((address) => ['eth_getBalance', [address, 'latest']] as const),
    ['eth_call', [{ to: FEE_CONTRACT, data: '0x0d0cee93' }, 'latest']],
    ...['eth_bridgeState', 'dev_bridge', 'eth_gasPrice', 'eth_chainId', 'net_version'].map(
      (method) => [method, []] as const,
    ),
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]],
  ]
}

/** The answer without what a node knows of a side block only, of which an uncle is the header. */
function comparable(method: string, answer: any): unknown {
  if (method !== 'eth_getUncleByBlockNumberAndIndex' || answer === null) return answer
  return { ...answer, size: undefined, totalDifficulty: undefined }
}

/** The answers that differ. */
async function differences(remote: AskRemote, fork: AskRemote, height: number): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const [method, params] of questions(height)) {
    const [there, here] = await Promise.all(
      [remote, fork].map(async (one) =>
        comparable(method, await one(method, params).catch((error: unknown) => String(error))),
      ),
    )
    if (JSON.stringify(there) !== JSON.stringify(here)) found.push({ method, params, there, here })
  }
  return found
}

const inProcess =
  (node: Node): AskRemote =>
  (method, params = []) =>
    call(node, method, params)

describe.each(['network-30', 'network-31', 'network-32', 'network-33'])('a fork of %s', (network) => {
  test('answers as its remote about blocks, receipts, headers and precompiles', async () => {
    await withRemote({ network, systemTransaction: true }, async (remote) => {
      await loadRemote(remote)
      await withFork(remote, async (fork) => {
        const height = Number(await remote.ask('eth_blockNumber'))
        expect(fork.network.name).toBe(network)
        expect(await differences(remote.ask, inProcess(fork), height)).toEqual([])
      })
    })
  })
})

describe('the gas limit', () => {
  /** Gas limits of the next block on a remote, which has a block after the request, and on its fork. */
  const nextLimits = async (options: OptionsInput, request: readonly [string, ...unknown[]]) => {
    const limits: unknown[] = []
    await withRemote(options, async (remote) => {
      const [method, ...params] = request
      await remote.ask(method, params)
      await remote.ask('evm_mine')
      await withFork(remote, async (fork) => {
        for (const one of [remote.ask, inProcess(fork)]) {
          await one('evm_mine')
          limits.push((await one('eth_getBlockByNumber', ['latest', false])).gasLimit)
        }
      })
    })
    return limits
  }

  test('moves on towards that of the network, as on the remote', async () => {
    const [there, here] = await nextLimits({}, ['evm_mine'])
    expect(BigInt(String(there))).toBeLessThan(9_990_000n)
    expect(here).toBe(there)
  })

  test.each<[string, OptionsInput, readonly [string, ...unknown[]]]>([
    ['an option', { blockGasLimit: 20_000_000 }, ['evm_mine']],
    ['a request', {}, ['evm_setBlockGasLimit', '0x1312d00']],
  ])('stays where %s of the remote has set it', async (_case, options, request) => {
    expect(await nextLimits(options, request)).toEqual(['0x1312d00', '0x1312d00'])
  })
})

describe('names of the network', () => {
  test('are those of the remote in the answers of a fork', async () => {
    await withBrandedPreset((network) =>
      withRemote({ network }, async (remote) => {
        await loadRemote(remote, 'Pow')
        const height = Number(await remote.ask('eth_blockNumber'))
        await withFork(
          remote,
          async (fork) => expect(await differences(remote.ask, inProcess(fork), height)).toEqual([]),
          { network },
        )
      }),
    )
  })

  test('may be neutral in the answers of the remote', async () => {
    await withRemote({}, async (remote) => {
      await loadRemote(remote)
      const [, block] = await remote.blocks()
      await withBrandedPreset((network) =>
        withFork(
          remote,
          async (fork) => {
            const { auxMergedMiningHeader: header, nodePteEdges: edges, hash } = block
            expect(await call(fork, 'eth_getBlockByNumber', ['0x1', true])).toMatchObject({
              hash,
              powMergedMiningHeader: header,
              acmePteEdges: edges,
            })
            expect(await call(fork, 'eth_bridgeState')).toMatchObject({ powBlockchainBestChainHeight: 3 })
          },
          { network },
        ),
      )
    })
  })

  test('that the fork does not know are an error that names the preset to write', async () => {
    await withBrandedPreset((network) =>
      withRemote({ network }, async ({ port }) => {
        const fork = withFork({ port }, async () => undefined)
        await expect(fork).rejects.toMatchObject({
          kind: 'remoteFailed',
          message:
            'the remote\'s block 0 has "powMergedMiningHeader", so its network has names of its own: write them into a file such as {"extends":"network-33","names":{"module":"acme","aux":"pow"}} and start the node with --network and this file',
        })
        await withFork({ port }, async () => undefined, { network })
      }),
    )
  })
})

/** Sends the same transactions to a remote and to its fork. @returns the receipts without what differs on every chain */
async function sameOnBoth(
  remote: AskRemote,
  fork: AskRemote,
  transact: (ask: AskRemote) => Promise<any>,
): Promise<readonly [any, any]> {
  const outcome = async (ask: AskRemote) => {
    const { status, gasUsed, logs } = await transact(ask)
    return { status, gasUsed, logs: logs.map(({ topics, data }: any) => ({ topics, data })) }
  }
  return [await outcome(remote), await outcome(fork)]
}

describe('the Bridge of a fork of a node of this program', () => {
  const headers = mineHeaders(minedPegIn(keyOf('cow1'), 500_000n).headers[0].map(fromHex).at(-1)!, 2)
  const steps: readonly [string, (ask: AskRemote) => Promise<any>][] = [
    ['receives headers', (ask) => sendAsMember(ask, 'receiveHeaders', [headers.map(toHex)])],
    [
      'ignores a transaction that was registered before',
      (ask) => {
        const { registration } = minedPegIn(keyOf('cow1'), 500_000n)
        return sendToBridge(ask, { data: dataOf('registerAuxTransaction', registration) })
      },
    ],
    ['counts votes', (ask) => voteFee(ask, 170_000n)],
    ['makes a batch of peg-outs', (ask) => sendAsMember(ask, 'updateCollections')],
  ]

  test('goes on as the remote does', async () => {
    await withRemote({ returnHashOnRevert: true }, async (remote) => {
      await loadRemote(remote)
      await withFork(
        remote,
        async (fork) => {
          const ask = inProcess(fork)
          for (const [name, step] of steps) {
            const [there, here] = await sameOnBoth(remote.ask, ask, step)
            expect([name, here]).toEqual([name, there])
          }
          const state = dataOf('getStateForDebugging', [])
          const [there, here] = await Promise.all(
            [remote.ask, ask].map((one) => one('eth_call', [{ to: BRIDGE, data: state }, 'latest'])),
          )
          expect(here.length).toBe(there.length)
        },
        { returnHashOnRevert: true },
      )
    })
  })
})

test('peg-ins of a fork continue the auxiliary headers of a node of this program, and begin with the first one on others', async () => {
  const pegIn = { to: `0x${'5a'.repeat(20)}`, amount: '0x11c37937e08000' }
  await withRemote({}, async (remote) => {
    await loadRemote(remote)
    const peggedIn = async (fork: Node) => {
      const { txid, transactionHash } = await call(fork, 'dev_pegIn', [pegIn])
      expect(await call(fork, 'eth_getBalance', [pegIn.to])).toBe(pegIn.amount)
      expect((await call(fork, 'eth_getTransactionReceipt', [transactionHash])).logs).toHaveLength(1)
      return (await call(fork, 'dev_auxTransaction', [txid])).height
    }
    const { auxBlockchainBestChainHeight: best } = await remote.ask('eth_bridgeState')
    await withFork(remote, async (fork) => expect(await peggedIn(fork)).toBe(toQuantity(BigInt(best) + 1n)))
    await withFaultProxy(
      asReferenceNode(),
      (proxy) => withFork(proxy, async (fork) => expect(await peggedIn(fork)).toBe('0x1')),
      { targetPort: remote.port },
    )
  })
})

test('a reference node that answers null for a call of the Bridge is wrong: the call did not fail', async () => {
  const request = { to: BRIDGE, data: dataOf('getFeePerKb', []) }
  const reference = asReferenceNode()
  const script = (message: ProxiedMessage): ProxyFault =>
    message.requests.some(({ method }) => method === 'eth_call')
      ? { change: (answer) => ({ ...answer, result: null }) }
      : reference(message)
  await withRemote({}, ({ port }) =>
    withFaultProxy(
      script,
      (proxy) =>
        withFork(proxy, (fork) =>
          expect(call(fork, 'eth_call', [request, 'latest'])).rejects.toThrow(/result of a call: .*got null/),
        ),
      { targetPort: port },
    ),
  )
})

/** A response of a proxy with changed members in every block. */
function changedBlocks(answer: any, { requests }: ProxiedMessage, changes: object): unknown {
  const change = (response: any) => {
    const asked = requests.find(({ id }) => id === response.id)
    const isBlock = asked?.method === 'eth_getBlockByNumber' && response.result !== null
    return isBlock ? { ...response, result: { ...response.result, ...changes } } : response
  }
  return Array.isArray(answer) ? answer.map(change) : change(answer)
}

describe('mining on a fork', () => {
  test('takes blocks of a pool, and the second block of one work becomes an uncle', async () => {
    await withRemote({}, async (remote) => {
      await loadRemote(remote)
      await withFork(remote, async (fork) => {
        const height = fork.chain.head.block.header.number
        const work = await takeWork(fork)
        const first = await solve(fork, work)
        const second = await solve(fork, work, 200)
        expect(first).toMatchObject({ number: toQuantity(height + 1n), result: 'IMPORTED_BEST' })
        await call(fork, 'evm_mine')
        const head = await call(fork, 'eth_getBlockByNumber', ['latest', false])
        expect(head).toMatchObject({ parentHash: first.hash, uncles: [second.hash], difficulty: '0x1' })
      })
    })
  })

  test('has the minimum difficulty if the remote has one that the node cannot prove', async () => {
    const huge = '0x' + (10n ** 21n).toString(16)
    await withRemote({ network: 'network-30' }, ({ port }) =>
      withFaultProxy(
        (message) => ({ change: (answer) => changedBlocks(answer, message, { difficulty: huge }) }),
        async (proxy) => {
          await withFork(proxy, async (fork) => {
            expect(await call(fork, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
              difficulty: huge,
            })
            await call(fork, 'evm_mine')
            const head = await call(fork, 'eth_getBlockByNumber', ['latest', false])
            expect(head).toMatchObject({ number: '0x1', difficulty: '0x1' })
            expect((await solve(fork, await takeWork(fork))).result).toBe('IMPORTED_BEST')
          })
        },
        { targetPort: port },
      ),
    )
  })

  test('puts the base event after the fork block in the next header', async () => {
    await withRemote({}, async (remote) => {
      await setUnion(remote.ask)
      await sendToBridge(remote.ask, { data: dataOf('setBaseEvent', ['0x112233']) })
      await withFork(remote, async (fork) => {
        await call(fork, 'evm_mine')
        expect(await call(fork, 'eth_getBlockByNumber', ['latest', false])).toMatchObject({
          baseEvent: '0x112233',
        })
      })
    })
  })

  test('closes blocks with the system transaction if the remote does, and pays the same fees', async () => {
    await withRemote({ systemTransaction: true }, async (remote) => {
      await loadRemote(remote)
      await withFork(remote, async (fork) => {
        for (const ask of [remote.ask, inProcess(fork)]) await ask('evm_mine')
        const [there, here] = await Promise.all(
          [remote.ask, inProcess(fork)].map((ask) => ask('eth_getBlockReceipts', ['latest'])),
        )
        const logsOf = (receipts: any) =>
          receipts.map(({ logs }: any) => logs.map(({ data, topics }: any) => [data, topics]))
        expect(here).toHaveLength(1)
        expect(logsOf(here)).toEqual(logsOf(there))
        const balances = await Promise.all(
          [remote.ask, inProcess(fork)].map((ask) => ask('eth_getBalance', [FEE_CONTRACT, 'latest'])),
        )
        expect(balances[1]).toBe(balances[0])
      })
    })
  })
})
