/** Releases the resources of global-setup.ts and deletes the temp directory of the run. */

/** Closes the server of the packed command and deletes the folder of the run. */
export default async function closeRun(): Promise<void> {
  await globalThis.releaseRun?.()
}
