import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { openEditor } from '../../support/vscode.ts'

/** What is started for a session in a folder. */
const adapterIn = async (folder: string, path = '') => {
  const { adapters } = await openEditor({ settings: { 'dev-node.path': path } })
  const session = { configuration: { projectRoot: folder } } as never
  return adapters.get('dev-node')!.createDebugAdapterDescriptor(session, undefined)
}

async function withPackage(test: (folder: string, script: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-editor-'))
  try {
    const script = join(folder, 'node_modules/dev-node/dist/dev-node.cjs')
    await mkdir(join(script, '..'), { recursive: true })
    await mkdir(join(folder, 'packages/contracts'), { recursive: true })
    await writeFile(script, '')
    await test(folder, script)
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe('the package of the workspace', () => {
  test.each(['.', 'packages/contracts'])('is found from the folder %s', (inner) =>
    withPackage(async (folder, script) => {
      const cwd = join(folder, inner)
      expect(await adapterIn(cwd)).toEqual({
        command: 'node',
        args: [script, 'debug-adapter'],
        options: { cwd },
      })
    }),
  )

  test('is missing: the error says how to get it', async () => {
    await expect(adapterIn('/nowhere')).rejects.toThrow(
      'dev-node is not installed in /nowhere: npm install --save-dev dev-node, or name the command in the setting dev-node.path',
    )
  })
})

describe('the setting dev-node.path', () => {
  test.each([
    ['a command of the system', 'dev-node', 'dev-node', ['debug-adapter']],
    ['a command', '/opt/dev-node', '/opt/dev-node', ['debug-adapter']],
    ['a command from the folder on', './bin/dev-node', '/project/bin/dev-node', ['debug-adapter']],
    ['a script', '../dist/dev-node.cjs', 'node', ['/dist/dev-node.cjs', 'debug-adapter']],
  ])('names %s', async (_case, path, command, args) => {
    expect(await adapterIn('/project', path)).toEqual({ command, args, options: { cwd: '/project' } })
  })
})
