/** forge of Foundry against the packed command: the project in the folder foundry broadcasts its scripts to both networks. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { decodeEventLog, getContractAddress, parseAbi } from 'viem'
import type { Hex } from 'viem'
import { describeFoundry, networks, openFoundry } from '../support/foundry.ts'
import type { Foundry } from '../support/foundry.ts'
import { request, startDevNode, withDialect } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'

const project = join(import.meta.dirname, 'foundry')
const DONE = 'ONCHAIN EXECUTION COMPLETE & SUCCESSFUL'

const abi = parseAbi([
  'event NumberSet(address indexed caller, uint256 number)',
  'function number() view returns (uint256)',
])

/** The part of forge's broadcast file that the tests read. */
interface Broadcast {
  readonly transactions: readonly { readonly hash: Hex; readonly contractAddress: Hex }[]
  readonly receipts: readonly { readonly status: Hex; readonly type: Hex; readonly from: Hex }[]
}

interface Log {
  readonly data: Hex
  readonly topics: [Hex, ...Hex[]]
}

describeFoundry('forge', () => {
  let foundry: Foundry
  let nodes: Readonly<Record<string, RunningNode>>

  beforeAll(async () => {
    const [ethereum, network33] = await Promise.all([
      startDevNode(['--network', 'ethereum']),
      startDevNode(['--network', 'network-33', '--predeploys']),
    ])
    nodes = { ethereum, 'network-33': network33 }
    foundry = await openFoundry({
      FOUNDRY_SOLC: join(project, 'solc.mjs'),
      ETHEREUM_URL: withDialect(ethereum.url, 'ethereum'),
      NETWORK_33_URL: withDialect(network33.url, 'ethereum'),
    })
    await cp(project, foundry.folder, { recursive: true })
    await foundry.print('forge', 'build')
  })

  afterAll(async () => {
    await foundry.remove()
    expect(await Promise.all(Object.values(nodes).map((node) => node.stop()))).toEqual([0, 0])
  })

  describe.each(networks)('on $network', ({ network, type, legacy, key }) => {
    const scriptArguments = (contract: string, args: readonly string[]) => [
      'script',
      `script/Deploy.s.sol:${contract}`,
      '--rpc-url',
      network,
      '--broadcast',
      ...legacy,
      ...args,
    ]
    const script = (contract: string, ...args: readonly string[]) =>
      foundry.print('forge', ...scriptArguments(contract, args))
    const ask = <Result>(method: string, ...params: readonly unknown[]) =>
      request<Result>(nodes[network]!.url, method, params)
    const accounts = () => nodes[network]!.ready.accounts

    async function broadcast(function_ = 'run'): Promise<Broadcast> {
      const folder = join('broadcast', 'Deploy.s.sol', String(nodes[network]!.ready.chainId))
      return JSON.parse(
        await readFile(join(foundry.folder, folder, `${function_}-latest.json`), 'utf8'),
      ) as Broadcast
    }

    /** The events of a contract: the numbers, and the accounts that set them. */
    async function numbersSet(address: Hex): Promise<[string, bigint][]> {
      const logs = await ask<Log[]>('eth_getLogs', { address, fromBlock: '0x0' })
      return logs.map(({ data, topics }) => {
        const { args } = decodeEventLog({ abi, data, topics })
        return [args.caller.toLowerCase(), args.number]
      })
    }

    test('a script signs, deploys and calls, and its event is on the chain', async () => {
      expect(await script('Deploy', '--private-key', key)).toContain(DONE)
      const { transactions, receipts } = await broadcast()
      const from = accounts()[0]
      expect(receipts).toMatchObject([
        { status: '0x1', type, from },
        { status: '0x1', type, from },
      ])
      expect(await numbersSet(transactions[0]!.contractAddress)).toEqual([[from, 42n]])
    })

    test('a script sends many transactions at once, which are mined in order', async () => {
      expect(await script('Many', '--private-key', key)).toContain(DONE)
      const { transactions } = await broadcast()
      const numbers = await numbersSet(transactions[0]!.contractAddress)
      expect(numbers.map(([, number]) => number)).toEqual(
        Array.from({ length: 24 }, (_, index) => BigInt(index + 1)),
      )
    })

    test('a script deploys with a salt', async () => {
      expect(await script('DeployWithSalt', '--private-key', key)).toContain(DONE)
      const { transactions } = await broadcast()
      expect(await numbersSet(transactions[0]!.contractAddress)).toMatchObject([[accounts()[0], 44n]])
    })

    test('create deploys, and tests run on that state', async () => {
      const sending = ['--rpc-url', network, ...legacy, '--private-key', key, '--broadcast', '--json']
      const args = ['src/Counter.sol:Counter', ...sending, '--constructor-args', '7']
      const created = JSON.parse(await foundry.print('forge', 'create', ...args)) as { deployedTo: Hex }
      await writeFile(join(foundry.folder, '.env'), `COUNTER=${created.deployedTo}`)
      expect(await foundry.print('forge', 'test', '--fork-url', network)).toContain('2 passed; 0 failed')
    })

    test('a script that asks the node for its gas has enough of it', async () => {
      expect(await script('CountUp', '--private-key', key, '--skip-simulation')).toContain(DONE)
    })

    if (network === 'network-33') {
      test('a script whose gas is that of Ethereum says which transaction failed', async () => {
        const args = scriptArguments('CountUp', ['--private-key', key])
        const failure = await foundry.complain('forge', ...args)
        const [, hash] = /Transaction Failure: (0x\w{64})/.exec(failure) ?? []
        expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' })
      })

      test('a contract that a contract creates does not have the address that forge expects', async () => {
        await script('Make', '--private-key', key, '--skip-simulation')
        const factory = (await broadcast()).transactions[0]!.contractAddress
        const made = await ask<Hex>('eth_getStorageAt', factory, '0x0', 'latest')
        expect(made.slice(-40)).toBe(getContractAddress({ from: factory, nonce: 0n }).slice(2).toLowerCase())
      })
    }
  })
})
