/** Loads modules of the command for the library and for the plugins of Hardhat, with the same code cache. */

import { fileURLToPath } from 'node:url'
import { once } from '../lib/base/once.ts'
import { runCached } from './cached-script.ts'

/** Name of the bundled command. The build sets it; a hash of the content is part of it. */
declare const COMMAND_FILE: string

const loadCommand = once(() => runCached(fileURLToPath(new URL(COMMAND_FILE, import.meta.url))))

/** The exports of a module by its name in scripts/build.js. */
export function loadPart(name: string): unknown {
  const command = loadCommand()
  return hasParts(command) ? command.parts[name]?.() : undefined
}

const hasParts = (
  command: unknown,
): command is { readonly parts: Readonly<Record<string, (() => unknown) | undefined>> } =>
  typeof command === 'object' && command !== null && 'parts' in command
