/** After a run: closes what the test files shared. Both run in the process of Jest. */
export default async function closeRun() {
  const { closeRun } = await import('../shared-run.ts')
  await closeRun()
}
