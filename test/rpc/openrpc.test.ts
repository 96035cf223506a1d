/** The errors in the OpenRPC description. */

import { expect, test } from '@jest/globals'
import { allMethods } from '../../scripts/all-methods.ts'
import { openRpcDocument } from '../../lib/rpc/openrpc.ts'
import { errorResult } from '../../lib/schema/report-results.ts'
import { hardhat2 } from '../support/artifact-projects.ts'
import { answerOf } from '../support/server.ts'
import { plain, withShop } from '../support/shop.ts'

const document = openRpcDocument(allMethods) as any

const described = (name: string) => document.methods.find((method: any) => method.name === name)

test('names the codes of a method in all dialects, each once', () => {
  expect(described('eth_call').errors).toEqual(
    expect.arrayContaining([
      { code: -32602, message: 'invalid params, invalid transaction, init code too large' },
      { code: -32015, message: 'reverted, execution failed' },
      { code: 3, message: 'reverted, execution failed' },
    ]),
  )
  for (const { errors } of document.methods) {
    const codes = errors.map(({ code }: any) => code)
    expect(new Set(codes).size).toBe(codes.length)
  }
})

test('describes the members of errors', () => {
  const { $ref } = described('eth_sendTransaction')['x-error-schema']
  const schema = $ref
    .slice(2)
    .split('/')
    .reduce((found: any, name: string) => found[name], document)
  expect(Object.keys(schema.properties)).toEqual([
    'code',
    'message',
    'data',
    'txHash',
    'solidityStack',
    'explain',
    'crossCheck',
    'cause',
  ])
  expect(schema.required).toEqual(['code', 'message'])
  expect(schema.properties.solidityStack.items.properties).toHaveProperty('line')
})

test.each(['node33', 'hardhat', 'ethereum'] as const)(
  'errors have that form and these codes in the dialect %s',
  async (dialect) => {
    await withShop(
      hardhat2(plain),
      async ({ url, shop, buyer }) => {
        const data = shop.interface.encodeFunctionData('buy', [30])
        const request = { from: buyer, to: await shop.getAddress(), data, gas: '0x7a120' }
        for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction']) {
          const { error } = await answerOf(url, method, [request])
          if (dialect === 'ethereum' && method === 'eth_sendTransaction') continue
          expect(errorResult.parse(error)).toHaveProperty('solidityStack')
          expect(described(method).errors.map(({ code }: any) => code)).toContain(error.code)
        }
      },
      { dialect },
    )
  },
)
