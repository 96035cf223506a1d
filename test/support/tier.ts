/** The tier that runs: a whole one makes all runs of the laws and takes all compilers. */

/** Whether this is the slow tier, which repeats with all cases each test file that asks this. */
export const isWhole = (globalThis as { lawRuns?: number }).lawRuns === 1
