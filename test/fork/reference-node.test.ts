/** Forks of network 33 whose remote is another program: it lacks methods, and its precompiles have slots of their own. */

import { describe, expect, test } from '@jest/globals'
import { fromHex } from '../../lib/base/hex.ts'
import { BRIDGE_METHODS } from '../../lib/modules/network-33/bridge/bridge.ts'
import type { Node } from '../../lib/node/node.ts'
import { minedPegIn, shownHash } from '../modules/network-33/support/aux-chain.ts'
import { COW, dataOf } from '../modules/network-33/support/bridge.ts'
import { withFaultProxy } from '../support/fault-proxy.ts'
import type { FaultProxy } from '../support/fault-proxy.ts'
import {
  BRIDGE,
  FEE_CONTRACT,
  asReferenceNode,
  loadRemote,
  sendAsMember,
  sendToBridge,
  setUnion,
  voteFee,
  withFork,
  withRemote,
} from '../modules/network-33/support/network-33-remote.ts'
import type { AskRemote, Network33Remote } from '../modules/network-33/support/network-33-remote.ts'
import { call } from '../support/node.ts'
import { callData } from '../support/precompile-calls.ts'
import { keyOf } from '../support/signing.ts'

interface ForkedReference {
  readonly remote: Network33Remote
  readonly proxy: FaultProxy
  readonly fork: Node
  readonly ask: AskRemote
}

/** Runs a test with a loaded remote that answers as the reference node, and a fork of it. */
async function withReference(
  run: (forked: ForkedReference) => Promise<void>,
  {
    isOld = false,
    load = loadRemote,
  }: { isOld?: boolean; load?: (remote: Network33Remote) => Promise<unknown> } = {},
): Promise<void> {
  await withRemote({ systemTransaction: true, returnHashOnRevert: true }, async (remote) => {
    await load(remote)
    const script = asReferenceNode(isOld)
    const withProxy = async (proxy: FaultProxy) =>
      withFork(
        proxy,
        async (fork) =>
          run({ remote, proxy, fork, ask: (method, params = []) => call(fork, method, params) }),
        { returnHashOnRevert: true },
      )
    await withFaultProxy(script, withProxy, { targetPort: remote.port })
  })
}

const view = (name: string, args: readonly unknown[] = []) =>
  [{ to: BRIDGE, data: dataOf(name, args) }, 'latest'] as const

/** Results of a view on a remote and on its fork. */
const onBoth = async ({ remote, ask }: ForkedReference, name: string, args: readonly unknown[] = []) => {
  const [there, here] = await Promise.all(
    [remote.ask, ask].map((one) => one('eth_call', view(name, args)).catch(() => 'failed')),
  )
  return { there, here }
}

/** A value for each type of argument. */
const ARGUMENTS: Readonly<Record<string, unknown>> = {
  int256: 1n,
  uint256: 1n,
  string: 'ab'.repeat(32),
  bytes32: shownHash(fromHex(minedPegIn(keyOf('cow1'), 500_000n).headers[0][0]!)),
  'bytes32[]': [],
}

describe.each([
  ['the reference node', false],
  ['a node that refuses block hashes and writes leading zeros', true],
])('a remote like %s', (_name, isOld) => {
  test('gives its blocks, receipts, logs and balances', async () => {
    await withReference(
      async ({ remote, ask }) => {
        const height = Number(await remote.ask('eth_blockNumber'))
        for (let number = 0; number <= height; number++) {
          const block = `0x${number.toString(16)}`
          for (const [method, params] of [
            ['eth_getBlockByNumber', [block, true]],
            ['eth_getBlockReceipts', [block]],
            ['eth_getBalance', [FEE_CONTRACT, block]],
          ] as const)
            expect(await ask(method, params)).toEqual(await remote.ask(method, params))
        }
        const logs = [{ fromBlock: '0x0', toBlock: 'latest' }]
        expect(await ask('eth_getLogs', logs)).toEqual(await remote.ask('eth_getLogs', logs))
      },
      { isOld },
    )
  })

  test('answers every view of the Bridge and the fee contract until something is changed', async () => {
    await withReference(
      async (forked) => {
        const views = BRIDGE_METHODS.filter(({ mutability }) => mutability === 'view')
        for (const { selector, inputs } of views) {
          const data = callData(
            selector,
            inputs.map(({ name }) => name),
            inputs.map(({ name }) => ARGUMENTS[name]),
          )
          const [there, here] = await Promise.all(
            [forked.remote.ask, forked.ask].map((one) =>
              one('eth_call', [{ to: BRIDGE, data }, 'latest']).catch(() => 'failed'),
            ),
          )
          expect([selector, here]).toEqual([selector, there])
        }
        const { remote, ask } = forked
        expect(await ask('eth_bridgeState')).toEqual(await remote.ask('eth_bridgeState'))
        const ledger = [{ to: FEE_CONTRACT, data: '0x0d0cee93' }, 'latest']
        expect(await ask('eth_call', ledger)).toBe(await remote.ask('eth_call', ledger))
      },
      { isOld },
    )
  })
})

describe('the Bridge of a fork of the reference node', () => {
  test('goes on with the fee, the caps and the union contract of the remote', async () => {
    await withReference(async (forked) => {
      await setUnion(forked.ask)
      const steps: readonly ((ask: AskRemote) => Promise<any>)[] = [
        (ask) => sendToBridge(ask, { value: '0xde0b6b3a7640000' }),
        (ask) => voteFee(ask, 170_000n),
      ]
      for (const step of steps) {
        const [there, here] = [await step(forked.remote.ask), await step(forked.ask)]
        expect(outcomeOf(here)).toEqual(outcomeOf(there))
      }
      for (const name of [
        'getFeePerKb',
        'getLockingCap',
        'getUnionBridgeLockingCap',
        'getFederationAddress',
      ]) {
        const { there, here } = await onBoth(forked, name)
        expect([name, here]).toEqual([name, there])
      }
      expect(BigInt((await onBoth(forked, 'getUnionBridgeContractAddress')).here)).toBe(BigInt(COW))
    })
  })

  test('begins with no headers, peg-outs and coins', async () => {
    await withReference(async ({ ask }) => {
      const count = async () => BigInt(await ask('eth_call', view('getQueuedPegoutsCount')))
      expect((await sendToBridge(ask, { value: '0xde0b6b3a7640000' })).status).toBe('0x1')
      expect(await count()).toBe(1n)
      expect((await sendAsMember(ask, 'updateCollections')).status).toBe('0x1')
      expect(await count()).toBe(1n)
      const { headers, registration } = minedPegIn(keyOf('cow1'), 500_000n)
      const register = { data: dataOf('registerAuxTransaction', registration) }
      expect((await sendToBridge(ask, register)).logs).toEqual([])
      await sendAsMember(ask, 'receiveHeaders', headers)
      expect((await sendToBridge(ask, register)).logs).toHaveLength(1)
    })
  })

  test('answers a contract that calls it', async () => {
    await withReference(async ({ ask }) => {
      const contract = `0x${'cc'.repeat(20)}`
      const code = `0x6314c89c015f5260205f6004601c73${BRIDGE.slice(2)}5afa5060205ff3`
      await ask('hardhat_setCode', [contract, code])
      expect(BigInt(await ask('eth_call', [{ to: contract }, 'latest']))).toBe(3n)
    })
  })
})

const outcomeOf = ({ status, gasUsed, logs }: any) => ({
  status,
  gasUsed,
  logs: logs.map(({ topics, data }: any) => ({ topics: topics.slice(0, 1), size: data.length })),
})
