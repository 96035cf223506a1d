/** Schema of error objects, for documents, tests and types. */

import * as z from 'zod'
import { crossCheckReport } from './report-results.ts'
import { solidityStack } from './explanation-results.ts'
import { dataText, hashText } from './results.ts'

/** An error object of a response (JSON-RPC 2.0, section 5.1), with the members that failed executions add. */
export const errorResult = z.strictObject({
  code: z.int(),
  message: z.string(),
  data: dataText.optional().meta({
    description: 'Return data of a revert, 0x for another failed execution; else what the error is about.',
  }),
  txHash: hashText.optional().meta({ description: 'Hash of the failed transaction, if it was mined.' }),
  solidityStack: solidityStack.optional().meta({
    description: 'Functions that ran when an execution failed, innermost first, if the contracts are known.',
  }),
  explain: z.string().optional().meta({ description: 'The command that explains a failed execution.' }),
  crossCheck: crossCheckReport
    .optional()
    .meta({ description: 'Why the block of the request was dropped, under the option crossCheck.' }),
  cause: z
    .strictObject({ code: z.int(), message: z.string(), data: dataText })
    .optional()
    .meta({ description: 'A revert as an Ethereum node returns it, in the dialect node33.' }),
})

/** An error object of a response. */
export type WireError = Omit<z.output<typeof errorResult>, 'crossCheck'> & { readonly crossCheck?: object }
