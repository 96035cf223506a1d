/** Reads errors of the system and of libraries, which are of any type. */

export function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}

export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}

/** Replaces the error of a missing file or folder by a value. A file in the place of a folder counts as a missing folder. */
export function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return value
    throw error
  }
}
