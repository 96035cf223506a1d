/** Before a run: lets Node load TypeScript, and opens what the test files share. */
import { register } from 'node:module'

register('./typescript.js', import.meta.url)
const { openRun } = await import('../shared-run.ts')

export default openRun
