import { describe, expect, test } from '@jest/globals'
import { checkOptions, rememberOptions } from '../../lib/testing/run-options.ts'

describe('the options of the node of a run', () => {
  const environment: NodeJS.ProcessEnv = {}
  rememberOptions({ network: 'ethereum', chainId: 5n }, environment)

  test('are those of a project that writes them in another order', () => {
    expect(() => checkOptions({ chainId: '5', network: 'ethereum' }, environment)).not.toThrow()
  })

  test.each([[{ network: 'ethereum' }], [{}], [undefined]])(
    'are not those of a project with %j',
    (options) => {
      expect(() => checkOptions(options, environment)).toThrow(
        'one node serves all projects of a run, and was started with devNode {"chainId":"5","network":"ethereum"}; this project has {',
      )
    },
  )

  test('are nothing to whoever brings a node of his own', () => {
    expect(() => checkOptions({ network: 'ethereum' }, {})).not.toThrow()
  })
})
