import { describe, expect, test } from '@jest/globals'
import { openEditor, pressF5 } from '../../support/vscode.ts'

const resolved = async (given: object) => {
  const { configurations } = await openEditor({ folder: '/project' })
  return configurations.get('dev-node')!.resolveDebugConfiguration!(undefined, given as never)
}

describe('F5 without a launch.json', () => {
  test('debugs the last failure of the folder, at the node that the adapter finds', async () => {
    const { started } = await openEditor({ folder: '/project' })
    await pressF5()
    expect(started).toEqual([
      {
        type: 'dev-node',
        request: 'launch',
        name: 'Debug last failure',
        failure: 'last',
        projectRoot: '/project',
      },
    ])
  })

  test('takes the URL of the settings', async () => {
    const url = 'http://127.0.0.1:1234/worlds/a'
    const { started } = await openEditor({ settings: { 'dev-node.url': url } })
    await pressF5()
    expect(started[0]).toMatchObject({ failure: 'last', url })
    expect(started[0]).not.toHaveProperty('projectRoot')
  })
})

describe('a configuration of launch.json', () => {
  test('with members of its own keeps them', async () => {
    const given = {
      type: 'dev-node',
      request: 'launch',
      name: 'mine',
      transaction: '0x1',
      url: 'http://127.0.0.1:1/',
      projectRoot: '/project/contracts',
      stopOnEntry: true,
    }
    expect(await resolved(given)).toEqual(given)
  })

  test.each([
    ['transaction', '0x1'],
    ['call', { to: '0x2' }],
    ['failure', 7],
  ])('with a %s debugs no other failure', async (target, value) => {
    const given = { type: 'dev-node', request: 'launch', name: 'mine', [target]: value }
    expect(await resolved(given)).toEqual({ ...given, projectRoot: '/project' })
  })

  test('that attaches has no failure', async () => {
    const given = { type: 'dev-node', request: 'attach', name: 'mine' }
    expect(await resolved(given)).toEqual({ ...given, projectRoot: '/project' })
  })

  test('without a target debugs the last failure', async () => {
    expect(await resolved({ type: 'dev-node', request: 'launch', name: 'mine' })).toMatchObject({
      name: 'mine',
      failure: 'last',
    })
  })
})
