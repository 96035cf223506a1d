/** Runs `dev-node watch`: runs a test command, and runs it again for the affected files after each change of contracts and tests. */

import { rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { ReadStream } from 'node:tty'
import { watch } from 'chokidar'
import { realHost } from '../base/host.ts'
import { RECORDS_FOLDER } from '../embed/affected/test-record.ts'
import { COMMAND_FLAGS, programOf, refuseUnknown, type CommandLine } from './command-flags.ts'
import { runProgram } from './exec-command.ts'
import { printError, type CommandResult, type Io } from './io.ts'
import { runShowCommand } from './show-command.ts'

type Order = 'affected' | 'all' | 'quit'

/** Keys, including Ctrl-C, which a raw terminal passes as a key. Keys pressed during a run are read after it. */
const KEYS: Readonly<Record<string, Order | 'open'>> = {
  '\r': 'affected',
  a: 'all',
  o: 'open',
  q: 'quit',
  '\u0003': 'quit',
}

/** Milliseconds to wait for further changes: editors and branch switches write several files. */
const SETTLE_MS = 150

const PROMPT = 'dev-node: waits for a change; a runs all files, o opens the failures, q ends\n'

/** Runs the command until a key or a signal ends it. @throws NodeError 'invalidOption' */
export async function runWatchCommand(line: CommandLine, io: Io): Promise<CommandResult> {
  const program = programOf('watch', line)
  refuseUnknown(line.flags, 'watch', COMMAND_FLAGS.watch)
  let next: Order | undefined = 'affected'
  let wake = (): void => undefined
  const give = (order: Order): void => {
    if (next !== 'quit') next = order
    wake()
  }
  const isAsked = (): boolean => next !== undefined
  const take = (): Order | undefined => {
    const order = next
    next = undefined
    return order
  }
  const watcher = watch('.', { ignored: isIgnored, ignoreInitial: true }).on('all', () => give('affected'))
  const release = io.signals(() => give('quit'))
  const onKey = (key: Order | 'open'): void => (key === 'open' ? void open(io) : give(key))
  let code = 0
  try {
    for (;;) {
      // A run owns the terminal, and Ctrl-C there ends both the run and this command.
      const leaveKeys = readKeys(io, onKey)
      if (!isAsked()) await new Promise<void>((resolve) => (wake = resolve))
      await new Promise<void>((resolve) => realHost.schedule(SETTLE_MS, resolve))
      leaveKeys()
      const order = take()
      if (order === 'quit') return { text: '', code }
      if (order === 'all') await rm(RECORDS_FOLDER, { recursive: true, force: true })
      code = await runProgram(program, { DEV_NODE_AFFECTED: 'true', ...io.env }, io)
      if (!isAsked()) io.stdout.write(PROMPT)
    }
  } finally {
    release()
    await watcher.close()
  }
}

/** Folders that compilers, test runs and tools write. */
const IGNORED =
  /^(?:\..+|node_modules|artifacts|cache|cache_forge|out|build|dist|coverage|ignition|broadcast|typechain.*|contracts-exposed)$/

const WATCHED = ['.sol', '.vy', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.tsx', '.jsx']

/** Whether a path is ignored, or a file is not a source. */
const isIgnored = (path: string, stats?: { isFile: () => boolean }): boolean =>
  IGNORED.test(basename(path)) || (stats?.isFile() === true && !WATCHED.includes(extname(path)))

/** Reads single keys from the terminal. Returns a function that stops reading. */
function readKeys({ isTTY, streams }: Io, onKey: (key: Order | 'open') => void): () => void {
  const { input } = streams()
  if (!isTTY || !(input instanceof ReadStream)) return () => undefined
  const read = (text: Buffer | string): void => {
    const key = KEYS[String(text)]
    if (key !== undefined) onKey(key)
  }
  input.setRawMode(true).on('data', read).resume()
  return () => void input.off('data', read).pause().setRawMode(false)
}

/** Opens the failures of the last run in the browser. */
const open = (io: Io): Promise<void> =>
  runShowCommand({ words: [], flags: {} }, io).then(
    () => undefined,
    (error: unknown) => printError(io, error),
  )
