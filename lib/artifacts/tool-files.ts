/** What the readers of the tools share: the folder of an artifact and the files that belong to it. */

import type { BuildInfo } from './build-info.ts'
import type { JsonFile } from './json-file.ts'

/** A folder with the artifacts of a tool. */
export interface ArtifactFolder {
  readonly path: string
  /** Paths of the files in its folder `build-info`, newest first. */
  readonly buildInfos: readonly string[]
  /** The artifacts of Truffle, whose sources are those of the compilation. */
  readonly truffleFiles: () => readonly JsonFile[]
  /** Paths of the artifacts in the folders with a name, which is that of the source in Foundry. */
  readonly artifactsIn: (name: string) => readonly string[]
  /** Opens a file; absent if it does not exist or cannot be read. Its fault is reported once. */
  readonly open: (path: string) => JsonFile | undefined
  /**
   * The run of a compiler that files describe; absent if the output cannot be read, which is reported once. The same paths give the
   * same run until a file changes.
   */
  readonly build: (outputPath: string, inputPath?: string) => BuildInfo | undefined
}
