/** The manifest of the extension agrees with its code and with the package. */

import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import manifest from '../../../editors/vscode/package.json' with { type: 'json' }
import project from '../../../package.json' with { type: 'json' }
import { openEditor, pressF5 } from '../../support/vscode.ts'

const { contributes, engines } = manifest
const [debuggerOf] = contributes.debuggers

test('all commands of the manifest are registered, and no others', async () => {
  const { commands } = await openEditor()
  const named = contributes.commands.map(({ command }) => command)
  expect([...commands.keys()].toSorted()).toEqual(
    [...named, ...Object.values(debuggerOf!.variables)].toSorted(),
  )
})

test('the type and the language are those that the code registers', async () => {
  const { configurations, adapters, lenses } = await openEditor()
  expect([[...configurations.keys()], [...adapters.keys()]]).toEqual([[debuggerOf!.type], [debuggerOf!.type]])
  expect([...lenses.keys()]).toEqual(contributes.breakpoints.map(({ language }) => language))
  expect(contributes.languages.map(({ id }) => id)).toEqual(debuggerOf!.languages)
  expect(manifest.activationEvents).toEqual(['onLanguage:solidity', `onDebugResolve:${debuggerOf!.type}`])
})

test('the settings of the manifest are those that the code reads', async () => {
  const { readSettings, adapters } = await openEditor({ settings: { 'dev-node.path': 'dev-node' } })
  await pressF5()
  await adapters.get('dev-node')!.createDebugAdapterDescriptor({ configuration: {} } as never, undefined)
  expect([...readSettings].toSorted()).toEqual(Object.keys(contributes.configuration.properties).toSorted())
})

test('proposed configurations have only attributes that the manifest describes', () => {
  const attributes = debuggerOf!.configurationAttributes
  const proposed = [
    ...debuggerOf!.initialConfigurations,
    ...debuggerOf!.configurationSnippets.map(({ body }) => body),
  ]
  const unknown = proposed.flatMap(({ type: _type, request, name: _name, ...given }) =>
    Object.keys(given).filter((key) => !(key in attributes[request as 'launch' | 'attach'].properties)),
  )
  expect(unknown).toEqual([])
  expect(new Set(proposed.map(({ request }) => request))).toEqual(new Set(Object.keys(attributes)))
})

test('the guide has a row for each attribute', () => {
  const { launch, attach } = debuggerOf!.configurationAttributes
  const [table = ''] = /(?<=\| setting)[^]*?\n\n/.exec(readFileSync('docs/editors.md', 'utf8')) ?? []
  const rows = [...table.matchAll(/^\| (`.*?) +\|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
  const attributes = new Set([...Object.keys(launch.properties), ...Object.keys(attach.properties)])
  expect(new Set(rows)).toEqual(new Set(['request', ...attributes]))
})

test('the version is that of the package, and the oldest VS Code the one whose API is checked', () => {
  expect(manifest.version).toBe(project.version)
  expect(manifest.license).toBe(project.license)
  expect(engines.vscode).toBe(`^${project.devDependencies['@types/vscode']}`)
})

test('the README names all commands and settings', () => {
  const readme = readFileSync('editors/vscode/README.md', 'utf8')
  const names = [
    ...contributes.commands.map(({ category, title }) => `${category}: ${title}`),
    ...Object.keys(contributes.configuration.properties),
  ]
  expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})
