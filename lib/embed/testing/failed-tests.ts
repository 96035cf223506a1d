/** What the hooks of all test runners share: they tell the node of a failed test, and add the reason to its error. */

import { relative } from 'node:path'
import type { Ask } from '../ask.ts'
import type { RpcMethods } from '../rpc-types.ts'

/** A failed test as its runner describes it. */
export interface FailedTest {
  readonly title: string
  readonly file?: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** What the test threw: an error, or an object with its members. */
  readonly error: unknown
}

/** The title of a hook that failed before all tests of a block, as Mocha has it. */
export const beforeAllTitle = (block: string): string => `${block} "before all" hook`.trimStart()

type DescribedTest = NonNullable<RpcMethods['dev_testFailed']['params'][0]>

type Failure = NonNullable<RpcMethods['dev_testFailed']['result']>

/** Trusts the node, because this file also loads in programs that are not runners. Tests of the node's methods check its answers. */
const isFailure = (answer: unknown): answer is Failure =>
  typeof answer === 'object' && answer !== null && 'lines' in answer && 'command' in answer

/** Errors that have been explained: a runner may show one error for several tests. */
const explained = new WeakSet<object>()

/** Tells the node of a failed test, and adds the reason to its error. Never rejects: at worst a hint is missing. */
export async function explainFailedTest({ error, ...test }: FailedTest, ask: Ask): Promise<void> {
  const { file } = test
  try {
    if (typeof error !== 'object' || error === null || explained.has(error)) return
    explained.add(error)
    const { message, stack } = textsOf(error)
    const place = file && { file: relative(process.cwd(), file), line: lineIn(stack, file) }
    const described: DescribedTest = { ...test, ...place, error: message, marks: marksOf(error) }
    const answer = await ask('dev_testFailed', [described])
    if (isFailure(answer)) addLines(error, [...answer.lines, answer.command ?? ''].filter(Boolean))
  } catch {
    // The node may have ended, and the error may be frozen.
  }
}

let isTold = false

/**
 * Tells the node once that tests run. If none fails, this clears the failures of an earlier run. Without a node, `ask` resolves to
 * undefined.
 */
export async function tellOfTests(ask: Ask): Promise<void> {
  isTold ||= (await ask('dev_testFailed', [null]).catch(() => undefined)) !== undefined
}

function textsOf(error: object): { readonly message: string; readonly stack?: string } {
  const message: unknown = Reflect.get(error, 'message')
  const stack: unknown = Reflect.get(error, 'stack')
  return {
    message: typeof message === 'string' ? message : JSON.stringify(error),
    ...(typeof stack === 'string' && { stack }),
  }
}

/** The line of a file in a stack. */
function lineIn(stack: string | undefined, file: string): number | undefined {
  const place = stack?.split(file)[1]
  const [, line] = /^:(\d+)/.exec(place ?? '') ?? []
  return line === undefined ? undefined : Number(line)
}

/** Members in which client libraries keep the hash of a transaction or revert data: ethers, viem, web3, Hardhat. */
const MARKS = ['transactionHash', 'txHash', 'hash', 'data', 'raw']

/** Members that hold inner errors and receipts. */
const INNER = ['cause', 'error', 'info', 'receipt', 'innerError', 'data']

const MAX_DEPTH = 8

/** Hashes and revert data in an error. Hashes come first, because several executions can have the same data. */
function marksOf(error: object): readonly string[] {
  const marks = new Set<string>()
  const search = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
    for (const name of MARKS) {
      const mark: unknown = Reflect.get(value, name)
      if (typeof mark === 'string' && /^0x([0-9a-f]{2})*$/i.test(mark)) marks.add(mark.toLowerCase())
    }
    for (const name of INNER) search(Reflect.get(value, name), depth + 1)
  }
  search(error, 0)
  return [...marks].sort((one, other) => Number(isHash(other)) - Number(isHash(one)))
}

const isHash = (mark: string): boolean => mark.length === 66

/** Adds lines below the message, also in the stack: some runners print one, some the other. */
function addLines(error: object, lines: readonly string[]): void {
  const { message, stack } = textsOf(error)
  const longer = [message, '', ...lines.map((line) => `  ${line}`), ''].join('\n')
  Reflect.set(error, 'message', longer)
  if (stack !== undefined)
    Reflect.set(error, 'stack', stack.includes(message) ? stack.replace(message, () => longer) : stack)
}
