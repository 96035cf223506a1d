/** Creates a user's project in a temporary folder, with the packed command among its packages. */
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { commandPath } from './packed-command.ts'
import { runShell } from './recipes.ts'

const installed = join(import.meta.dirname, '..', '..', 'node_modules')

/** A project and how to delete it. */
export interface Project {
  readonly folder: string
  /** Writes a file and creates missing folders. */
  readonly write: (file: string, content: string) => Promise<void>
  readonly remove: () => Promise<void>
}

/** A project with the development dependencies of this project. */
export async function createProject(): Promise<Project> {
  const project = await emptyProject()
  const modules = join(project.folder, 'node_modules')
  await mkdir(modules)
  for (const name of await readdir(installed)) {
    if (!name.startsWith('.') || name === '.bin') await symlink(join(installed, name), join(modules, name))
  }
  await addDevNode(modules)
  return project
}

/** A project with newly installed packages, by name and exact version. */
export async function createProjectWith(
  dependencies: Readonly<Record<string, string>>,
  install?: string,
): Promise<Project> {
  const project = await installProject(dependencies, install)
  await addDevNode(join(project.folder, 'node_modules'))
  return project
}

/** The same without the packed command. */
export async function installProject(
  dependencies: Readonly<Record<string, string>>,
  install = 'npm install --no-audit --no-fund --no-package-lock',
): Promise<Project> {
  const project = await emptyProject({ dependencies })
  const { exitCode, output } = await runShell(install, project.folder)
  if (exitCode !== 0) throw new Error(`the packages of the project could not be installed\n${output}`)
  return project
}

async function emptyProject(more: object = {}): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-project-'))
  const write = async (file: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), content)
  }
  await write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module', ...more }))
  return { folder, write, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Copies the packed command. A linked package would resolve its dependencies at the link's target. */
async function addDevNode(modules: string): Promise<void> {
  const packed = dirname(dirname(await realpath(await commandPath())))
  await cp(packed, join(modules, 'dev-node'), { recursive: true })
}
