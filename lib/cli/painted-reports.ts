/** Colours of reports in a terminal. */

import type { ChalkInstance } from 'chalk'

/** Percent of statements above which the coverage of a file is green, or yellow. */
const GREEN = 80
const YELLOW = 50

/** Reports with the rows of the table of coverage in the colours of Istanbul. */
export const paintedReports = (text: string, paint: ChalkInstance): string =>
  text.replace(/^[^|\n]+\| +([\d.]+) \|.*$/gm, (row, covered: string) => {
    const share = Number(covered)
    return share >= GREEN ? paint.green(row) : share >= YELLOW ? paint.yellow(row) : paint.red(row)
  })
