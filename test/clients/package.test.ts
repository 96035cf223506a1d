/** What the installed package exports besides the node. */
import { expect, test } from '@jest/globals'
import { createRequire } from 'node:module'
import { nativeAddresses, nativeInterfaces } from '../../lib/evm/precompiles/interfaces.ts'
import { commandPath } from '../support/packed-command.ts'

test('native-contracts.json holds the constants', async () => {
  const installed: unknown = createRequire(await commandPath())('dev-node/native-contracts.json')
  expect(installed).toEqual({ addresses: nativeAddresses, interfaces: nativeInterfaces })
}, 180_000)
