/** The story of the debugger: its test fails, its commands explain it, and its session leads to the line. With UPDATE_TRANSCRIPTS=1 the outputs are written. */

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { compileProject, hardhat2 } from '../support/artifact-projects.ts'
import { withEditor } from '../support/editor.ts'
import type { Editor, Stop } from '../support/editor.ts'
import { freePort } from '../support/free-port.ts'
import { untilHeld } from './held-process.ts'
import { commandPath } from '../support/packed-command.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { codeBlocks, recipe, runShell } from '../support/recipes.ts'

const STORY = 'docs/debugging-story.md'
const SOURCE = 'contracts/Payroll.sol'

const [contract = ''] = recipe('docs/debugging-story.md#the-contract', 'solidity', 'http://127.0.0.1')
const [suite = ''] = recipe('docs/debugging-story.md#the-contract', 'js', 'http://127.0.0.1')
const [commands = ''] = recipe('docs/debugging-story.md#the-failure', 'sh', 'http://127.0.0.1')

/** The line of the contract with a text. */
const lineOf = (text: string): number => 1 + contract.split('\n').findIndex((line) => line.includes(text))

let project: Project
let url = ''
let end = async (): Promise<unknown> => undefined

beforeAll(async () => {
  project = await createProject()
  url = `http://127.0.0.1:${await freePort()}`
  const files = hardhat2(compileProject({ [SOURCE]: contract }))
  for (const [path, file] of files) await project.write(path, JSON.stringify(file))
  await project.write(SOURCE, contract)
  await project.write('test/payroll.cjs', suite)
  await project.write(
    'hardhat.config.cjs',
    `require('@nomicfoundation/hardhat-ethers')
    module.exports = { solidity: '0.8.28', networks: { localhost: { url: '${url}' } } }`,
  )
  const [line = ''] = commands.split('\n')
  const [, options, , hardhat] = /exec (.*?) (--) (.*)/.exec(line) ?? []
  const port = ['--port', new URL(url).port]
  const child = spawn(
    await commandPath(),
    ['exec', ...port, ...options!.split(' '), '--', ...`${hardhat} --no-compile test/payroll.cjs`.split(' ')],
    { cwd: project.folder, env: { ...process.env, HARDHAT_NETWORK: 'localhost', NO_COLOR: '1' } },
  )
  const { output, ended } = await untilHeld(child)
  end = () => (child.kill('SIGTERM'), ended)
  expect(output).toContain('1 failing')
})

afterAll(async () => {
  await end()
  await project.remove()
})

/** Compares a text with the block below a heading of the story, or writes it. */
function compare(place: string, printed: string): void {
  const block = codeBlocks(STORY).find((one) => one.place === place && one.language === 'text')!
  const [, anchor = ''] = place.split('#')
  if (process.env['UPDATE_TRANSCRIPTS'] !== '1') return expect(printed).toBe(block.code)
  const story = readFileSync(STORY, 'utf8')
  const at =
    story.indexOf('```text\n', story.indexOf(`## ${anchor.replace('-', ' ').replace('the', 'The')}\n`)) + 8
  writeFileSync(STORY, story.slice(0, at) + printed + story.slice(at + block.code.length))
}

test('the command explains the failure as the story shows', async () => {
  const explain = commands.split('\n')[1]!.replace('npx dev-node', await commandPath())
  const { exitCode, output } = await runShell(`${explain} --url ${url}`, project.folder)
  expect(exitCode).toBe(0)
  compare('docs/debugging-story.md#the-failure', `${output.split('\n\n')[0]!.trimEnd()}\n`)
})

/** A session in short form. */
class Session {
  readonly #editor: Editor
  readonly lines: string[] = []

  constructor(editor: Editor) {
    this.#editor = editor
  }

  /** Sends a request that moves, and writes the stop with the functions and the local variables. */
  async move(command: string, args: object = {}): Promise<Stop> {
    const stop = await this.#editor.after(() => this.send(command, args))
    const { reason, text, frames } = stop
    this.#answer('stopped', reason, text ?? '')
    for (const { name, line } of frames) this.#answer('stackTrace', `${name} (${SOURCE}:${line})`)
    const locals = await this.#editor.scope('Locals', stop)
    const shown = [...locals.values()].filter(({ value }) => !value.startsWith('not known'))
    this.#answer('variables', shown.map(({ name, value }) => `${name} = ${value}`).join(', '))
    return stop
  }

  async send(command: string, args: object): Promise<void> {
    const shown = JSON.stringify(args).replaceAll(`${project.folder}/`, '')
    this.lines.push(`>> ${command} ${shown}`)
    await this.#editor.client.customRequest(command, args)
  }

  #answer(kind: string, ...words: readonly string[]): void {
    this.lines.push(`<< ${kind}: ${words.join(' ')}`.trimEnd())
  }
}

test('the session of the story leads from the failure to the line with the wrong value', async () => {
  await withEditor(async (editor) => {
    const session = new Session(editor)
    await editor.client.initializeRequest()
    const initialized = editor.client.waitForEvent('initialized')
    await session.send('launch', { failure: 'last', url })
    await initialized
    await session.send('setExceptionBreakpoints', { filters: ['uncaught'] })
    const failure = await session.move('configurationDone')
    expect(failure).toMatchObject({ reason: 'exception', line: lineOf('revert BudgetExceeded') })
    const [path, line] = [join(project.folder, SOURCE), lineOf('return week.rate')]
    await session.send('setBreakpoints', { source: { path }, breakpoints: [{ line }] })
    expect((await session.move('reverseContinue', { threadId: 1 })).line).toBe(line)
    const found = await session.move('stepBack', { threadId: 1 })
    expect(found.line).toBe(lineOf('uint256 regular = week.time'))
    compare(
      'docs/debugging-story.md#the-session',
      `${session.lines.join('\n').replace(`,"url":"${url}"`, '')}\n`,
    )
  }, project.folder)
})
