/** Says after a whole run of the fast tests what the slow ones add. */
module.exports = class FastReporter {
  constructor({ testPathPatterns, watch, findRelatedTests, listTests }) {
    this.isWhole = testPathPatterns.patterns.length === 0 && !watch && !findRelatedTests && !listTests
  }

  async onRunComplete() {
    if (!this.isWhole) return
    const { repeatedTests, slowTests } = await import('./tiers.js')
    const added = `${slowTests.length} files of tests with compilers, other nodes, a browser and the installed command`
    process.stderr.write(
      `\nnpm run test:all adds ${added}, and repeats ${repeatedTests.length} files with all compilers and all runs of their random laws.\n`,
    )
  }
}
