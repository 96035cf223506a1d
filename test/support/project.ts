/** Creates a user's project in a temporary folder, with the packed command among its packages. */
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { commandPath, packagesFolder } from './packed-command.ts'
import type { PackageSet } from './packages.ts'

const root = join(import.meta.dirname, '..', '..')

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
  await addPackages(project.folder)
  return project
}

/** Gives a folder the packages of a set, or the development dependencies of this project, and the packed command. */
export async function addPackages(folder: string, set?: PackageSet): Promise<void> {
  await linkPackages(set === undefined ? root : await packagesFolder(set), folder)
  await addDevNode(folder)
}

/** A project with a set of packages, which the run installs once. */
export async function createProjectWith(set: PackageSet): Promise<Project> {
  const project = await installProject(set)
  await addDevNode(project.folder)
  return project
}

/** The same without the packed command. */
export async function installProject(set: PackageSet): Promise<Project> {
  const project = await emptyProject({ dependencies: set.dependencies })
  await linkPackages(await packagesFolder(set), project.folder)
  return project
}

/** Links each package of a folder, so that the project can have others too. */
async function linkPackages(from: string, folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(from, 'node_modules'))) {
    if (name.startsWith('.') && name !== '.bin') continue
    await symlink(join(from, 'node_modules', name), join(folder, 'node_modules', name))
  }
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
async function addDevNode(folder: string): Promise<void> {
  const packed = dirname(dirname(await realpath(await commandPath())))
  await cp(packed, join(folder, 'node_modules', 'dev-node'), { recursive: true })
}
