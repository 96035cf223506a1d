/**
 * Runs the packed command on other versions of Node, on Bun and on Deno, and a client against it; then with each kind of crypto:
 * `npm run test:runtimes`, or `-- node@22 deno` for some of them. Installs the runtimes in .cache/runtimes.
 */

import { deepStrictEqual, match, ok, rejects } from 'node:assert'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ContractFactory, JsonRpcProvider, WebSocketProvider, parseEther } from 'ethers'

const CACHE = resolve('.cache/runtimes')

/** The program of a runtime, below node_modules, and its arguments before the command. */
const RUNTIMES = {
  'node@18': {
    program: 'node/bin/node',
    refused: /this is Node 18\.\S+; the command needs Node 20\.19 or later/,
  },
  'node@20': { program: 'node/bin/node' },
  'node@22': { program: 'node/bin/node' },
  'node@24': { program: 'node/bin/node' },
  'node@26': { program: 'node/bin/node' },
  bun: { program: '.bin/bun' },
  deno: { program: '.bin/deno', args: ['run', '--allow-all'] },
}

/** Values of DEV_NODE_CRYPTO, and what the banner then says. */
const CRYPTO = {
  native: /secp256k1 secp256k1/,
  javascript: /secp256k1 @noble\/curves/,
}

function install(folder, ...packages) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', ...packages], {
    cwd: folder,
  })
}

function programOf(name) {
  const folder = join(CACHE, name)
  const program = join(folder, 'node_modules', RUNTIMES[name].program)
  if (!existsSync(program)) install(folder, name)
  return program
}

/** Packs and installs the project, and returns the path of its command. */
function installCommand() {
  const folder = join(CACHE, 'command')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  install(folder, join(folder, packed))
  return join(folder, 'node_modules/dev-node/dist/dev-node.cjs')
}

/** Starts the command, and resolves with its URL and all output when it listens, or without a URL when it has ended. */
function start(name, args, env = {}) {
  const { args: before = [] } = RUNTIMES[name]
  const child = spawn(programOf(name), [...before, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
  })
  let output = ''
  const exited = new Promise((done) => child.once('close', done))
  const listening = new Promise((done) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
        const [, url] = /Listening on (\S+)/.exec(output) ?? []
        if (url !== undefined) done(url)
      })
    exited.then(() => done(undefined))
  })
  return listening.then((url) => ({
    url,
    output: () => output,
    end: (signal) => {
      child.kill(signal)
      return exited
    },
  }))
}

/** A contract whose `answer` is 42. */
const ANSWER = {
  abi: ['function answer() view returns (uint256)'],
  code: '0x600a600c600039600a6000f3602a60005260206000f3',
}

/** Sends, deploys, calls, reads an error, reverts to a snapshot, and hears of a block over a socket. */
async function tellStory(url) {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, pollingInterval: 20 })
  const socket = new WebSocketProvider(url.replace('http', 'ws'))
  try {
    const [owner, friend] = await Promise.all([provider.getSigner(0), provider.getSigner(1)])
    const snapshot = await provider.send('evm_snapshot', [])
    const before = await provider.getBalance(friend.address)
    const block = new Promise((done) => void socket.once('block', done))
    // The subscription is there when a later request on the socket is answered.
    await socket.send('eth_chainId', [])
    await (await owner.sendTransaction({ to: friend.address, value: parseEther('1') })).wait()
    deepStrictEqual(await provider.getBalance(friend.address), before + parseEther('1'))
    await block
    const contract = await new ContractFactory(ANSWER.abi, ANSWER.code, owner).deploy()
    await contract.waitForDeployment()
    deepStrictEqual(await contract.answer(), 42n)
    await rejects(owner.sendTransaction({ to: friend.address, value: parseEther('1000000000000000') }))
    deepStrictEqual(await provider.send('evm_revert', [snapshot]), true)
    deepStrictEqual(await provider.getBalance(friend.address), before)
    await provider.send('dev_saveState', [])
  } finally {
    provider.destroy()
    await socket.destroy()
  }
}

/** Runs the story, kills the node, and starts it again from its state file. */
async function check(name, command, env = {}) {
  const state = join(CACHE, 'chain.state')
  rmSync(state, { force: true })
  const args = [command, 'start', '--port', '0', '--verbose', '--state', state]
  const node = await start(name, args, env)
  const { refused } = RUNTIMES[name]
  if (refused !== undefined) {
    match(node.output(), refused)
    ok(!node.output().includes('    at '), 'a stack is no sentence')
    return 'refused in a sentence'
  }
  ok(node.url !== undefined, node.output())
  try {
    await tellStory(node.url)
  } finally {
    await node.end('SIGKILL')
  }
  const again = await start(name, args, env)
  match(again.output(), /state +\S+, loaded at block 0/)
  deepStrictEqual(await again.end('SIGTERM'), 0, again.output())
  return /crypto +(.*)/.exec(node.output())?.[1]
}

const wanted = process.argv.slice(2)
const command = installCommand()
let failures = 0

async function report(title, run) {
  try {
    console.log(`${title}: ${await run()}`)
  } catch (error) {
    failures++
    console.log(`${title}: FAILED: ${error.stack}`)
  }
}

for (const name of Object.keys(RUNTIMES).filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const program = programOf(name)
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n')[0]
  await report(`${name} (${version})`, () => check(name, command))
}
if (wanted.length === 0)
  for (const [kind, chosen] of Object.entries(CRYPTO))
    await report(`DEV_NODE_CRYPTO=${kind} on node@20`, async () => {
      const crypto = await check('node@20', command, { DEV_NODE_CRYPTO: kind })
      match(crypto, chosen)
      return crypto
    })
process.exit(failures === 0 ? 0 : 1)
