import { expect, test } from '@jest/globals'
import { nodeOfWorld } from '../../lib/testing/node-of-world.ts'

const NODES = { DEV_NODE_URL: 'http://127.0.0.1:1', DEV_NODE_URLS: 'http://127.0.0.1:1 http://127.0.0.1:2' }

test.each([
  ['worker-1', NODES, 'http://127.0.0.1:2'],
  ['worker-2', NODES, 'http://127.0.0.1:1'],
  ['worker-13', NODES, 'http://127.0.0.1:2'],
  ['a name', NODES, 'http://127.0.0.1:1'],
  ['worker-1', { DEV_NODE_URL: 'http://127.0.0.1:3' }, 'http://127.0.0.1:3'],
  ['worker-1', {}, undefined],
])('the node of %s in %j is %s', (world, environment, url) => {
  expect(nodeOfWorld(world, environment)).toBe(url)
})
