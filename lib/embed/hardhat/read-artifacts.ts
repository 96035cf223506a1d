/** Notes which contracts a file's tests read, for runs that leave out files. Interfaces run no code. */

interface Artifact {
  readonly sourceName: string
  readonly contractName: string
}

export interface ArtifactReader {
  readArtifact: (name: string) => Promise<Artifact>
  /** Absent in Hardhat 3. */
  readArtifactSync?: (name: string) => Artifact
}

export function watchArtifacts(reader: ArtifactReader): void {
  const note = ({ sourceName, contractName }: Artifact): void => {
    if (process.env['DEV_NODE_AFFECTED_RUN'] === undefined) return
    void import('../affected/parts.ts').then((parts) => parts.noteContract(`${sourceName}:${contractName}`))
  }
  const { readArtifact, readArtifactSync } = reader
  reader.readArtifact = async (name) => {
    const artifact = await readArtifact.call(reader, name)
    note(artifact)
    return artifact
  }
  if (readArtifactSync === undefined) return
  reader.readArtifactSync = (name) => {
    const artifact = readArtifactSync.call(reader, name)
    note(artifact)
    return artifact
  }
}
