/** Removes what global-setup.ts made. */

/** Closes the server of the packed command and deletes its folder. */
export default async function closePackedCommand(): Promise<void> {
  await globalThis.releasePackedCommand?.()
}
