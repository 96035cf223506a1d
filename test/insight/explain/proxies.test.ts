/** Calls through the proxies and clones of OpenZeppelin are explained by the contract behind them. */

import { describe, expect, test } from '@jest/globals'
import { Chalk } from 'chalk'
import { toHex } from 'viem'
import { explanationLines } from '../../../lib/cli/explanation-lines.ts'
import { withLedger } from '../../support/ledger.ts'
import type { LedgerScene } from '../../support/ledger.ts'
import type { Explained } from '../../support/shop.ts'

/** Deploys what stands before a ledger; the address to call. */
type Proxy = (scene: LedgerScene, ledger: string) => Promise<string>

const initializer = ({ at, user }: LedgerScene, ledger: string): string =>
  at(ledger).interface.encodeFunctionData('initialize', [user])

const initialized = async (scene: LedgerScene, address: string): Promise<string> => {
  await scene.at(address)['initialize']!(scene.user)
  return address
}

const cloned =
  (name: string): Proxy =>
  async (scene, ledger) => {
    const cloner = scene.at(await scene.deploy('Cloner'), 'Cloner')
    const { call } = await scene.explain(cloner[name]!(ledger) as Promise<{ hash: string }>)
    const clone = call.steps.flatMap((step) => ('event' in step ? (step.event.values ?? []) : []))[0]
    return initialized(scene, clone?.value as string)
  }

const PROXIES: readonly (readonly [title: string, contract: string | undefined, proxy: Proxy])[] = [
  [
    'UUPS',
    'ERC1967Proxy',
    (scene, ledger) => scene.deploy('ERC1967Proxy', ledger, initializer(scene, ledger)),
  ],
  [
    'transparent',
    'TransparentUpgradeableProxy',
    (scene, ledger) =>
      scene.deploy('TransparentUpgradeableProxy', ledger, scene.user, initializer(scene, ledger)),
  ],
  [
    'beacon',
    'BeaconProxy',
    async (scene, ledger) => {
      const beacon = await scene.deploy('UpgradeableBeacon', ledger, scene.user)
      return scene.deploy('BeaconProxy', beacon, initializer(scene, ledger))
    },
  ],
  ['clone', undefined, cloned('clone')],
  ['clone with arguments', undefined, cloned('cloneWithArguments')],
  ['clone that can be upgraded', undefined, cloned('cloneUpgradeable')],
  [
    'proxy of a clone',
    'ERC1967Proxy',
    async (scene, ledger) => {
      const clone = await cloned('clone')(scene, ledger)
      return scene.deploy('ERC1967Proxy', clone, initializer(scene, ledger))
    },
  ],
]

async function withProxy(proxy: Proxy, run: (scene: LedgerScene, address: string) => Promise<void>) {
  await withLedger(async (scene) => run(scene, await proxy(scene, await scene.deploy('Ledger'))))
}

/** The events of a call and of its calls. */
const eventsIn = ({ steps }: Explained['call']): readonly unknown[] =>
  steps.flatMap((step) => {
    if ('call' in step) return eventsIn(step.call)
    return 'event' in step ? [[step.event.event, step.event.values?.map(({ value }) => value)]] : []
  })

describe.each(PROXIES)('%s', (_title, contract, proxy) => {
  test('the call has the function, arguments and results of the contract behind it', async () => {
    await withProxy(proxy, async ({ at, user, explain }, address) => {
      const explained = await explain(at(address)['enter']!(7) as Promise<{ hash: string }>)
      const { call, storage } = explained
      expect(call.contract).toBe(contract)
      expect(explanationLines(explained, new Chalk({ level: 0 }))[2]).toMatch(
        'call Ledger (proxy).enter(amount: 7) → total: 7 ',
      )
      expect(call).toMatchObject({
        implementation: 'Ledger',
        function: 'enter(uint256)',
        arguments: [{ name: 'amount', type: 'uint256', value: '7' }],
        results: [{ name: 'total', type: 'uint256', value: '7' }],
      })
      expect(eventsIn(call)).toEqual([['Entered(address,uint256)', [user, '7']]])
      expect(storage).toMatchObject([
        {
          address: address.toLowerCase(),
          variable: `entries[${user.toLowerCase()}]`,
          before: '0',
          after: '7',
        },
      ])
    })
  })

  test('a failure behind it has the stack of the contract', async () => {
    await withProxy(proxy, async ({ at, explainCall }, address) => {
      const data = at(address).interface.encodeFunctionData('enter', [101])
      const { call, reason, stack } = await explainCall({ to: address, data })
      expect(call).toMatchObject({ implementation: 'Ledger', function: 'enter(uint256)', status: 'reverted' })
      expect(reason?.message).toBe("reverted with custom error 'TooLarge(101)'")
      expect(stack?.[0]).toMatchObject({ contract: 'Ledger', function: 'enter' })
    })
  })

  test('a call that ends before the contract is called has its function too', async () => {
    await withProxy(proxy, async ({ at, explainCall }, address) => {
      const data = at(address).interface.encodeFunctionData('enter', [1])
      // A beacon is asked first, which takes more gas.
      const gas = toHex(contract === 'BeaconProxy' ? 28_900 : 22_000)
      const { call } = await explainCall({ to: address, data, gas })
      expect(call.status).toBe('failed')
      expect(call.steps.filter((step) => 'call' in step && step.call.kind === 'delegatecall')).toEqual([])
      expect(call).toMatchObject({
        implementation: 'Ledger',
        function: 'enter(uint256)',
        arguments: [{ name: 'amount', value: '1' }],
      })
    })
  })
})

describe('proxies', () => {
  test('functions of the proxy itself are its own', async () => {
    await withProxy(PROXIES[1]![2], async ({ deploy, at, explain }, address) => {
      const [admin] = (await at(address, 'TransparentUpgradeableProxy').queryFilter('AdminChanged')) as any
      const next = await deploy('Ledger')
      const sent = at(admin.args.newAdmin, 'ProxyAdmin')['upgradeAndCall']!(address, next, '0x')
      const { call, storage } = await explain(sent as Promise<{ hash: string }>)
      expect(call).toMatchObject({
        contract: 'ProxyAdmin',
        function: 'upgradeAndCall(address,address,bytes)',
      })
      expect(call).not.toHaveProperty('implementation')
      const [step] = call.steps
      expect(step).toMatchObject({ call: { contract: 'TransparentUpgradeableProxy' } })
      expect(step).not.toHaveProperty('call.implementation')
      expect(storage).toMatchObject([
        { variable: 'eip1967.proxy.implementation', type: 'address', after: next.toLowerCase() },
      ])
    })
  })

  test('a deployment has the changes of the contract behind the proxy', async () => {
    await withLedger(async (scene) => {
      const ledger = await scene.deploy('Ledger')
      await scene.deploy('ERC1967Proxy', ledger, initializer(scene, ledger))
      const block = await scene.send('eth_getBlockByNumber', ['latest', false])
      const { storage } = await scene.explain(Promise.resolve({ hash: block.transactions[0] }))
      expect(storage.map(({ variable, after }) => [variable, after])).toEqual(
        expect.arrayContaining([
          ['eip1967.proxy.implementation', ledger.toLowerCase()],
          ['owner', scene.user.toLowerCase()],
        ]),
      )
    })
  })

  test('a contract that is named at the address of a proxy gives its functions', async () => {
    await withLedger(async (scene) => {
      const { deploy, at, send, explainCall } = scene
      const ledger = await deploy('Ledger')
      const proxy = await deploy('ERC1967Proxy', ledger, initializer(scene, ledger))
      await send('hardhat_setCode', [ledger, '0x600160005260206000f3'])
      const abi = [
        { type: 'function', name: 'enter', inputs: [{ type: 'uint256', name: 'many' }], outputs: [] },
      ]
      await send('dev_addContract', [proxy, { name: 'Named', abi }])
      const data = at(proxy).interface.encodeFunctionData('enter', [4])
      expect((await explainCall({ to: proxy, data })).call).toMatchObject({
        contract: 'ERC1967Proxy',
        implementation: 'Named',
        arguments: [{ name: 'many', value: '4' }],
      })
    })
  })
})
