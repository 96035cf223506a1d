/**
 * Gives a jest run a folder for its temporary files, and packs and installs the project there once, when the first test file
 * asks. Starting it is packed-command.ts's.
 */
import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

declare global {
  /** Closes what the setup opened; the teardown runs in the same process. */
  var releaseRun: (() => Promise<void>) | undefined
}

const projectFolder = join(import.meta.dirname, '..', '..')

/**
 * Makes the folder that workers, and the processes they start, take for the temp directory: nothing of it outlives the run.
 * Then listens for `GET /`, which answers the path of the installed command, and names its address in DEV_NODE_PACK_URL.
 * Workers share the one answer without locks, and a run that needs none pays nothing.
 */
export default async function openRun(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-tests-'))
  process.env['TMPDIR'] = folder
  let command: Promise<string> | undefined
  const server = createServer((_request, response) => {
    command ??= install(join(folder, 'packed'))
    command.then(
      (path) => response.end(path),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  process.env['DEV_NODE_PACK_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  globalThis.releaseRun = async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Packs the project as a release would be, and installs the package where nothing else is. */
async function install(folder: string): Promise<string> {
  await mkdir(folder)
  await npm(projectFolder, ['pack', '--pack-destination', folder])
  const packages = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const quick = ['--no-audit', '--no-fund', '--prefer-offline']
  await npm(folder, ['install', '--prefix', folder, ...quick, ...packages.map((name) => join(folder, name))])
  const command = join(folder, 'node_modules', '.bin', 'dev-node')
  // Missing when two builds in one checkout met: fail here and not at every start.
  await access(command)
  return command
}

/** The compiler reports on stdout, so a failure carries both. */
async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 }
  await new Promise<void>((resolve, reject) => {
    execFile('npm', [...args], options, (error, stdout) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${stdout}`, { cause: error }))
    })
  })
}
