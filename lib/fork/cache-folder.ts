/** Finds the default folder of the fork cache. */

import { homedir, platform } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { trouble } from '../base/errors.ts'
import type { Options } from '../config/options.ts'

interface UserSystem {
  readonly platform: string
  readonly home: string
}

/**
 * The folder of the fork cache, in the system's folder for caches: XDG_CACHE_HOME or ~/.cache, ~/Library/Caches on macOS,
 * LOCALAPPDATA on Windows. A variable that is not an absolute path is ignored (XDG Base Directory Specification). @throws NodeError
 * 'invalidOption' if the user has no home folder
 */
export function defaultCacheFolder(
  env: Readonly<Record<string, string | undefined>>,
  system: UserSystem = { platform: platform(), home: homeFolder() },
): string {
  return join(cachesOf(env, system), 'dev-node', 'fork')
}

/** The folder that the options name; undefined if they turn the cache off. @throws NodeError 'invalidOption' */
export function cacheFolderOf({ forkCache, noForkCache }: Options): string | undefined {
  if (forkCache === false || noForkCache === true) return undefined
  return forkCache ?? defaultCacheFolder({})
}

/** The options with the folder of the fork cache, whose default depends on the environment. */
export function withCacheFolder<Given extends Options>(
  options: Given,
  env: Readonly<Record<string, string | undefined>>,
): Given {
  if (options.forkCache !== undefined || options.noForkCache === true) return options
  try {
    return { ...options, forkCache: defaultCacheFolder(env) }
  } catch {
    // A user without a home folder gets the error with the first fork. A node without forks needs no folder.
    return options
  }
}

function cachesOf(env: Readonly<Record<string, string | undefined>>, { platform, home }: UserSystem): string {
  if (platform === 'darwin') return join(home, 'Library', 'Caches')
  if (platform === 'win32') return absolute(env['LOCALAPPDATA']) ?? join(home, 'AppData', 'Local')
  return absolute(env['XDG_CACHE_HOME']) ?? join(home, '.cache')
}

function homeFolder(): string {
  try {
    return homedir()
  } catch (cause) {
    const message = 'the user has no home folder: name a folder for the fork cache with --fork-cache'
    throw trouble('DN-MISSING', message, cause)
  }
}

const absolute = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined
