/** Runs `dev-node init`: shows what a project needs in order to use this node, and writes it after a yes. */

import { readFile, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { NodeError, refuseOption } from '../base/errors.ts'
import { ownNodeVersion } from '../base/process-usage.ts'
import { replaceFile } from '../base/replace-file.ts'
import { reasonOf, whenMissing } from '../base/system-errors.ts'
import { findPackage } from '../config/package.ts'
import type { CommandResult, Io } from './io.ts'
import { COMMAND_FLAGS, INIT_NETWORKS, readText, refuseExtra, refuseUnknown } from './command-flags.ts'
import type { CommandLine, InitNetwork } from './command-flags.ts'
import { setupOf, type FileChange, type Project } from './init-tools.ts'

/** The project, and how to ask its author. */
interface InitPlace extends Pick<Io, 'ask'> {
  readonly folder?: string
  readonly nodeVersion?: string
}

/** Exit code if the project is not set up. */
const NOT_DONE = 1

/** Runs the command. @throws NodeError 'invalidOption' naming the word or the flag, also if a file cannot be read or written */
export async function runInitCommand(
  { words: [word], flags }: CommandLine,
  place: InitPlace,
): Promise<CommandResult> {
  refuseExtra(word)
  refuseUnknown(flags, 'init', COMMAND_FLAGS.init)
  const named = readText(flags, 'network')
  const network = named === undefined ? undefined : readNetwork(named)
  try {
    return await run(network, flags['yes'] === true, place)
  } catch (cause) {
    if (cause instanceof NodeError) throw cause
    throw new NodeError('invalidOption', `init: ${reasonOf(cause)}`, { cause })
  }
}

async function run(
  network: InitNetwork | undefined,
  isConfirmed: boolean,
  { folder = '.', nodeVersion = ownNodeVersion(), ask }: InitPlace,
): Promise<CommandResult> {
  const project = { nodeVersion, ...(await readProject(folder)) }
  let setup = await setupOf(project, network ?? INIT_NETWORKS[0])
  if (setup.changes.length > 0 && network === undefined && !isConfirmed && ask !== undefined)
    setup = await setupOf(project, readNetwork((await ask(NETWORK_QUESTION)).trim() || INIT_NETWORKS[0]))
  const isInstalled = project.packages['dev-node'] !== undefined
  const install = isInstalled
    ? []
    : [`npm install --save-dev ./dev-node-${findPackage().version}.tgz${PACKED}`]
  const byHand = setup.changes.flatMap(({ after, file }) =>
    after === undefined ? [`add the lines above to ${file}`] : [],
  )
  const next = ['Next:', ...install.concat(byHand, setup.next).map((step) => `  ${step}`), ''].join('\n')
  const shown = [`This project uses ${setup.tool}.`, ...setup.changes.map(textOf), ''].join('\n\n')
  const files = setup.changes.flatMap(({ after, ...file }) =>
    after === undefined ? [] : [{ ...file, after }],
  )
  const code = files.length < setup.changes.length ? NOT_DONE : 0
  if (files.length === 0)
    return { text: `${shown}${code === 0 ? 'Nothing has to be changed.\n\n' : ''}${next}`, code }
  if (!isConfirmed && ask === undefined)
    return { text: `${shown}Nothing was changed: there is no terminal to ask. Add --yes.\n`, code: NOT_DONE }
  if (!isConfirmed && !/^y(es)?$/i.test((await ask?.(`${shown}Write this? (y/N) `)) ?? ''))
    return { text: 'Nothing was changed.\n', code: NOT_DONE }
  for (const file of files) await write(folder, file)
  const done = `Written: ${files.map(({ file }) => file).join(', ')}\n\n${next}`
  return { text: isConfirmed ? `${shown}${done}` : done, code }
}

const PACKED = '  # the file that `npm pack` makes in the repository of dev-node'

const NETWORK_QUESTION = `The rules of ${INIT_NETWORKS.join(' or ')}? (${INIT_NETWORKS[0]}) `

/** @throws NodeError 'invalidOption' */
function readNetwork(given: string): InitNetwork {
  const known = INIT_NETWORKS.find((name) => name === given)
  return known ?? refuseOption(`--network: expected ${INIT_NETWORKS.join(' or ')}, got "${given}"`)
}

const texts = z.record(z.string(), z.string()).catch({})
const manifestSchema = z.object({ scripts: texts, dependencies: texts, devDependencies: texts })

async function readProject(folder: string): Promise<Omit<Project, 'nodeVersion'>> {
  const read = async (file: string): Promise<string> =>
    (await readFile(join(folder, file), 'utf8').catch(whenMissing(''))).replaceAll('\r\n', '\n')
  const { scripts, ...lists } = readManifest((await read('package.json')) || '{}')
  const packages = { ...lists.dependencies, ...lists.devDependencies }
  const forgeScripts = await readdir(join(folder, 'script')).catch(whenMissing([]))
  return { files: await readdir(folder), scripts, packages, forgeScripts, read }
}

function readManifest(text: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new NodeError('invalidOption', `init: package.json: ${reasonOf(cause)}`, { cause })
  }
}

/** A change as text: the removed and added lines, or the lines that the user adds by hand. */
function textOf({ file, before, after, lines }: FileChange): string {
  const [old, now] = [before.split('\n'), after?.split('\n') ?? []]
  const removed = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `+ ${line}`)
  const [title, shown] =
    after === undefined ? [`Add to ${file} by hand:`, lines] : [`${file}:`, removed.concat(added)]
  return [title, ...shown.map((line) => `  ${line}`)].join('\n')
}

/** Writes a file, unless it has changed since it was read. */
async function write(folder: string, { file, before, after }: FileChange & { after: string }): Promise<void> {
  const given = join(folder, file)
  const now = await readFile(given, 'utf8').catch(whenMissing(undefined))
  if ((now ?? '').replaceAll('\r\n', '\n') !== before)
    refuseOption(`init: ${file} was changed in the meantime, and is left as it is`)
  const path = now === undefined ? given : await realpath(given)
  const mode = now === undefined ? undefined : (await stat(path)).mode & 0o777
  const text = now?.includes('\r\n') === true ? after.replaceAll('\n', '\r\n') : after
  await replaceFile({ path, mode }, text)
}
