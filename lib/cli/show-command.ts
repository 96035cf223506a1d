/** Runs `dev-node show`: serves the page of a file of failures to this machine's browser, or writes it as a self-contained file. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { platform } from 'node:os'
import { refuseOption } from '../base/errors.ts'
import { reasonOf } from '../base/system-errors.ts'
import { findPackage } from '../config/package.ts'
import { lastRunPath } from '../modules/report/report.ts'
import { encodeForPage } from '../modules/report/report-file.ts'
import { readReport } from './asked-report.ts'
import {
  COMMAND_FLAGS,
  readFlag,
  readText,
  refuseExtra,
  refuseUnknown,
  type CommandLine,
} from './command-flags.ts'
import { readPort, untilSignal, type CommandResult, type Io } from './io.ts'

/** Runs the command until a signal, or writes the page. @throws NodeError 'invalidOption', 'invalidState' */
export async function runShowCommand(
  { words: [file, extra], flags }: CommandLine,
  io: Pick<Io, 'env' | 'isTTY' | 'stdout' | 'signals'>,
): Promise<CommandResult> {
  refuseExtra(extra)
  refuseUnknown(flags, 'show', COMMAND_FLAGS.show)
  const folder = readText(flags, 'html')
  const port = readFlag(flags, 'port', 'a port from 0 to 65535', readPort) ?? 0
  const page = await pageOf(file ?? lastRun())
  if (folder === undefined) return serve(page, port, io)
  const path = join(folder, 'index.html')
  await mkdir(folder, { recursive: true })
    .then(() => writeFile(path, page))
    .catch((cause: unknown) =>
      refuseOption('DN-WRITE', `--html: cannot write ${path}: ${reasonOf(cause)}`, cause),
    )
  return { text: `${path}\n`, code: 0 }
}

function lastRun(): string {
  const path = lastRunPath('.')
  return existsSync(path)
    ? path
    : refuseOption('DN-KEPT', `no failed test is kept in this folder (${path}): name a file`)
}

async function pageOf(file: string): Promise<string> {
  const failures = encodeForPage(await readReport(file))
  const page = await readFile(join(findPackage().folder, 'dist', 'report.html'), 'utf8')
  return page.replace('REPORT', Buffer.from(failures).toString('base64'))
}

async function serve(
  page: string,
  port: number,
  { env, isTTY, stdout, signals }: Pick<Io, 'env' | 'isTTY' | 'stdout' | 'signals'>,
): Promise<CommandResult> {
  const server = createServer(({ headers: { host = '' } }, response) => {
    // A stranger's page whose host name resolves to this machine must not read the sources.
    if (!/^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host)) return void response.writeHead(403).end()
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    response.end(page)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((cause: unknown) => refuseOption('DN-LISTEN', `--port: ${reasonOf(cause)}`, cause))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}/`
  stdout.write(`${url} shows the failures until Ctrl-C\n`)
  if (isTTY && !env['CI']) openBrowser(url)
  await untilSignal(signals)
  server.closeAllConnections()
  server.close()
  return { text: '', code: 0 }
}

/** Programs that open a URL in the browser of the user. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[platform()] ?? ['xdg-open']
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
