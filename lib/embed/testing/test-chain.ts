/** A chain for tests: requests, snapshots and fixtures over HTTP, for any test runner. */

import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { trouble, withHelp } from '../../base/errors.ts'
import { tryClaim, usersOf } from '../../base/file-claim.ts'
import { realHost } from '../../base/host.ts'
import { jsonValue } from '../../base/json-text.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { reasonOf } from '../../base/system-errors.ts'
import type { MethodName, MethodParams, MethodResult } from '../provider-api.ts'
import { nodeOfWorld } from './run-options.ts'

export interface TestChainSettings {
  /** URL of the node, as `startServer` returns it and the command prints it. */
  readonly url: string
  /** Id of a world on that node; without it, the default chain. */
  readonly world?: string
  /** Folder for fixtures that are kept between runs. */
  readonly fixtures?: string
}

/** Settings that identify a fixture, in addition to its name, the source of its builder, and the chain. */
export interface FixtureSettings {
  /** A fixture with another key is another fixture. Use deployed bytecode, a version, or a hash of files, for example. */
  readonly key?: string
}

/** Params of a request. They are optional if the method needs none. */
type RequestParams<Method extends MethodName> =
  readonly [] extends MethodParams<Method>
    ? [params?: MethodParams<Method> | undefined]
    : [params: MethodParams<Method>]

/** The error response of a node. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  /** Data of the error; for a revert, the revert data as hex. */
  readonly data: unknown

  constructor(
    method: string,
    { code, message, data }: Pick<RpcError, 'code' | 'message'> & { data?: unknown },
  ) {
    super(`${method}: ${message}`)
    this.code = code
    this.data = data
  }
}

/** The chain could not be reverted to a snapshot, so the following tests would run on the wrong state. */
export class RevertFailed extends Error {
  override readonly name = 'RevertFailed'
}

const errorObject = z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() })
const rpcResponse = z.union([z.object({ error: errorObject }), z.object({ result: z.unknown() })])

/** Name of the snapshot of the initial state, from which every fixture starts. */
const INITIAL_SNAPSHOT = 'beginning'

/**
 * Parts of a stored state, independent of the node's --state-parts. Snapshots are excluded: those of the builder would
 * replace the snapshots of other fixtures.
 */
const STATE_PARTS = { blocks: true, transactions: true, receipts: true, snapshots: false, keystore: true }

interface BuiltFixture {
  readonly snapshot: string
  /** Hash of the head after the fixture. */
  readonly blockHash: string | null
  readonly value: Json
}

export class TestChain {
  /** URL of this chain for client libraries. */
  readonly url: string
  readonly #store: FixtureStore | undefined
  readonly #built = new Map<string, BuiltFixture>()
  #lastId = 0
  /** Hash of the head of the initial state; undefined before `begin`. */
  #initialHash: string | null | undefined

  constructor({ url, world, fixtures }: TestChainSettings) {
    const base = url.replace(/\/$/, '')
    this.url = world === undefined ? base : `${base}/w/${encodeURIComponent(world)}`
    this.#store = fixtures === undefined ? undefined : new FixtureStore(fixtures)
  }

  /** Sends a request; params and result have the types of the method. @throws RpcError */
  readonly rpc = async <Method extends MethodName>(
    method: Method,
    ...[params]: RequestParams<Method>
  ): Promise<MethodResult<Method>> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++this.#lastId, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(this.url, { method: 'POST', headers, body }).catch((cause: unknown) => {
      throw withHelp(trouble('DN-URL', `${method}: no node answers at ${this.url}`, cause))
    })
    const parsed = rpcResponse.safeParse(await response.json().catch(() => undefined))
    if (!parsed.success) throw new Error(`${method}: ${this.url} answered ${response.status} and no JSON-RPC`)
    if ('error' in parsed.data) throw new RpcError(method, parsed.data.error)
    return declared<MethodResult<Method>>(parsed.data.result, `the result of ${method}`)
  }

  /** Takes a snapshot; returns its id. */
  async snapshot(name?: string): Promise<string> {
    return this.rpc('evm_snapshot', name === undefined ? [] : [{ name }])
  }

  /**
   * Reverts the chain to a snapshot, which stays valid. Later snapshots are dropped unless `keep` is true.
   * @throws RevertFailed if there is no such snapshot, or if the chain does not have its head afterwards
   */
  async revert(snapshot: string, { keep = false } = {}): Promise<void> {
    const snapshots = await this.#snapshots()
    const target = snapshots.find(({ id, name }) => id === snapshot || name === snapshot)
    if (target === undefined) {
      const names = snapshots.map(({ id, name }) => (name === null ? id : `${id} (${name})`)).join(', ')
      throw new RevertFailed(`there is no snapshot ${snapshot} to revert to; there are: ${names || 'none'}`)
    }
    const isDone = await this.rpc('evm_revert', [snapshot, { keep }])
    const { number, hash } = await this.#head()
    if (isDone && hash === target.blockHash) return
    throw new RevertFailed(
      `the revert to ${snapshot} failed: its block is ${target.blockNumber} (${target.blockHash}), the head is ${number} (${hash})`,
    )
  }

  /**
   * Puts the chain into the state that `build` creates from the initial state, and returns the result of `build`.
   * The fixture is built once; later the chain is reverted to it. With fixtures on disk, it is built once for all
   * workers and runs with the same name, key, source of `build`, head of the initial state, client version, hard fork,
   * chain id, gas limit and gas price. Snapshots that `build` takes exist only in the worker that built the fixture.
   */
  fixture(name: string, build: (chain: TestChain) => Promise<void>, settings?: FixtureSettings): Promise<void>
  fixture<Value extends Json>(
    name: string,
    build: (chain: TestChain) => Promise<Value>,
    settings?: FixtureSettings,
  ): Promise<Value>
  async fixture(
    name: string,
    build: (chain: TestChain) => Promise<unknown>,
    { key = '' }: FixtureSettings = {},
  ): Promise<unknown> {
    const identity = JSON.stringify([name, key, build.toString()])
    const built = this.#built.get(identity)
    if (built !== undefined && (await this.#hasSnapshot(built))) {
      await this.revert(built.snapshot, { keep: true })
      return structuredClone(built.value)
    }
    await this.begin()
    const value = await this.#buildOrLoad(identity, async () => throughJson(name, await build(this)))
    const { hash } = await this.#head()
    this.#built.set(identity, { snapshot: await this.snapshot(), blockHash: hash, value })
    return structuredClone(value)
  }

  /** Whether the snapshot of a fixture still exists. A reset, or a revert to an earlier snapshot, drops it. */
  async #hasSnapshot({ snapshot, blockHash }: BuiltFixture): Promise<boolean> {
    const snapshots = await this.#snapshots()
    // After a reset, another snapshot can have the same id.
    return snapshots.some((existing) => existing.id === snapshot && existing.blockHash === blockHash)
  }

  /**
   * Reverts the chain to its initial state: the state at the first call of this method by any worker.
   * @throws RevertFailed if the chain cannot be reverted to it
   */
  async begin(): Promise<void> {
    const beginning = (await this.#snapshots()).find(({ name }) => name === INITIAL_SNAPSHOT)
    if (beginning !== undefined) await this.revert(INITIAL_SNAPSHOT, { keep: true })
    const { number, hash } = await this.#head()
    if (this.#initialHash !== undefined && this.#initialHash !== hash) {
      throw new RevertFailed(
        `the chain was reset, or reverted to before its beginning, and has gone on to block ${number} since`,
      )
    }
    this.#initialHash = hash
    if (beginning === undefined) await this.snapshot(INITIAL_SNAPSHOT)
  }

  /** Reverts a world to its initial state, or resets it if it has no snapshot of that state. */
  async beginWorld(): Promise<void> {
    const snapshots = await this.#snapshots()
    if (!snapshots.some(({ name }) => name === INITIAL_SNAPSHOT)) await this.rpc('evm_reset')
    await this.begin()
  }

  async #head(): Promise<{ readonly number: string | null; readonly hash: string | null }> {
    const block = await this.rpc('eth_getBlockByNumber', ['latest', false])
    if (block === null) throw new Error(`${this.url} has no newest block`)
    return block
  }

  #snapshots(): Promise<MethodResult<'dev_snapshots'>> {
    return this.rpc('dev_snapshots')
  }

  /** Builds a fixture, or loads the fixture of another worker or an earlier run. */
  async #buildOrLoad(identity: string, build: () => Promise<Json>): Promise<Json> {
    if (this.#store === undefined) return build()
    const { hash } = await this.#head()
    const version = await this.rpc('web3_clientVersion')
    const { hardFork, environment } = await this.rpc('anvil_nodeInfo')
    const chain = [hash, version, hardFork, environment]
    const stored = await this.#store.take(JSON.stringify([identity, chain]), async () => {
      const value = await build()
      return { value, state: z.string().parse(await this.rpc('dev_dumpState', [STATE_PARTS])) }
    })
    if (!stored.isNew) await this.rpc('dev_loadState', [stored.state])
    return stored.value
  }
}

/** A value with a declared type, which is not checked: the result of a method of the node. */
function declared<Type>(value: unknown, what: string): Type {
  const isPresent = (result: unknown): result is Type => result !== undefined
  if (isPresent(value)) return value
  throw new Error(`${what} is missing`)
}

/** Connects to the world of this worker of Jest, Vitest or Mocha. By default the world's id contains the worker's number. */
export function connect({ url, fixtures, world = workerName() }: Partial<TestChainSettings> = {}): TestChain {
  const address = url ?? nodeOfWorld(world, process.env)
  if (address === undefined)
    throw withHelp(
      trouble(
        'DN-URL',
        'no node to connect to: give its url, or set DEV_NODE_URL (dev-node/jest/setup, dev-node/vitest and dev-node/mocha do)',
      ),
    )
  const folder = fixtures ?? process.env['DEV_NODE_FIXTURES']
  return new TestChain({ url: address, world, ...(folder === undefined ? {} : { fixtures: folder }) })
}

interface WithEnvironment {
  readonly process: { readonly env: Record<string, string | undefined> }
}

/**
 * Sets the global `chain` of a test file: that of its worker, without the changes of earlier files. Tests that know only DEV_NODE_URL
 * get the same chain.
 */
export async function beginChain(globals: WithEnvironment): Promise<void> {
  const chain = connect()
  await chain.beginWorld()
  Object.assign(globals, { chain })
  globals.process.env['DEV_NODE_URL'] = chain.url
}

function workerName(): string {
  const { JEST_WORKER_ID, VITEST_POOL_ID, MOCHA_WORKER_ID } = process.env
  return `worker-${JEST_WORKER_ID ?? VITEST_POOL_ID ?? MOCHA_WORKER_ID ?? process.pid}`
}

/** A value that JSON can hold. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

interface StoredFixture {
  readonly value: Json
  readonly state: string
}

/** A fixture, and whether this call built it. */
type TakenFixture = StoredFixture & { readonly isNew: boolean }

const stored = z.object({ value: z.json(), state: z.string() })

/** Longest pause in milliseconds between checks whether another worker is done. Pauses are random, so that workers diverge. */
const MAX_PAUSE_MS = 40

/** After this many milliseconds a worker builds even if another holds the claim, because a thread can end without its process. */
const MAX_WAIT_MS = 60_000

export class FixtureStore {
  readonly #folder: string
  /** The fixtures that this worker is taking, by file. It claims each file only once at a time. */
  readonly #taking = new Map<string, Promise<TakenFixture>>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The fixture with this identity; built here if it is not stored and no other worker is building it. */
  async take(identity: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    await mkdir(this.#folder, { recursive: true })
    const file = join(this.#folder, createHash('sha256').update(identity).digest('hex').slice(0, 40))
    while (this.#taking.has(file)) await this.#taking.get(file)?.catch(() => undefined)
    const taking = this.#takeFile(file, build).finally(() => this.#taking.delete(file))
    this.#taking.set(file, taking)
    return taking
  }

  async #takeFile(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    const lastAt = realHost.elapsed() + MAX_WAIT_MS
    for (;;) {
      const found = await read(file)
      if (found !== undefined) return { ...found, isNew: false }
      const release = await acquire(file)
      try {
        if (release !== undefined || realHost.elapsed() > lastAt) return await this.#build(file, build)
      } finally {
        await release?.()
      }
      await wait(((realHost.random(1)[0] ?? 0) / 255) * MAX_PAUSE_MS)
    }
  }

  async #build(file: string, build: () => Promise<StoredFixture>): Promise<TakenFixture> {
    // The last holder of the claim may have stored the fixture between the check and the claim.
    const found = await read(file)
    if (found !== undefined) return { ...found, isNew: false }
    const fixture = await build()
    await replaceFile({ path: file }, JSON.stringify(fixture))
    return { ...fixture, isNew: true }
  }
}

async function read(file: string): Promise<StoredFixture | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return stored.safeParse(jsonValue(text)).data
}

/** Claims a file, and returns the function that releases it; undefined while another worker holds it. */
async function acquire(file: string): Promise<(() => Promise<void>) | undefined> {
  // Claims made at the same moment refuse each other, so no claim is made while another exists.
  if ((await usersOf(file)).length > 0) return undefined
  const claim = await tryClaim(file)
  return 'release' in claim ? claim.release : undefined
}

/** A builder's result as it would be read from a file; undefined becomes null. @throws Error naming the fixture */
function throughJson(name: string, value: unknown): Json {
  try {
    return z.json().parse(JSON.parse(JSON.stringify(value ?? null)))
  } catch (cause) {
    throw new Error(`the result of fixture ${name} is not JSON: ${reasonOf(cause)}`, { cause })
  }
}
