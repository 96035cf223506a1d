/** The option of the gas report. */

import { declare, inGroup } from '../../config/option-description.ts'
import { reportFile } from '../../config/option-values.ts'

export const gasReportOptions = inGroup('Output', {
  gasReport: declare(
    reportFile.default(false),
    'Record the gas of transactions and calls by contract and function; when the node stops, print the report, or write it to a file, as JSON if the name ends in .json.',
    { form: 'maybe-value' },
  ),
})
