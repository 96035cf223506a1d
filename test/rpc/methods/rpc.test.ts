/** The list of modules. */

import { expect, test } from '@jest/globals'
import { allMethods } from '../../../lib/rpc/methods/all.ts'
import { moduleOf } from '../../../lib/rpc/registry.ts'
import { call, freshNode } from '../../support/node.ts'

test('rpc_modules returns the module of every method with version 1.0', async () => {
  const modules = await call(await freshNode(), 'rpc_modules')
  expect(new Set(Object.keys(modules))).toEqual(new Set(allMethods.methods.map(({ name }) => moduleOf(name))))
  expect(new Set(Object.values(modules))).toEqual(new Set(['1.0']))
})
