/** The gas quota of senders. Times, answers and quotas are those of the recorded session q-gas-quota. */

import { expect, test } from '@jest/globals'
import { faithfulNode } from '../../../support/faithful.ts'
import { call, freshNode } from '../../../support/node.ts'

/** Init code of about the recorded size, which counts. */
const LONG = `0x${'00'.repeat(5000)}`

const USED_UP = { code: -32010, message: 'account exceeds quota' }

/** A node with quotas; `quota` is the virtual gas of an account. */
async function limited() {
  const { ask, host, send, ...rest } = await faithfulNode({ gasQuota: true })
  const quota = async (account: string): Promise<number> =>
    (await ask('debug_accountTransactionQuota', account)).availableVirtualGas
  return { ...rest, ask, host, quota, deploy: () => send({ data: LONG, gas: '0x300000', gasPrice: '0x0' }) }
}

test('the first transaction of an account is accepted and spends its quota; time gives it back', async () => {
  const { deploy, quota, host, owner } = await limited()
  expect(await deploy()).toMatch(/^0x/)
  expect(await quota(owner)).toBe(0)
  host.step(406)
  expect(await deploy()).toEqual(USED_UP)
  // 406 milliseconds of 0.9 of the block gas limit, 9,990,236, in a second.
  expect(await quota(owner)).toBeCloseTo(3_650_432.072, 3)
  host.step(2161)
  expect(await deploy()).toEqual(USED_UP)
  expect(await quota(owner)).toBeCloseTo(23_080_441.204, 3)
  // A quota grows for 2,000 seconds.
  host.step(10_000_000)
  expect(await deploy()).toMatch(/^0x/)
})

test('a small transaction costs little', async () => {
  const { ask, deploy, quota, other: from, owner: to } = await limited()
  await deploy()
  await ask('eth_sendTransaction', { from, to, value: '0x1', gas: '0x5208', gasPrice: '0x0' })
  expect(await quota(from)).toBeCloseTo(8_884_918.312, 0)
})

test.each([
  ['--faithful', { faithful: true }, false],
  ['--faithful --gas-quota false', { faithful: true, gasQuota: false }, true],
  ['--gas-quota', { gasQuota: true }, false],
  ['neither', {}, true],
])('with %s', async (_, options, isUnlimited) => {
  const node = await freshNode(options)
  const from = node.funded[0]!.address
  const deploy = () => call(node, 'eth_sendTransaction', [{ from, data: '0x00', gas: '0x300000' }])
  await deploy()
  const second = deploy().then(
    () => true,
    () => false,
  )
  expect(await second).toBe(isUnlimited)
})
