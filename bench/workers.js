/** Compares eight workers in worlds of one node with eight workers on eight processes of Anvil. They run worker.js. */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from './client.js'
import { start } from './command.js'
import { median } from './median.js'

const WORKERS = 8
const TRANSACTIONS = 2000

/** Rounds of each kind, which alternate. */
const ROUNDS = 3

/** Clock ticks per second in /proc. */
const TICKS = 100

/** Writes rows with the medians of the completed rounds. */
export async function compareWorkers(row) {
  const what = `${WORKERS} workers at once, ${TRANSACTIONS} transactions each with snapshots and reverts`
  if (ANVIL === undefined) row(`${what}: Anvil is not installed, nothing to compare with`, '', '')
  const kinds = [
    { name: 'worlds of one node', chains: oneNode, rounds: [], failures: [] },
    { name: `${WORKERS} processes of Anvil`, chains: eightAnvils, rounds: [], failures: [] },
  ].filter(({ chains }) => ANVIL !== undefined || chains !== eightAnvils)
  for (let index = 0; index < ROUNDS; index++) {
    for (const { chains, rounds, failures } of kinds) {
      await round(await chains()).then(
        (measured) => rounds.push(measured),
        (error) => failures.push(error),
      )
    }
  }
  for (const { name, rounds, failures } of kinds) {
    const middle = (member) => median(rounds.map((each) => each[member])) ?? NaN
    row(`${what}: ${name}, wall`, `${middle('wall').toFixed(1)} s`, '')
    row(`${name}: CPU`, `${middle('cpu').toFixed(1)} s`, '')
    row(`${name}: resident memory`, `${(middle('memory') / 2 ** 20).toFixed(0)} MB`, '')
    row(`${name}: receipts asked for in vain`, String(middle('polls')), '')
    const [reason] = failures.map(({ message }) => message.split('\n')[0])
    if (reason !== undefined) row(`${name}: rounds that failed`, `${failures.length} of ${ROUNDS}`, reason)
  }
}

/**
 * Runs one round. Returns wall seconds, processor seconds and memory in bytes of the chain processes (from /proc), and the
 * number of polls without a receipt.
 */
async function round({ urls, pids, stop }) {
  const workers = urls.map((url, index) =>
    startWorker({ url, number: index + 1, transactions: TRANSACTIONS }),
  )
  try {
    await Promise.all(workers.map(({ nextMessage }) => nextMessage()))
    const before = await useOf(pids)
    const startedAt = performance.now()
    const reports = await signalAll(workers)
    const wall = (performance.now() - startedAt) / 1000
    const after = await useOf(pids)
    await signalAll(workers)
    const polls = reports.reduce((sum, report) => sum + report.polls, 0)
    return { wall, cpu: after.cpu - before.cpu, memory: after.memory, polls }
  } finally {
    for (const { child } of workers) child.kill()
    await stop()
  }
}

function startWorker(task) {
  const child = fork(new URL('worker.js', import.meta.url))
  const nextMessage = async () => {
    const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    if (typeof message !== 'object' || message?.error) throw new Error(message?.error ?? 'a worker died')
    return message
  }
  child.send(task)
  return { child, nextMessage }
}

function signalAll(workers) {
  return Promise.all(
    workers.map(({ child, nextMessage }) => {
      child.send({ go: true })
      return nextMessage()
    }),
  )
}

async function useOf(pids) {
  const uses = await Promise.all(pids.map(useOfOne))
  const sum = (name) => uses.reduce((total, use) => total + use[name], 0)
  return { cpu: sum('cpu'), memory: sum('memory') }
}

async function useOfOne(pid) {
  const read = (file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  const fields = (await read('stat')).split(') ')[1]?.split(' ') ?? []
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(await read('status')) ?? []
  return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, memory: Number(kilobytes) * 1024 }
}

/** One node with a world for each worker. */
async function oneNode() {
  const { url, pid, stop } = await start()
  const urls = Array.from({ length: WORKERS }, (_, index) => `${url}/w/worker-${index + 1}`)
  return { urls, pids: [pid], stop }
}

async function eightAnvils() {
  const folder = await mkdtemp(join(tmpdir(), 'anvils-'))
  const anvils = await Promise.all(
    Array.from({ length: WORKERS }, (_, index) => anvil(join(folder, `${index}`))),
  )
  const stop = async () => {
    await Promise.all(anvils.map(({ child }) => end(child)))
    await rm(folder, { recursive: true, force: true })
  }
  return { urls: anvils.map(({ url }) => url), pids: anvils.map(({ child }) => child.pid), stop }
}

async function anvil(folder) {
  const port = String(await freePort())
  const child = spawn(ANVIL, ['--silent', '--port', port, '--cache-path', folder], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const { call, disconnect } = connect(url)
  while (!(await call('eth_chainId').catch(() => undefined)))
    await new Promise((next) => setTimeout(next, 20))
  disconnect()
  return { child, url }
}

/** The program itself; the npm command is a script that starts it. */
const ANVIL = (() => {
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil`)
  } catch {
    return undefined
  }
})()

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function end(child) {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
