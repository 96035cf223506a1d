/** A coding agent finds a planted fault with the tools of `dev-node mcp`, as the guide configures it, and works on a running node. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { compileProject, hardhat2 } from '../support/artifact-projects.ts'
import { commandPath, startDevNode, type RunningNode } from '../support/packed-command.ts'
import { createProject, type Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'
import { content, lineOf, PATH } from '../support/shop.ts'

const FAULT = 'return price * count * 10;'
const faulty = compileProject({ [PATH]: content.replace('return price * count;', FAULT) })
const { Shop, Token }: any = faulty.output.contracts[PATH]!

/** Deploys a token and a shop, which may take tokens. */
const DEPLOYMENT = `
import { ContractFactory, JsonRpcProvider } from 'ethers'
const provider = new JsonRpcProvider(process.env.DEV_NODE_URL, undefined, { staticNetwork: true, cacheTimeout: -1 })
const signer = await provider.getSigner(0)
const deploy = async ([abi, code], ...given) => (await new ContractFactory(abi, code, signer).deploy(...given)).waitForDeployment()
const token = await deploy(${JSON.stringify([Token.abi, Token.evm.bytecode.object])}, 1000)
export const shop = await deploy(${JSON.stringify([Shop.abi, Shop.evm.bytecode.object])}, await token.getAddress())
await (await token.approve(await shop.getAddress(), 5000)).wait()
provider.destroy()
`

const SUITE = `
import { test } from 'node:test'
import { JsonRpcProvider } from 'ethers'
import { shop } from './deployment.js'
test('sells two', async () => {
  const provider = new JsonRpcProvider(process.env.DEV_NODE_URL, undefined, { staticNetwork: true, cacheTimeout: -1 })
  try { await (await shop.connect(await provider.getSigner(0)).buy(2)).wait() } finally { provider.destroy() }
})
`

let project: Project
/** Variables of the commands: no node of this machine is found by chance. */
let env: Record<string, string>

beforeAll(async () => {
  project = await createProject()
  for (const [path, text] of hardhat2(faulty)) await project.write(path, JSON.stringify(text))
  await project.write('deployment.js', DEPLOYMENT)
  await project.write('suite.js', SUITE)
  env = { DEV_NODE_REPORT: join(project.folder, 'run.dnr'), DEV_NODE_NETWORK: 'ethereum' }
})
afterAll(() => project.remove())

/** A connected agent: the text of a tool's answer, which begins with `error: ` for a refusal. */
async function connect(args: readonly string[]) {
  const client = new Client({ name: 'agent', version: '1' })
  const { folder: cwd } = project
  const inherited = { ...process.env, DEV_NODE_URL: '', NODE_OPTIONS: '' } as Record<string, string>
  const command = { command: process.execPath, args: [await commandPath(), ...args] }
  await client.connect(new StdioClientTransport({ ...command, cwd, env: inherited }))
  const use = async (name: string, given: Record<string, unknown> = {}): Promise<string> => {
    const { content: parts, isError } = await client.callTool({ name, arguments: given })
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return isError === true ? `error: ${text}` : text
  }
  return { client, use }
}

describe('after a failed run, without a node,', () => {
  let agent: Awaited<ReturnType<typeof connect>>

  beforeAll(async () => {
    const line = `node ${await commandPath()} exec --port 0 --quiet -- node --test suite.js`
    const { exitCode } = await runShell(line, project.folder, env)
    expect(exitCode).toBe(1)
    agent = await connect(['mcp', 'run.dnr'])
  })
  afterAll(() => agent.client.close())

  test('an agent finds the planted fault', async () => {
    const failures = await agent.use('failures')
    expect(failures).toMatch(/^sells two$/m)
    expect(failures).toContain("reverted with custom error 'TooPoor(account 0, 1000, 2000)'")
    const [, id] = /failure (\d+)/.exec(failures)!
    // Two things cost two thousand: why?
    expect(await agent.use('explain', { failure: Number(id) })).toContain(
      'Token.transferFrom(from: account 0, to: Shop, value: 2000)',
    )
    expect(await agent.use('debug_open', { failure: Number(id) })).toContain(
      `> ${lineOf('revert TooPoor')}         if (balances[from] < value) revert TooPoor`,
    )
    const total = await agent.use('debug_move', {
      kind: 'run',
      backwards: true,
      breakpoints: ['Prices.total'],
    })
    expect(total).toContain(`> ${lineOf('return price * count;')}         ${FAULT}`)
    expect(total).toContain('uint256 price = 100\nuint256 count = 2')
    expect(await agent.use('debug_evaluate', { expression: 'price * count' })).toBe(
      'uint256 price * count = 200',
    )
  })

  test('the debugger shows variables of callers, and says what is wrong with a breakpoint', async () => {
    await agent.use('debug_open')
    expect(await agent.use('debug_variables', { frame: 0 })).toContain('uint256 count = 2')
    expect(await agent.use('debug_variables', { path: ['state'], frame: 0 })).toContain('uint256 sold = 2')
    expect(await agent.use('debug_move', { breakpoints: ['Shop.sol:3000'] })).toMatch(
      /^error: Shop.sol:3000: /,
    )
    expect(await agent.use('debug_move', { kind: 'run', breakpoints: ['revert'] })).toContain('stopped: end')
  })

  test('explanations and sources are resources', async () => {
    const { resources } = await agent.client.listResources()
    const read = async (name: string) => {
      const { uri } = resources.find((one) => one.name.includes(name))!
      const { contents } = await agent.client.readResource({ uri })
      return contents.map((part) => ('text' in part ? part.text : '')).join('')
    }
    expect(await read('sells two')).toContain('Token._move')
    expect(await read('Shop.sol')).toBe(content.replace('return price * count;', FAULT))
  })

  test('what is wrong is said, and the server goes on', async () => {
    expect(await agent.use('explain', { failure: 777 })).toMatch(
      /^error: the run of .* keeps no failure 777$/,
    )
    expect(await agent.use('explain', { failur: 7 })).toMatch(/^error: .*"failur"/)
    const fresh = await connect(['mcp', 'run.dnr', '--url', 'http://127.0.0.1:1/'])
    expect(await fresh.use('debug_variables')).toBe('error: the debugger is not open: call debug_open first')
    expect(await fresh.use('accounts')).toMatch(/^error: no answer from http:\/\/127.0.0.1:1\/: /)
    await fresh.client.close()
  })
})

describe('on a running node', () => {
  let node: RunningNode
  let agent: Awaited<ReturnType<typeof connect>>

  beforeAll(async () => {
    const artifacts = join(project.folder, 'artifacts')
    node = await startDevNode(['--network', 'ethereum', '--artifacts', artifacts])
    await runShell('node deployment.js', project.folder, { DEV_NODE_URL: node.url })
    agent = await connect(['mcp', '--url', node.url])
  })
  afterAll(async () => {
    await agent.client.close()
    await node.stop()
  })

  test('an agent calls, sends, looks at variables and takes it back', async () => {
    const [account = ''] = node.ready.accounts
    expect(await agent.use('accounts')).toMatch(/account 0 0x[\da-f]{40} 9999\.\d+ ether[^]*\n {2}Shop 0x/)
    const snapshot = await agent.use('snapshot')
    expect(await agent.use('call', { to: 'Token', function: 'balances', args: [account] })).toContain(
      '→ 1000',
    )
    const sent = await agent.use('send', {
      to: 'Token',
      function: 'transfer(address,uint256)',
      args: [account, '7'],
    })
    expect(sent).toContain('Transfer(from: account 0, to: account 0, value: 7)')
    const [hash] = /0x[\da-f]{64}/.exec(sent)!
    expect(await agent.use('trace', { transaction: hash, count: 5 })).toMatch(
      /^\d+ instructions\n0 +PUSH1 gas \d+/,
    )
    expect(await agent.use('explain', { transaction: hash })).toContain('call Token.transfer')
    expect(await agent.use('send', { to: 'Token', function: 'pause' })).toContain(
      'Token paused: false → true',
    )
    expect(await agent.use('storage', { contract: 'Token', variable: 'balances[' })).toBe(
      `uint256 balances[${account}] = 1000`,
    )
    expect(await agent.use('revert', { snapshot })).toBe(`the chain is as it was at snapshot ${snapshot}`)
    expect(await agent.use('storage', { contract: 'Token', variable: 'paused' })).toBe('bool paused = false')
    expect(await agent.use('time', { seconds: 86_400, blocks: 2 })).toMatch(/^block 5 at /)
  })

  test('a failure is explained after it', async () => {
    expect(await agent.use('send', { to: 'Shop', function: 'buy', args: [2] })).toMatch(/^error: .*TooPoor/)
    expect(await agent.use('explain')).toContain('TooPoor(account 0, 1000, 2000)')
  })

  test.each([
    [{ to: 'Shops' }, 'no contract is named Shops; there are Shop, Token'],
    [
      { to: 'Shop', function: 'sell' },
      /^sell with 0 arguments is no function of the contract; there are buy\(uint256\), /,
    ],
    [{ to: 'Shop', function: 'buy', args: ['many'] }, /^buy\(uint256\): .*many/],
    [{ to: 'Shop', value: '1 dollar' }, 'value: expected wei, or an amount such as 1.5 ether, got 1 dollar'],
  ])('%j is refused', async (given, expected) => {
    const answer = await agent.use('call', given)
    expect(answer.replace('error: ', '')).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    )
    expect(answer).toMatch(/^error: /)
  })

  test('tools that change the chain can be left out', async () => {
    const reader = await connect(['mcp', '--read-only', '--url', node.url])
    const names = async ({ client }: typeof agent) => (await client.listTools()).tools.map(({ name }) => name)
    const [all, read] = [await names(agent), await names(reader)]
    expect(all.filter((name) => !read.includes(name))).toEqual(['send', 'snapshot', 'revert', 'time'])
    await reader.client.close()
  })
})

test('the guide starts it, names every tool, and older agents are served', async () => {
  const json = recipe('docs/agents.md#set-up', 'json', 'http://127.0.0.1:4444').map((code) =>
    JSON.parse(code),
  )
  const configured = json.flatMap((settings) => Object.values<any>(Object.values<any>(settings)[0]))
  const [toml = ''] = recipe('docs/agents.md#set-up', 'toml', 'http://127.0.0.1:4444')
  expect(toml).toBe('[mcp_servers.dev-node]\ncommand = "npx"\nargs = ["dev-node", "mcp"]\n')
  const command = { command: 'npx', args: ['dev-node', 'mcp'] }
  expect(configured).toEqual([command, command])
  const { client } = await connect(['mcp'])
  const tools = (await client.listTools()).tools.map(({ name }) => name)
  await client.close()
  const guide = await readFile('docs/agents.md', 'utf8')
  expect([...guide.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(tools)

  const child = spawn(process.execPath, [await commandPath(), 'mcp'], { cwd: project.folder })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (id: number, method: string, params: object = {}) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return JSON.parse((await lines.next()).value).result
  }
  const older = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'older', version: '1' },
  }
  expect(await ask(1, 'initialize', older)).toMatchObject({ protocolVersion: '2025-06-18' })
  expect((await ask(2, 'tools/list')).tools.map(({ name }: any) => name)).toEqual(tools)
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})
