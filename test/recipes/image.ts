/**
 * Builds an image from a Dockerfile without a container engine: each stage is a folder that stands for the root of its file system, and
 * base images are this machine. Every instruction is run or kept; an unknown one is an error.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, readFile, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Copy, DockerfileParser } from 'dockerfile-ast'
import type { Instruction } from 'dockerfile-ast'
import { runShell } from '../support/recipes.ts'

/** Folders of the image that differ from those of this machine. */
const OWN_FOLDERS = /(?<=^|[\s"=])(?=\/(?:opt|state)\b)/g

/** A stage of a Dockerfile, and in the end the image. */
export interface Image {
  /** The folder that stands for `/`. */
  readonly root: string
  readonly from: string
  workdir: string
  user: string
  readonly environment: Record<string, string>
  readonly volumes: string[]
  readonly ports: string[]
  healthcheck: readonly string[]
  entrypoint: readonly string[]
  command: readonly string[]
}

/** The user of this machine stands for every user of an image where it cannot become another one. */
const isRoot = process.getuid?.() === 0

/** A path or a text of the image as one of this machine. */
export const outside = ({ root }: Pick<Image, 'root'>, text: string): string =>
  text.replaceAll(OWN_FOLDERS, root)

/** Builds the last stage of a Dockerfile from a context, in a folder. */
export async function buildImage(dockerfile: string, context: string, folder: string): Promise<Image> {
  const stages = new Map<string, Image>()
  for (const instruction of DockerfileParser.parse(await readFile(dockerfile, 'utf8')).getInstructions()) {
    const stage = [...stages.values()].at(-1)
    if (instruction.getKeyword() === 'FROM') {
      const [from = '', , name = `stage-${stages.size}`] = wordsOf(instruction)
      stages.set(name, await newStage(from, join(folder, name)))
    } else await execute(instruction, stage!, { context, stages })
  }
  return [...stages.values()].at(-1)!
}

async function newStage(from: string, root: string): Promise<Image> {
  await mkdir(join(root, 'opt'), { recursive: true })
  await chmod(root, 0o755)
  const kept = { volumes: [], ports: [], healthcheck: [], entrypoint: [], command: [] }
  return { root, from, workdir: '/', user: '0:0', environment: {}, ...kept }
}

/** What COPY copies from. */
interface Sources {
  readonly context: string
  readonly stages: ReadonlyMap<string, Image>
}

async function execute(instruction: Instruction, image: Image, sources: Sources): Promise<void> {
  const words = wordsOf(instruction)
  const text = instruction.getArgumentsContent() ?? ''
  switch (instruction.getKeyword()) {
    case 'WORKDIR':
      image.workdir = resolve(image.workdir, text)
      await mkdir(join(image.root, image.workdir), { recursive: true })
      return
    case 'COPY':
      if (instruction instanceof Copy) await copy(instruction, image, sources)
      return
    case 'RUN':
      return run(text, image)
    case 'ENV':
      for (const word of words) image.environment[word.split('=')[0]!] = word.slice(word.indexOf('=') + 1)
      return
    case 'USER':
      image.user = text
      return
    case 'VOLUME':
      image.volumes.push(...words)
      return
    case 'EXPOSE':
      image.ports.push(...words)
      return
    case 'HEALTHCHECK':
      image.healthcheck = listOf(text.replace(/^CMD /, ''))
      return
    case 'ENTRYPOINT':
      image.entrypoint = listOf(text)
      return
    case 'CMD':
      image.command = listOf(text)
      return
    default:
      throw new Error(`the test does not know the instruction ${instruction.getKeyword()}`)
  }
}

const wordsOf = (instruction: Instruction): readonly string[] =>
  instruction.getArguments().map((argument) => argument.getValue())

const listOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[]

/** Copies from a stage, or files of the context that .dockerignore leaves in it. */
async function copy(instruction: Copy, image: Image, { context, stages }: Sources): Promise<void> {
  const flags = instruction.getFlags()
  const from = instruction.getFromFlag()?.getValue()
  if (flags.some((flag) => flag.getName() !== 'from')) throw new Error('the test knows only the flag --from')
  const [source, target, ...more] = wordsOf(instruction)
  if (more.length > 0) throw new Error('the test copies from one source')
  const into = join(image.root, resolve(image.workdir, target!))
  if (typeof from === 'string') return cp(join(stages.get(from)!.root, source!), into, { recursive: true })
  const included = await includedPattern(context)
  if (source !== included)
    throw new Error(`.dockerignore leaves ${included} in the context, and not ${source}`)
  const [start = '', end = ''] = source.split('*')
  for (const file of await readdir(context))
    if (file.startsWith(start) && file.endsWith(end)) await cp(join(context, file), join(into, file))
}

/** The pattern of the files that .dockerignore leaves in: `*` and one exception. */
async function includedPattern(context: string): Promise<string> {
  const text = await readFile(join(context, '.dockerignore'), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length !== 2 || lines[0] !== '*') throw new Error('.dockerignore does not leave out everything')
  return lines[1]!.replace(/^!/, '')
}

async function run(command: string, image: Image): Promise<void> {
  // Without root no other user can own a folder.
  const line = isRoot ? command : command.replaceAll(/(-[og]) 1000\b/g, '')
  const { exitCode, output } = await runShell(outside(image, line), join(image.root, image.workdir))
  if (exitCode !== 0) throw new Error(`${command}: ${output}`)
}

/** A program that runs in a container. */
export interface Container {
  /** Id of the process in this machine. */
  readonly pid: () => Promise<number>
  readonly printed: () => string
  readonly exited: Promise<number | null>
  /** Sends the signal of `docker stop`. */
  readonly stop: () => Promise<number | null>
  /** Ends it at once. */
  readonly kill: () => Promise<number | null>
}

/** Whether processes can have process ids of their own. */
const hasOwnIds = isRoot && spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

/** Starts the image with arguments and variables: as its user, and as process 1 where this machine lets tests do that. */
export function startContainer(
  image: Image,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Container {
  const [program, ...rest] = asUser(image, [
    ...image.entrypoint,
    ...(args.length === 0 ? image.command : args),
  ])
  const child = hasOwnIds
    ? spawn('unshare', ['--pid', '--fork', '--kill-child', program!, ...rest], settingsOf(image, env))
    : spawn(program!, rest, settingsOf(image, env))
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const exited = new Promise<number | null>((done) => child.once('close', done))
  const pid = async (): Promise<number> => {
    if (!hasOwnIds) return child.pid!
    return Number(await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
  }
  const stop = async () => {
    process.kill(await pid(), 'SIGTERM')
    return exited
  }
  const kill = async () => {
    // A process that became another user does not end with its parent.
    const inner = await pid().catch(() => 0)
    if (inner > 0) process.kill(inner, 'SIGKILL')
    child.kill('SIGKILL')
    return exited
  }
  return { pid, printed: () => printed, exited, stop, kill }
}

/** Runs the health check of the image; resolves to its exit code. */
export function checkHealth(image: Image, env: Readonly<Record<string, string>>): Promise<number | null> {
  const [program, ...args] = asUser(image, image.healthcheck)
  const child = spawn(program!, args, { ...settingsOf(image, env), stdio: 'ignore' })
  return new Promise((done) => child.once('close', done))
}

/** The command line that runs a program of the image as its user. */
function asUser(image: Image, command: readonly string[]): readonly string[] {
  const inside = command.map((word) => outside(image, word))
  const [uid, gid] = image.user.split(':')
  return isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...inside] : inside
}

/** Folder and variables of a process: of those of this machine, only the path of its programs. */
function settingsOf(image: Image, env: Readonly<Record<string, string>>) {
  const own = Object.entries(image.environment).map(([name, value]) => [name, outside(image, value)])
  const variables = { PATH: process.env['PATH'], ...Object.fromEntries(own), ...env }
  return {
    cwd: join(image.root, image.workdir),
    env: variables,
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  }
}

/** Copies files into the context of a build. */
export async function copyInto(context: string, files: readonly string[]): Promise<void> {
  for (const file of files) await cp(file, join(context, basename(file)))
}
