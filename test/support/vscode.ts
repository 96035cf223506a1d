/** A stand-in of VS Code: the part of its API that the extension uses, and what a test does with the editor and sees of it. */

import type * as api from 'vscode'

/** An editor with the extension. */
export interface Editor {
  /** The settings of the user by their whole names. */
  settings: Readonly<Record<string, string>>
  /** Settings that the extension has read. */
  readonly readSettings: Set<string>
  folder: string | undefined
  shown: api.TextDocument | undefined
  /** Offset of the cursor in the shown document. */
  cursor: number
  clipboard: string
  /** Answers an input box. */
  answer: (box: api.InputBoxOptions) => string | undefined
  readonly commands: Map<string, (...given: any[]) => unknown>
  readonly configurations: Map<string, api.DebugConfigurationProvider>
  readonly adapters: Map<string, api.DebugAdapterDescriptorFactory>
  readonly lenses: Map<string, api.CodeLensProvider>
  /** What debugging was started with, after the extension completed it. */
  readonly started: api.DebugConfiguration[]
  readonly events: Record<'state' | 'save' | 'settings' | 'end' | 'shell', EventEmitter<any>>
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>()
  readonly event = (listener: (event: T) => unknown): api.Disposable => {
    this.#listeners.add(listener)
    return { dispose: () => this.#listeners.delete(listener) }
  }
  fire(event: T): void {
    for (const listener of this.#listeners) listener(event)
  }
  dispose(): void {
    this.#listeners.clear()
  }
}

const newEditor = (): Editor => ({
  settings: {},
  readSettings: new Set(),
  folder: undefined,
  shown: undefined,
  cursor: 0,
  clipboard: '',
  answer: () => undefined,
  commands: new Map(),
  configurations: new Map(),
  adapters: new Map(),
  lenses: new Map(),
  started: [],
  events: {
    state: new EventEmitter(),
    save: new EventEmitter(),
    settings: new EventEmitter(),
    end: new EventEmitter(),
    shell: new EventEmitter(),
  },
})

let editor = newEditor()

/** Starts another editor with the extension, in a folder. */
export async function openEditor(given: Partial<Editor> = {}): Promise<Editor> {
  const { activate } = await import('../../editors/vscode/extension.ts')
  editor = { ...newEditor(), ...given }
  activate({ subscriptions: [] as api.Disposable[] } as api.ExtensionContext)
  return editor
}

/** A Solidity file in the editor. */
export function documentOf(fsPath: string, text: string): api.TextDocument {
  const lines = text.split('\n')
  const document = {
    uri: { path: fsPath, fsPath },
    lineCount: lines.length,
    getText: (range?: Range) => (range === undefined ? text : text.slice(range.from, range.to)),
    lineAt: (line: number) => ({ text: lines[line] }),
    getWordRangeAtPosition: (at: number, pattern: RegExp) => {
      const all = [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))]
      const found = all.find(({ index, 0: word }) => index <= at && at <= index + word.length)
      return found && new Range(0, found.index, 0, found.index + found[0].length)
    },
  }
  return document as unknown as api.TextDocument
}

/** Presses F5 without a launch.json in a file of a type of the extension. */
export const pressF5 = () => debug.startDebugging(folderOf(editor), {} as api.DebugConfiguration)

const folderOf = ({ folder }: Editor) =>
  folder === undefined ? undefined : ({ uri: { path: folder, fsPath: folder } } as api.WorkspaceFolder)

export class Range {
  readonly line: number
  readonly from: number
  readonly to: number
  constructor(line: number, from: number, _toLine: number, to: number) {
    this.line = line
    this.from = from
    this.to = to
  }
}

export class CodeLens {
  readonly range: Range
  readonly command: api.Command
  constructor(range: Range, command: api.Command) {
    this.range = range
    this.command = command
  }
}

export class DebugAdapterExecutable {
  readonly command: string
  readonly args: readonly string[]
  readonly options: api.DebugAdapterExecutableOptions
  constructor(command: string, args: readonly string[], options: api.DebugAdapterExecutableOptions) {
    this.command = command
    this.args = args
    this.options = options
  }
}

/** Registers a value under a name, until it is disposed. */
const registering =
  <V>(map: (editor: Editor) => Map<string, V>) =>
  (name: string, value: V): api.Disposable => {
    const registered = map(editor).set(name, value)
    return { dispose: () => registered.delete(name) }
  }

export const commands = { registerCommand: registering(({ commands: all }) => all) }

export const debug = {
  registerDebugConfigurationProvider: registering(({ configurations }) => configurations),
  registerDebugAdapterDescriptorFactory: registering(({ adapters }) => adapters),
  onDidTerminateDebugSession: (listener: () => void) => editor.events.end.event(listener),
  startDebugging: async (folder: api.WorkspaceFolder | undefined, given: api.DebugConfiguration) => {
    const [provider] = editor.configurations.values()
    const resolved = await provider?.resolveDebugConfiguration?.(folder, given)
    if (resolved) editor.started.push(resolved)
    return true
  },
}

export const languages = {
  registerCodeLensProvider: ({ language = '' }: api.DocumentFilter, provider: api.CodeLensProvider) =>
    registering(({ lenses }) => lenses)(language, provider),
}

export const window = {
  get activeTextEditor() {
    return editor.shown && { document: editor.shown, selection: { active: editor.cursor } }
  },
  showInputBox: async (box: api.InputBoxOptions) => {
    const text = editor.answer(box)
    // The editor does not let a user enter what is not valid.
    return text !== undefined && box.validateInput?.(text) === undefined ? text : undefined
  },
  onDidChangeWindowState: (listener: (state: api.WindowState) => void) => editor.events.state.event(listener),
  onDidEndTerminalShellExecution: (listener: () => void) => editor.events.shell.event(listener),
}

export const workspace = {
  get workspaceFolders() {
    const folder = folderOf(editor)
    return folder && [folder]
  },
  getWorkspaceFolder: () => folderOf(editor),
  getConfiguration: (section: string) => ({
    get: (name: string, byDefault: string) => {
      editor.readSettings.add(`${section}.${name}`)
      return editor.settings[`${section}.${name}`] ?? byDefault
    },
  }),
  onDidSaveTextDocument: (listener: () => void) => editor.events.save.event(listener),
  onDidChangeConfiguration: (listener: () => void) => editor.events.settings.event(listener),
}

export const env = { clipboard: { readText: async () => editor.clipboard } }
