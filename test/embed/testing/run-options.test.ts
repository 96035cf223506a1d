import { describe, expect, test } from '@jest/globals'
import { checkOptions, nodeOfWorld, rememberOptions } from '../../../lib/embed/testing/run-options.ts'

describe('the options of the node of a run', () => {
  const environment: NodeJS.ProcessEnv = {}
  rememberOptions({ network: 'ethereum', chainId: 5n }, environment)

  test('equal those of a project in another order', () => {
    expect(() => checkOptions({ chainId: '5', network: 'ethereum' }, environment)).not.toThrow()
  })

  test.each([[{ network: 'ethereum' }], [{}], [undefined]])(
    'differ from those of a project with %j',
    (options) => {
      expect(() => checkOptions(options, environment)).toThrow(
        'one node serves all projects of a run, and was started with devNode {"chainId":"5","network":"ethereum"}; this project has {',
      )
    },
  )

  test('are ignored for a node of the user', () => {
    expect(() => checkOptions({ network: 'ethereum' }, {})).not.toThrow()
  })
})

test('an error about options hides the secrets of a remote', () => {
  const environment: Record<string, string | undefined> = {}
  const forkUrl = 'https://user:word@node.test/key?token=1'
  rememberOptions({ forkUrl, forkHeaders: ['x-api-key: secret'] }, environment)
  expect(() => checkOptions({ forkUrl: `${forkUrl}2` }, environment)).toThrow(
    'devNode {"forkHeaders":"...","forkUrl":"https://node.test"}; this project has {"forkUrl":"https://node.test"}: ',
  )
})

const NODES = { DEV_NODE_URL: 'http://127.0.0.1:1', DEV_NODE_URLS: 'http://127.0.0.1:1 http://127.0.0.1:2' }

test.each([
  ['worker-1', NODES, 'http://127.0.0.1:2'],
  ['worker-2', NODES, 'http://127.0.0.1:1'],
  ['worker-13', NODES, 'http://127.0.0.1:2'],
  ['a name', NODES, 'http://127.0.0.1:1'],
  ['worker-1', { DEV_NODE_URL: 'http://127.0.0.1:3' }, 'http://127.0.0.1:3'],
  ['two', { DEV_NODE_URL: 'http://127.0.0.1:3/key/w/worker-1' }, 'http://127.0.0.1:3/key'],
  ['worker-1', {}, undefined],
])('the node of %s in %j is %s', (world, environment, url) => {
  expect(nodeOfWorld(world, environment)).toBe(url)
})
