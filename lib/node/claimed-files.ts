/** Claims the files and folders of the options for one node. The state file is claimed by node/persistence/state-keeper.ts. */

import type { OwnFile } from '../base/file-claim.ts'
import type { Options } from '../config/options.ts'
import { claimKeyFolder } from '../accounts/key-folder.ts'

/**
 * Claims the folders of keystore and coverage, and the file of the gas report.
 * @throws NodeError 'invalidOption' naming the process that uses one of them, 'coverageFailed'
 */
export async function claimFiles({ keystore, coverage, gasReport }: Options): Promise<OwnFile> {
  const claimed: OwnFile[] = []
  const release = async (): Promise<void> => {
    for (const each of claimed) await each.release()
  }
  try {
    if (keystore !== undefined) claimed.push(await claimKeyFolder(keystore))
    if (coverage !== undefined) {
      const { claimCoverageFolder } = await import('../insight/coverage/coverage-files.ts')
      claimed.push(await claimCoverageFolder(coverage))
    }
    if (typeof gasReport === 'string') {
      const { claimReportFile } = await import('../insight/gas-report/report-text.ts')
      claimed.push(await claimReportFile(gasReport))
    }
  } catch (error) {
    await release()
    throw error
  }
  return { findings: claimed.flatMap(({ findings }) => findings), release }
}
