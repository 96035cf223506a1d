/** The options of coverage. */

import { declare, inGroup, toggle } from '../../config/option-description.ts'
import { textList } from '../../config/option-values.ts'
import { text } from '../../config/values.ts'

export const coverageOptions = inGroup('Output', {
  coverage: declare(
    text.optional(),
    'Folder to write the coverage of the Solidity sources to when the node stops: lcov.info, coverage-final.json (Istanbul) and html/index.html.',
    { defaultDescription: 'no coverage' },
  ),
  coverageExclude: declare(
    textList.default([]),
    'Pattern of sources that coverage leaves out, such as contracts/mocks or *Test.sol; may be repeated. Libraries are left out without it.',
    { form: 'list' },
  ),
  coverageMerge: toggle(
    'Add the coverage to that of an earlier run in the same folder; otherwise it is replaced.',
  ),
})
