/** A file of failures that commands ask as they ask a node. */

import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { NodeError, refuseOption, trouble } from '../base/errors.ts'
import { timeText } from '../base/host.ts'
import { reasonOf } from '../base/system-errors.ts'
import type { AskedNode } from '../client/node-client.ts'
import { kindsOf } from '../kernel/running-modules.ts'
import { MODULES } from '../modules/list.ts'
import { openReport } from '../modules/report/opened-report.ts'
import { decodeReport, type ReportContent } from '../modules/report/report-file.ts'

/** Reads a file of failures. @throws NodeError 'invalidOption' if it cannot be read, 'invalidState' if it is damaged, newer or another file */
export async function readReport(path: string): Promise<ReportContent> {
  const bytes = await readFile(path).catch((cause: unknown) =>
    refuseOption('DN-DNR', `cannot read the failures in ${path}: ${reasonOf(cause)}`, cause),
  )
  return decodeReport(bytes, path)
}

/** Opens a file. @throws NodeError 'invalidOption', 'invalidState' */
export async function askedReport(path: string, isNamed: boolean): Promise<AskedNode> {
  const content = await readReport(path)
  const report = await openReport(content, kindsOf(MODULES))
  return {
    name: `the run of ${timeText(content.at)} (${relative('.', path)})`,
    commandFor: (id) => `npx dev-node explain ${isNamed ? `${path} ` : ''}${id}`,
    ask: async ([method, ...params], result) => {
      const answer = await report.ask(method, params).catch((cause: unknown) => {
        if (cause instanceof NodeError) throw trouble('DN-DNR', cause.message, cause)
        throw cause
      })
      return result.parse(answer)
    },
  }
}
