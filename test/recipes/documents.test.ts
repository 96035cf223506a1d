/** Code of the documents: every block is run by a test, and those that only start the node or describe a chain are run here. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { codeBlocks, headings, recipe, runShell } from '../support/recipes.ts'
import type { CodeBlock } from '../support/recipes.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { commandPath, request, startDevNode } from '../support/packed-command.ts'

const GUIDES = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const isInternal = (file: string): boolean => file.startsWith('docs/internal/')
/** Without the notes on the reference node, which quote another program. */
const blocks = GUIDES.filter((file) => !file.startsWith('docs/internal/reference/')).flatMap(codeBlocks)

const START = 'npx dev-node start'
const isStart = ({ language, code }: { language: string; code: string }): boolean =>
  language === 'sh' && code.startsWith(START) && !code.includes('--fork-') && !code.includes('--coverage')

let project: Project

beforeAll(async () => {
  project = await createProject()
})

afterAll(() => project.remove())

test('every block of the guides is run by a test', () => {
  const tests = readdirSync(import.meta.dirname)
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join('')
    .replaceAll(/\s+/g, ' ')
  const isRun = ({ place, language }: CodeBlock) => tests.includes(`'${place}', '${language}'`)
  const others = blocks.filter((block) => block.language !== 'text' && !isStart(block))
  expect(others.filter((block) => !isRun(block))).toEqual([])
})

test('every block of the README is one of a guide, or a command of this checkout', () => {
  const others = codeBlocks('README.md').filter(({ code }) => !blocks.some((block) => block.code === code))
  expect(others.map(({ code }) => code)).toEqual([
    expect.stringMatching(
      /^npm install --save-dev \.\/dev-node-0\.2\.0\.tgz #.*\nnpx dev-node init .*\nnpx dev-node show .*\n$/,
    ),
    'npm ci && npx dev-node start\n',
    'npm ci && npm test\n',
  ])
})

const linksOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)"]+)[)"]/g)].map(([, link]) =>
    link!.startsWith('#') ? `${file}${link}` : join(file, '..', link!),
  )

test('every link and every picture leads to a file or a heading', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'examples/README.md',
    ...GUIDES,
  ]
  const places = new Set(documents.flatMap((file) => [file, ...headings(file)]))
  expect(documents.flatMap(linksOf).filter((place) => !places.has(place) && !existsSync(place))).toEqual([])
})

test('the documents for users link to no internal document, which the package does not have', () => {
  const links = GUIDES.filter((file) => !isInternal(file)).flatMap(linksOf)
  expect(links.filter(isInternal)).toEqual([])
})

test('the contents name every page for users, and the guides for those who move name options that exist', () => {
  const pages = GUIDES.filter((file) => !isInternal(file) && file !== 'docs/README.md')
  const named = new Set(linksOf('docs/README.md').map((place) => place.split('#')[0]))
  expect(pages.filter((file) => !named.has(file))).toEqual([])
  const options = readFileSync('docs/options.md', 'utf8')
  const moves = pages.filter((file) => file.startsWith('docs/how-to/from-'))
  const rows = moves.flatMap((file) => readFileSync(file, 'utf8').match(/^\|.*\|$/gm) ?? [])
  const ours = rows.flatMap(
    (row) =>
      row
        .split('|')
        .at(-2)
        ?.match(/--[a-z][a-z-]+/g) ?? [],
  )
  expect(ours.length).toBeGreaterThan(50)
  expect(
    ours.filter((flag) => !options.includes(`\`${flag}`) && !['--last', '--detach'].includes(flag)),
  ).toEqual([])
})

const starts = [...new Set(blocks.filter(isStart).map(({ code }) => code.trim()))].map((line) =>
  line.slice(START.length).trim(),
)

test.each(starts.filter((line) => line !== '--help'))('npx dev-node start %s', async (line) => {
  // @ethereumjs/vm does not have the rules of the next hard fork.
  const environment = line.includes('amsterdam') ? { DEV_NODE_CROSS_CHECK: 'false' } : {}
  const node = await startDevNode(line === '' ? [] : line.split(' '), environment, project.folder)
  expect(await request(node.url, 'eth_blockNumber')).toBe('0x0')
  expect(await node.stop()).toBe(0)
})

test('npx dev-node start --help', async () => {
  const { exitCode, output } = await runShell(`"${await commandPath()}" start --help`, project.folder)
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('--network') })
})

test('an error as a line for programs', async () => {
  const [documented = ''] = recipe('docs/troubleshooting.md#troubleshooting', 'json', 'http://127.0.0.1')
  const node = await startDevNode([], {}, project.folder)
  const { port } = new URL(node.url)
  const { output } = await runShell(`"${await commandPath()}" start --json --port ${port}`, project.folder)
  await node.stop()
  const [event = ''] = output.split('\n')
  expect(JSON.parse(event.replace(port, '4444'))).toEqual(JSON.parse(documented))
})

describe('files', () => {
  test('a genesis file', async () => {
    await project.write(
      'genesis.json',
      recipe('docs/ethereum.md#a-genesis-file', 'json', 'http://127.0.0.1')[0]!,
    )
    const node = await startDevNode(['--genesis', 'genesis.json'], {}, project.folder)
    expect(await request(node.url, 'eth_chainId')).toBe('0x4d2')
    expect(
      await request(node.url, 'eth_getStorageAt', [`0x${'c0de'.padStart(40, '0')}`, '0x0', 'latest']),
    ).toMatch(/2a$/)
    await node.stop()
  })

  test('a preset with EIPs', async () => {
    const [preset] = recipe('docs/configuration.md#eips', 'json', 'http://127.0.0.1')
    await project.write('eips.json', preset!)
    // @ethereumjs/vm does not know these EIPs on this hard fork.
    const unchecked = { DEV_NODE_CROSS_CHECK: 'false' }
    const node = await startDevNode(['--network', 'eips.json'], unchecked, project.folder)
    const block = await request(node.url, 'eth_getBlockByNumber', ['latest', false])
    expect(block).toMatchObject({ parentBeaconBlockRoot: `0x${'00'.repeat(32)}`, excessBlobGas: '0x0' })
    expect(block).not.toHaveProperty('requestsHash')
    await node.stop()
  })

  test('a preset with names', async () => {
    const [preset] = recipe('docs/network-33.md#names', 'json', 'http://127.0.0.1')
    await project.write('acme.json', preset!)
    const node = await startDevNode(['--network', 'acme.json'], {}, project.folder)
    expect(await request(node.url, 'acme_protocolVersion')).toBeDefined()
    expect(await request(node.url, 'eth_getBlockByNumber', ['latest', false])).toHaveProperty(
      'powMergedMiningHeader',
    )
    await node.stop()
  })
})
