import { describe, expect, test } from '@jest/globals'
import { documentOf, openEditor } from '../../support/vscode.ts'
import type { Editor } from '../../support/vscode.ts'

const HASH = `0x${'1Ab2'.repeat(16)}`
const OTHER = `0x${'cd'.repeat(32)}`

const run = async (command: string, given: Partial<Editor>, ...args: readonly unknown[]) => {
  const editor = await openEditor(given)
  await editor.commands.get(command)!(...args)
  return editor.started
}

describe('Debug transaction', () => {
  const command = 'dev-node.debugTransaction'
  const text = `  at block 5: '${HASH}' failed`

  test.each([
    ['the cursor is in', text.indexOf('1Ab2') + 5],
    ['is selected up to its end', text.indexOf("' failed")],
  ])('takes the hash that %s', async (_case, cursor) => {
    const shown = documentOf('/project/log.txt', text)
    expect(await run(command, { shown, cursor, clipboard: OTHER })).toEqual([
      {
        type: 'dev-node',
        request: 'launch',
        name: 'Transaction 0x1Ab21Ab2',
        transaction: HASH,
        stopOnEntry: true,
      },
    ])
  })

  test('asks elsewhere, and proposes the hash of the clipboard', async () => {
    const shown = documentOf('/project/log.txt', text)
    const answer = ({ value }: { value?: string }) => value
    const started = await run(command, { shown, cursor: 0, clipboard: ` ${OTHER}\n`, answer })
    expect(started).toMatchObject([{ transaction: OTHER }])
  })

  test('proposes no other text of the clipboard', async () => {
    const proposed: unknown[] = []
    const answer = ({ value }: { value?: string }) => void proposed.push(value)
    expect(await run(command, { clipboard: 'secret', answer })).toEqual([])
    expect(proposed).toEqual([''])
  })

  test('takes a hash with spaces around it, and nothing that is not a hash', async () => {
    expect(await run(command, { answer: () => ` ${HASH} ` })).toMatchObject([{ transaction: HASH }])
    expect(await run(command, { answer: () => HASH.slice(0, 10) })).toEqual([])
  })

  test('configurations of launch.json ask by a variable', async () => {
    const { commands } = await openEditor({ answer: () => HASH })
    expect(await commands.get('dev-node.askTransaction')!()).toBe(HASH)
  })
})

test('Debug last failure', async () => {
  expect(await run('dev-node.debugFailure', { folder: '/project' })).toEqual([
    { type: 'dev-node', request: 'launch', name: 'Last failure', failure: 'last', projectRoot: '/project' },
  ])
})

test('Attach to test run, at the URL of the settings', async () => {
  const url = 'http://127.0.0.1:8545/'
  const given = { folder: '/project', settings: { 'dev-node.url': url } }
  expect(await run('dev-node.attach', given)).toEqual([
    { type: 'dev-node', request: 'attach', name: 'Test run', url, projectRoot: '/project' },
  ])
})
