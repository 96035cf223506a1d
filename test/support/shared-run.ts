/**
 * What a run of Jest shares: the compiled core of the machine, a folder for temporary files, a browser, and a server for what
 * run-installs.ts installs there, which packed-command.ts and project.ts ask for.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserServer } from 'playwright-core'
import { RunInstalls, run } from './run-installs.ts'

let release = async (): Promise<void> => undefined

const projectFolder = join(import.meta.dirname, '..', '..')

/** The part of Jest's configuration that is read here. */
interface RunConfig {
  /** Which suites were asked for; no patterns for all. */
  readonly testPathPatterns: { readonly patterns: readonly string[] }
}

interface ProjectConfig {
  /** `installs` if the suites use what is installed for a run. */
  readonly testEnvironmentOptions: { readonly installs?: boolean }
}

/**
 * Makes the temp directory of workers and their processes, which is deleted after the run. Then it listens for `GET /`,
 * which returns the path of the installed command, for `GET /?packages=<set>`, which returns the folder with these packages,
 * and for `GET /?browser=<program>`, which returns the address of a browser, and sets its address in DEV_NODE_PACK_URL. Workers share what is installed without locks. A run of some suites installs
 * only what they use; a run of all slow ones begins at once.
 */
export async function openRun(
  { testPathPatterns }: RunConfig,
  { testEnvironmentOptions }: ProjectConfig,
): Promise<void> {
  await run(process.execPath, projectFolder, ['scripts/build-core.js'])
  await run(process.execPath, projectFolder, ['scripts/build-explorer.js'])
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-tests-'))
  // Programs of other users, which the test of the image starts, pass through it.
  await chmod(folder, 0o711)
  process.env['TMPDIR'] = folder
  // Node 22, on which Hardhat 3 runs, keeps compiled code there: each start takes a fifth less.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compile-cache')
  const installs = new RunInstalls(folder)
  let browser: Promise<BrowserServer> | undefined
  const server = createServer(({ url = '/' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost')
    const [set, program] = [searchParams.get('packages'), searchParams.get('browser')]
    const answer =
      program !== null
        ? (browser ??= openBrowser(program)).then((opened) => opened.wsEndpoint())
        : set === null
          ? installs.command()
          : installs.packages(set)
    answer.then(
      (found) => response.end(found),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  process.env['DEV_NODE_PACK_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  if (testEnvironmentOptions.installs === true && testPathPatterns.patterns.length === 0)
    installs.prepareAll()
  release = async () => {
    server.close()
    server.closeAllConnections()
    await installs.close()
    await (await browser)?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openBrowser(executablePath: string): Promise<BrowserServer> {
  const { chromium } = await import('playwright-core')
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ]
  return chromium.launchServer({ executablePath, args })
}

/** Closes the server and deletes the folder. */
export const closeRun = (): Promise<void> => release()
