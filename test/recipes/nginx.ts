/** A real nginx with a configuration file, where it is installed. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { mustBeInstalled } from '../support/installable.ts'

/** Path of the program; undefined where none is installed. */
export const nginxPath = process.env['NGINX'] ?? ['/usr/sbin/nginx', '/usr/bin/nginx'].find(existsSync)

mustBeInstalled(nginxPath, 'nginx-light', 'NGINX')

/** A running nginx. */
export interface Nginx {
  readonly close: () => Promise<void>
}

/** Runs nginx until `close` is called. It is ready when it answers at the URL. */
export async function startNginx(configuration: string, url: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'))
  const file = join(folder, 'nginx.conf')
  await writeFile(file, configuration)
  const child = spawn(nginxPath!, ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await isThere(url))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${printed}`)
    await wait(20)
  }
  return { close }
}

const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
