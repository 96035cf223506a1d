/** Where the predeployed entry points of ERC-4337 come from: the creation code of their npm packages, at their public addresses. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { call, freshNode } from '../support/node.ts'
import { ENTRY_POINT_PACKAGES } from '../support/packages.ts'
import { packagesFolder } from '../support/packed-command.ts'

const PROXY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Salts of the public deployments: with these, the proxy makes the public addresses. */
const SALTS = {
  'entry-point-0.6': `0x${'00'.repeat(32)}`,
  'entry-point-0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  'entry-point-0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
}

interface Predeploy {
  readonly address: string
  readonly nonce: number
  readonly code: string
  readonly storage?: Readonly<Record<string, string>>
}

const predeploys: readonly Predeploy[] = JSON.parse(readFileSync('fixtures/predeploys-erc4337.json', 'utf8'))

test('their deployment makes the same accounts', async () => {
  const folder = await packagesFolder(ENTRY_POINT_PACKAGES)
  const node = await freshNode({ network: 'ethereum' })
  const [from] = await call(node, 'eth_accounts')
  for (const [name, salt] of Object.entries(SALTS)) {
    const file = join(folder, 'node_modules', name, 'artifacts', 'EntryPoint.json')
    const { bytecode } = JSON.parse(readFileSync(file, 'utf8'))
    await call(node, 'eth_sendTransaction', [
      { from, to: PROXY, data: `${salt}${bytecode.slice(2)}`, gas: '0x989680' },
    ])
  }
  expect(predeploys).toHaveLength(6)
  for (const { address, nonce, code, storage = {} } of predeploys) {
    expect(await call(node, 'eth_getCode', [address, 'latest'])).toBe(code)
    expect(Number(await call(node, 'eth_getTransactionCount', [address, 'latest']))).toBe(nonce)
    const range = await call(node, 'debug_storageRangeAt', ['latest', 1, address, '0x00', 10])
    const slots = Object.values<{ key: string; value: string }>(range.storage)
    const found = slots.map(({ key, value }) => [Number(key), Number(value)])
    expect(found).toEqual(Object.entries(storage).map(([key, value]) => [Number(key), Number(value)]))
  }
  await node.close()
})
