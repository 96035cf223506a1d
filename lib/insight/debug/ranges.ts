/** Comparison of parts of sources. */

import type { SourceRange } from '../artifacts/source-map.ts'

/** Whether two ranges are the same. */
export const equalRanges = (one: SourceRange, other: SourceRange): boolean =>
  one.start === other.start && one.end === other.end
