/** cast of Foundry against the packed command: type 2 transactions on an Ethereum chain, legacy ones on network 33. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeEventLog, decodeErrorResult, keccak256 } from 'viem'
import type { Hex } from 'viem'
import { loadContracts } from '../support/contracts.ts'
import type { Contracts } from '../support/contracts.ts'
import { describeFoundry, networks, openFoundry } from '../support/foundry.ts'
import type { Foundry } from '../support/foundry.ts'
import { request, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { printedRequests } from '../support/recipes.ts'
import { firstReport, story } from './story.ts'

/** Members of cast's JSON that the tests read. */
interface Receipt {
  readonly status: Hex
  readonly type: Hex
  readonly from: Hex
  readonly contractAddress: Hex | null
  readonly transactionHash: Hex
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly logs: readonly Log[]
}

interface Log {
  readonly address: Hex
  readonly data: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly transactionHash: Hex
}

const STORED = 'ValueChanged(address indexed writer, uint256 indexed before, uint256 value)'

describeFoundry('cast', () => {
  describe.each(networks)('on $network', ({ network, type, legacy, key }) => {
    let node: RunningNode
    let foundry: Foundry
    let contracts: Contracts
    let storage: Hex
    let reverter: Hex
    let owner: Hex
    let other: Hex

    beforeAll(async () => {
      contracts = await loadContracts()
      node = await startDevNode(['--network', network])
      foundry = await openFoundry({ ETH_RPC_URL: withDialect(node.url, 'ethereum') })
      owner = node.ready.accounts[0] as Hex
      other = node.ready.accounts[1] as Hex
      storage = await deployed(contracts.Storage.bytecode, 'constructor(uint256)', '7')
      reverter = await deployed(contracts.Reverter.bytecode)
    })

    afterAll(async () => {
      await foundry.remove()
      expect(await node.stop()).toBe(0)
    })

    const cast = (...args: readonly string[]) => foundry.print('cast', ...args)
    const json = async <Answer>(...args: readonly string[]) => JSON.parse(await cast(...args)) as Answer
    const send = (...args: readonly string[]) =>
      json<Receipt>('send', '--json', ...legacy, '--private-key', key, ...args)
    const value = () => cast('call', storage, 'value()(uint256)')

    async function deployed(...code: readonly string[]): Promise<Hex> {
      const { status, contractAddress } = await send('--create', ...code)
      expect([status, contractAddress]).toEqual(['0x1', expect.stringMatching(/^0x/)])
      return contractAddress!
    }

    const eventOf = ({ data, topics }: Log) => {
      const { args } = decodeEventLog({ abi: contracts.Storage.abi, data, topics })
      return args as unknown as { writer: string; before: bigint; value: bigint }
    }

    test('sends a signed transaction, calls, and finds the event', async () => {
      const before = BigInt(await value())
      const receipt = await send(storage, 'store(uint256)', '9')
      expect(receipt).toMatchObject({ status: '0x1', type, from: owner })
      expect(await value()).toBe('9')
      const logs = await json<Log[]>('logs', '--json', '--from-block', '0', '--address', storage, STORED)
      const found = logs.find(({ transactionHash }) => transactionHash === receipt.transactionHash)!
      expect(eventOf(found)).toMatchObject({ before, value: 9n })
      expect(await json('receipt', '--json', receipt.transactionHash)).toEqual(receipt)
    })

    test('reads the pending block', async () => {
      const next = Number(await cast('block-number')) + 1
      expect(await cast('block', 'pending', '--field', 'number')).toBe(String(next))
      // In the default dialect of network 33 the block has no bloom, as in the service specification; cast needs it.
      const inDefault = cast('block', 'pending', '--field', 'number', '--rpc-url', node.url)
      if (network === 'network-33') await expect(inDefault).rejects.toThrow(/invalid type: null/)
      else expect(await inDefault).toBe(String(next))
    })

    test('lets the node sign for its accounts', async () => {
      const unlocked = ['send', '--json', ...legacy, '--unlocked', '--from', other]
      const receipt = await json<Receipt>(...unlocked, storage, 'store(uint256)', '10')
      expect(receipt).toMatchObject({ status: '0x1', type, from: other })
      expect(eventOf(receipt.logs[0]!).writer.toLowerCase()).toBe(other)
    })

    test('signs with one command and publishes with another', async () => {
      const raw = await cast('mktx', ...legacy, '--private-key', key, storage, 'store(uint256)', '11')
      const { transactionHash } = await json<Receipt>('publish', raw)
      expect([transactionHash, await value()]).toEqual([keccak256(raw as Hex), '11'])
      expect(await cast('tx', transactionHash, '--raw')).toBe(raw)
      const last = Number(await cast('nonce', owner)) - 1
      expect(await cast('tx', '--from', owner, '--nonce', String(last), '--raw')).toBe(raw)
      const again = await foundry.complain('cast', 'publish', raw)
      expect(again).toContain('nonce too low')
    })

    if (network === 'ethereum') {
      test('runs a transaction again', async () => {
        const { transactionHash, gasUsed } = await send(storage, 'store(uint256)', '17')
        const trace = await cast('run', transactionHash)
        expect(trace).toContain(`Gas used: ${Number(gasUsed)}`)
        expect(trace).toContain('Transaction successfully executed.')
      })
    } else {
      test('needs --legacy where blocks have no base fee', async () => {
        const call = [storage, 'store(uint256)', '17']
        const error = await foundry.complain('cast', 'send', '--private-key', key, ...call)
        expect(error).toContain('unsupported feature: eip1559')
      })
    }

    test('shows the reason for which a call or an estimate reverts', async () => {
      const reason = await foundry.complain('cast', 'call', reverter, 'callWithReason(string)', story.reason)
      expect(reason).toContain(`execution reverted: ${story.reason}`)
      const refusal = ['withCustomError(uint256,string)', String(story.refusal.code), story.refusal.text]
      const refused = await foundry.complain(
        'cast',
        'send',
        ...legacy,
        '--private-key',
        key,
        reverter,
        ...refusal,
      )
      const data = /data: "(0x[0-9a-f]+)"/.exec(refused)![1] as Hex
      expect(decodeErrorResult({ abi: contracts.Reverter.abi, data }).errorName).toBe('Refused')
    })

    test('talks and listens over WebSocket', async () => {
      const url = withDialect(node.url, 'ethereum').replace(/^http/, 'ws')
      expect(await cast('chain-id', '--rpc-url', url)).toBe(String(node.ready.chainId))
      const heard = await firstReport<string>(
        (report, fail) => {
          const [path, options] = foundry.start('cast')
          const listener = spawn(
            path,
            ['logs', '--subscribe', '--address', storage, '--rpc-url', url],
            options,
          )
          listener.once('error', fail)
          let printed = ''
          listener.stdout.setEncoding('utf8').on('data', (text: string) => {
            printed += text
            if (printed.includes('transactionIndex')) report(printed)
          })
          return async () => {
            listener.kill()
            await once(listener, 'close')
          }
        },
        () => send('--rpc-url', url, storage, 'store(uint256)', '16'),
      )
      expect(heard.toLowerCase()).toContain(storage.toLowerCase())
    })
  })

  test('waits for confirmations where a timer makes the blocks', async () => {
    const node = await startDevNode(['--no-mining', '--verbose'])
    const foundry = await openFoundry({ ETH_RPC_URL: withDialect(node.url, 'ethereum') })
    const isAskedFor = () =>
      printedRequests(node).some(({ method }) => method === 'eth_getTransactionReceipt')
    try {
      const [from, to] = node.ready.accounts as [Hex, Hex]
      const sending = ['send', '--json', '--legacy', '--unlocked', '--from', from, '--confirmations', '3', to]
      const sent = foundry.print('cast', ...sending)
      // It waits for none if it finds the receipt at once, so no block may come before.
      while (!isAskedFor()) await Promise.race([sent, sleep(20)])
      await request(node.url, 'evm_setIntervalMining', [200])
      const { status, blockNumber } = JSON.parse(await sent) as Receipt
      const height = Number(await foundry.print('cast', 'block-number'))
      expect(status).toBe('0x1')
      expect(height).toBeGreaterThanOrEqual(Number(blockNumber) + 2)
    } finally {
      await foundry.remove()
      await node.stop()
    }
  })
})
