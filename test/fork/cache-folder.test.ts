import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { defaultCacheFolder } from '../../lib/fork/cache-folder.ts'

const HOME = '/home/ann'

test.each([
  ['linux', {}, '/home/ann/.cache/dev-node/fork'],
  ['linux', { XDG_CACHE_HOME: '/var/cache/ann' }, '/var/cache/ann/dev-node/fork'],
  ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/ann/.cache/dev-node/fork'],
  ['linux', { XDG_CACHE_HOME: '' }, '/home/ann/.cache/dev-node/fork'],
  ['darwin', { XDG_CACHE_HOME: '/var/cache/ann' }, '/home/ann/Library/Caches/dev-node/fork'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/dev-node/fork'],
  ['win32', {}, '/home/ann/AppData/Local/dev-node/fork'],
])('on %s with %j the fork cache is in %s', (platform, env, folder) => {
  expect(defaultCacheFolder(env, { platform, home: HOME })).toBe(folder)
})

test('the fork cache is below the home folder of the user', () => {
  expect(defaultCacheFolder({}).startsWith(join(homedir(), '/'))).toBe(true)
})
