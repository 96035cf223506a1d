/** `npm run build:vscode` packs the extension as VS Code installs it. */

import { execFile } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from '@jest/globals'
import { strFromU8, unzipSync } from 'fflate'
import manifest from '../../../editors/vscode/package.json' with { type: 'json' }
import * as vscode from '../../support/vscode.ts'

const FOLDER = 'editors/vscode/dist'

let files: Readonly<Record<string, string>>

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'build:vscode'])
  const [packed, ...others] = readdirSync(FOLDER).filter((name) => name.endsWith('.vsix'))
  expect([packed, others]).toEqual([`${manifest.name}-${manifest.version}.vsix`, []])
  const zip = unzipSync(readFileSync(`${FOLDER}/${packed}`), { filter: ({ name }) => !name.endsWith('/') })
  files = Object.fromEntries(Object.entries(zip).map(([name, content]) => [name, strFromU8(content)]))
})

test('it has the files that VS Code reads, and no others', () => {
  expect(Object.keys(files).toSorted()).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/README.md',
    'extension/dist/extension.cjs',
    'extension/package.json',
  ])
  expect(JSON.parse(files['extension/package.json']!)).toEqual(manifest)
  expect(`extension/${manifest.main.replace('./', '')}`).toBe('extension/dist/extension.cjs')
})

test('its manifest names the extension, and every file that it names is there', () => {
  const text = files['extension.vsixmanifest']!
  expect(text).toContain(
    `<Identity Language="en-US" Id="solidity-debugger" Version="${manifest.version}" Publisher="dev-node" />`,
  )
  const named = [...text.matchAll(/ Path="(.*?)"|<License>(.*?)</g)].map(
    ([, path, license]) => path ?? license!,
  )
  expect(named).toHaveLength(4)
  expect(named.filter((name) => !(name in files))).toEqual([])
  const types = files['[Content_Types].xml']!
  const untyped = Object.keys(files).filter((name) => !types.includes(`".${name.split('.').pop()}"`))
  expect(untyped).toEqual(['[Content_Types].xml'])
})

test('its script needs VS Code and Node alone, and registers all commands', () => {
  const editorCommands: string[] = []
  const api = {
    ...vscode,
    commands: { registerCommand: (name: string) => void editorCommands.push(name) },
  }
  const load = createRequire(import.meta.url)
  const isNodes = (name: string) => name.startsWith('node:')
  const loaded: Record<string, unknown> = {}
  const module = { exports: {} as { activate: (context: object) => void } }
  const require = (name: string): unknown =>
    (loaded[name] = name === 'vscode' ? api : isNodes(name) ? load(name) : undefined)
  const names = { module, exports: module.exports, require, process }
  runInNewContext(files['extension/dist/extension.cjs']!, names)
  module.exports.activate({ subscriptions: [] })
  expect(Object.keys(loaded).filter((name) => !isNodes(name))).toEqual(['vscode'])
  expect(editorCommands).toEqual(
    expect.arrayContaining(manifest.contributes.commands.map(({ command }) => command)),
  )
})
