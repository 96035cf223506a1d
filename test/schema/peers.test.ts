/** Params that name peers. */

import { expect, test } from '@jest/globals'
import { bannableAddress } from '../../lib/schema/peers.ts'

test.each([
  '192.168.51.1',
  '192.168.51.1/16',
  '10.0.0.1/32',
  '2001:db8::1',
  '2001:db8::/32',
  '::ffff:10.0.0.1',
])('%s can be banned', (text) => {
  expect(bannableAddress.safeParse(text).success).toBe(true)
})

test.each([
  ['nothing', ''],
  ['a host name, which is not resolved', 'example.org'],
  ['loopback', '127.0.0.1'],
  ['loopback, as IPv6', '::1'],
  ['loopback, long', '0:0:0:0:0:0:0:1'],
  ['loopback, mapped', '::ffff:127.0.0.1'],
  ['the wildcard', '0.0.0.0'],
  ['the wildcard, as IPv6', '::'],
  ['a part that is too large', '10.0.0.256'],
  ['a mask that is too long', '10.0.0.1/33'],
  ['a mask of nothing', '10.0.0.1/0'],
  ['an empty mask', '10.0.0.1/'],
  ['two masks', '10.0.0.1/8/8'],
  ['a blank', ' 10.0.0.1'],
])('%s cannot', (_, text) => {
  expect(bannableAddress.safeParse(text).success).toBe(false)
})
