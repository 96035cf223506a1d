/**
 * Before a jest run: compiles the core of the machine if its sources have changed, makes a folder for temporary files, and packs and
 * installs the project there at the first request of a test file. packed-command.ts starts it.
 */
import { execFile } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

declare global {
  /** Closes the resources of the setup; the teardown runs in the same process. */
  var releaseRun: (() => Promise<void>) | undefined
}

const projectFolder = join(import.meta.dirname, '..', '..')

/**
 * Makes the temp directory of workers and their processes, which is deleted after the run. Then it listens for `GET /`,
 * which returns the path of the installed command, and sets its address in DEV_NODE_PACK_URL. Workers share the installed
 * command without locks, and a run that does not need it does not install it.
 */
export default async function openRun(): Promise<void> {
  await run(process.execPath, projectFolder, ['scripts/build-core.js'])
  await run(process.execPath, projectFolder, ['scripts/build-explorer.js'])
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-tests-'))
  // Programs of other users, which the test of the image starts, pass through it.
  await chmod(folder, 0o711)
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

/** Packs the project like a release, and installs the package in an empty folder. */
async function install(folder: string): Promise<string> {
  await mkdir(folder)
  await run('npm', projectFolder, ['pack', '--pack-destination', folder])
  // npm describes an installed tree only if its root has a name and a version.
  await writeFile(join(folder, 'package.json'), '{ "name": "consumer", "version": "1.0.0", "private": true }')
  const packages = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
  const quick = ['--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', folder, [
    'install',
    '--prefix',
    folder,
    ...quick,
    ...packages.map((name) => join(folder, name)),
  ])
  const command = join(folder, 'node_modules', '.bin', 'dev-node')
  // The command is missing after two simultaneous builds in one checkout: fail here, not at every start.
  await access(command)
  return command
}

/** The compiler reports on stdout, so a failure carries both. */
async function run(command: string, cwd: string, args: readonly string[]): Promise<void> {
  const options = { cwd, maxBuffer: 16 * 1024 * 1024 }
  await new Promise<void>((resolve, reject) => {
    execFile(command, [...args], options, (error, stdout) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${stdout}`, { cause: error }))
    })
  })
}
