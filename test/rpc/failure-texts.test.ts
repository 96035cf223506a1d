/** Error texts that name a remedy, and that mention gas only if more gas would help. */

import { describe, expect, test } from '@jest/globals'
import { toHex } from '../../lib/base/hex.ts'
import { creationCode } from '../support/bytecode.ts'
import { call, freshNode, refusal } from '../support/node.ts'
import { INVALID } from '../support/programs.ts'
import { COW } from '../support/signing.ts'

const CONTRACT = `0x${'cc'.repeat(20)}`
const BRIDGE = '0x0000000000000000000000000000000001000006'
const TOO_LARGE = toHex(creationCode(new Uint8Array(24_577)))
const TOO_LARGE_TEXT =
  'max code size exceeded: code size 24577, limit 24576 (--allow-unlimited-contract-size lifts the limit)'

describe.each(['network-33', 'ethereum'])('on %s', (network) => {
  test.each(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])(
    'the error of %s for a too large contract has both sizes',
    async (method) => {
      const node = await freshNode({ network })
      const from = node.funded[0]!.address
      for (const gas of [{}, { gas: '0x632ea0' }]) {
        const { message } = await refusal(node, method, [{ from, data: TOO_LARGE, ...gas }])
        expect(message).toBe(TOO_LARGE_TEXT)
      }
    },
  )

  test('a contract of that size is deployed with --allow-unlimited-contract-size', async () => {
    const node = await freshNode({ network, allowUnlimitedContractSize: true })
    await call(node, 'eth_estimateGas', [{ from: COW, data: TOO_LARGE }])
  })

  test.each(['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])(
    'the error of %s for too large creation code has both sizes',
    async (method) => {
      const node = await freshNode({ network })
      const from = node.funded[0]!.address
      const data = `0x${'00'.repeat(49_153)}`
      expect((await refusal(node, method, [{ from, data }])).message).toBe(
        'max initcode size exceeded: code size 49153, limit 49152 (--allow-unlimited-contract-size lifts the limit)',
      )
    },
  )

  test('an invalid opcode is not reported as out of gas', async () => {
    const node = await freshNode({ network })
    const params = [{ from: COW, to: CONTRACT }, 'latest', { [CONTRACT]: { code: INVALID } }]
    expect(await refusal(node, 'eth_estimateGas', params)).toEqual({
      kind: 'estimationFailed',
      message: 'invalid opcode',
    })
  })
})

test('the error for an unknown sender has the number of accounts and how to add more', async () => {
  const send = async (accounts: number) =>
    (await refusal(await freshNode({ accounts }), 'eth_sendTransaction', [{ from: CONTRACT, to: COW }]))
      .message
  expect(await send(10)).toBe(
    `unknown account ${CONTRACT}: its key is not in this node, which holds 10 accounts; --accounts <number> starts it with more, and hardhat_impersonateAccount needs no key`,
  )
  expect(await send(20)).toContain('which holds 20 accounts')
})

test('a refusal of the Bridge is not reported as out of gas', async () => {
  const node = await freshNode()
  expect(await refusal(node, 'eth_estimateGas', [{ from: COW, to: BRIDGE, data: '0xdeadbeef' }])).toEqual({
    kind: 'estimationFailed',
    message: 'Exception executing bridge: Invalid data given: deadbeef.',
  })
})
