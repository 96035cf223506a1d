/** Explanations over HTTP: the artifacts of every tool give the same one. */

import { describe, expect, test } from '@jest/globals'
import { ContractFactory } from 'ethers'
import { foundry, hardhat2, hardhat3, truffle } from '../../support/artifact-projects.ts'
import { PATH, compiledAs, failed, lineOf, plain, withShop } from '../../support/shop.ts'
import type { Explained } from '../../support/shop.ts'

const gasLimit = 500_000

/** The steps of a call in short. */
const steps = (call: Explained['call']): readonly unknown[] =>
  call.steps.map((step) => {
    if ('console' in step) return step.console
    if ('event' in step) return [step.event.event, step.event.values?.map(({ value }) => value)]
    const { contract, function: name, status, isCaught = false } = step.call
    return [`${contract}.${name}`, status, isCaught, steps(step.call)]
  })

describe.each([
  ['Hardhat 2', () => hardhat2(plain)],
  ['Hardhat 3', () => hardhat3(compiledAs('project/'))],
  ['Foundry', () => foundry(plain)],
  ['Truffle', () => truffle(compiledAs('project:/'))],
])('explanations with artifacts of %s', (tool, files) => {
  test('a success has names, arguments, events, console output and changes of variables', async () => {
    await withShop(files(), async ({ shop, token, buyer, explain }) => {
      const explained = await explain(shop['buy']!(2))
      const [at, spender] = [await token.getAddress(), await shop.getAddress()]
      expect(explained).toMatchObject({ status: 'success' })
      expect(explained.stack).toBeUndefined()
      expect(explained.call).toMatchObject({
        kind: 'call',
        contract: 'Shop',
        function: 'buy(uint256)',
        arguments: [{ name: 'count', type: 'uint256', value: '2' }],
      })
      const moved = ['Transfer(address,address,uint256)', [buyer, spender, '200']]
      expect(steps(explained.call)).toEqual([
        'sold 0',
        ['Token.transferFrom(address,address,uint256)', 'success', false, [moved]],
      ])
      const address = at.toLowerCase()
      expect(explained.tokens).toEqual([
        { token: address, from: buyer.toLowerCase(), to: spender.toLowerCase(), amount: '0xc8' },
      ])
      // Only the artifacts of Hardhat and Foundry have the layout of the storage.
      const variables = explained.storage.map(({ variable, before, after }) => [variable, before, after])
      const [b, s] = [buyer.toLowerCase(), spender.toLowerCase()]
      if (tool === 'Truffle')
        expect(variables.map(([variable]) => variable)).toEqual(Array(4).fill(undefined))
      else
        expect(variables).toEqual([
          ['sold', '0', '2'],
          [`allowances[${b}][${s}]`, '5000', '4800'],
          [`balances[${b}]`, '1000', '800'],
          [`balances[${s}]`, '0', '200'],
        ])
    })
  })

  test('a failure has the reason and the Solidity stack over both contracts', async () => {
    await withShop(files(), async ({ shop, buyer, explain }) => {
      const explained = await explain(failed(shop, 'buy', 30))
      expect(explained.reason).toEqual({
        kind: 'custom error',
        message: `reverted with custom error 'TooPoor(${buyer}, 1000, 3000)'`,
      })
      expect(explained.stack?.map(({ contract, function: name, line }) => [contract, name, line])).toEqual([
        ['Token', '_move', lineOf('revert TooPoor')],
        ['Token', 'transferFrom', lineOf('_move(from, to, value);')],
        ['Shop', 'buy', lineOf('require(token.transferFrom')],
      ])
      expect(explained.stack?.[0]).toMatchObject({
        file: PATH,
        excerpt: 'if (balances[from] < value) revert TooPoor(from, balances[from], value);',
      })
      expect(explained.storage).toEqual([])
    })
  })
})

describe('explanations', () => {
  test('a caught failure is marked', async () => {
    await withShop(hardhat2(plain), async ({ shop, explain }) => {
      const explained = await explain(shop['tryBuy']!(40, { gasLimit }))
      expect(explained.status).toBe('success')
      expect(explained.call.results).toEqual([{ name: '', type: 'bool', value: false }])
      const inner = ['Token.transferFrom(address,address,uint256)', 'reverted', false, []]
      expect(steps(explained.call)).toEqual([['Shop.buy(uint256)', 'reverted', true, ['sold 0', inner]]])
    })
  })

  test('a deployment has the arguments of the constructor', async () => {
    await withShop(hardhat2(plain), async ({ shop, token, explain }) => {
      const { abi, evm } = plain.output.contracts[PATH]!['Token']!
      const factory = new ContractFactory(abi as never, evm.bytecode.object, token.runner)
      const deployed = await factory.deploy(7)
      const { call, storage } = await explain(Promise.resolve(deployed.deploymentTransaction()!))
      expect(call).toMatchObject({
        kind: 'create',
        contract: 'Token',
        function: 'constructor',
        arguments: [{ name: 'supply', type: 'uint256', value: '7' }],
      })
      expect(storage.map(({ variable, type, after }) => [variable, type, after])).toEqual([
        ['name', 'string', '"Coin"'],
        ['decimals', 'uint8', '18'],
        [expect.stringMatching(/^balances\[0x/), 'uint256', '7'],
      ])
      expect(await shop.getAddress()).not.toBe(await deployed.getAddress())
    })
  })

  test('variables that share a slot are told apart', async () => {
    await withShop(hardhat2(plain), async ({ token, explain }) => {
      const { storage } = await explain(token['pause']!())
      expect(storage).toMatchObject([{ variable: 'paused', type: 'bool', before: 'false', after: 'true' }])
    })
  })

  test('calls are explained as transactions are', async () => {
    await withShop(hardhat2(plain), async ({ shop, buyer, explainCall }) => {
      const data = shop.interface.encodeFunctionData('buy', [30])
      const explained = await explainCall({ from: buyer, to: await shop.getAddress(), data })
      expect(explained.stack).toHaveLength(3)
      const unknown = await explainCall({ to: await shop.getAddress(), data: '0x12345678' })
      expect(unknown.reason?.message).toBe(
        "function selector was not recognized and there's no fallback function",
      )
    })
  })

  test('without artifacts the tree has addresses and data, and the stack the address', async () => {
    const files = [['artifacts/empty.json', {}]] as const
    await withShop(files, async ({ shop, explain }) => {
      const explained = await explain(failed(shop, 'buy', 30))
      const address = (await shop.getAddress()).toLowerCase()
      expect(explained.call).toMatchObject({ to: address, status: 'reverted' })
      expect(explained.call.contract).toBeUndefined()
      expect(explained.reason?.message).toMatch(
        /^reverted with an unrecognized custom error \(return data: 0x/,
      )
      expect(explained.stack?.at(-1)).toEqual({ address })
    })
  })
})
