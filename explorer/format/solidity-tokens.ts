/** Splits Solidity into lines of tokens. Loaded when the first source is shown. */

import './prism-global.ts'
import 'prismjs/components/prism-clike'
import 'prismjs/components/prism-solidity'
import Prism from 'prismjs/components/prism-core'
import type { Token, TokenStream } from 'prismjs'
import type { SourceLine, SourceToken } from './source-lines.ts'

/** The lines of a source with the kinds of their tokens. */
export function solidityLines(content: string): readonly SourceLine[] {
  const lines: SourceToken[][] = [[]]
  for (const { text, kind } of tokensIn(
    Prism.tokenize(content, Prism.languages['solidity'] ?? {}),
    undefined,
  )) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, kind })
    }
  }
  return lines
}

function* tokensIn(stream: TokenStream, kind: string | undefined): Generator<SourceToken> {
  if (typeof stream === 'string') yield { text: stream, kind }
  else if (Array.isArray(stream)) for (const one of stream) yield* tokensIn(one, kind)
  else yield* tokensOf(stream)
}

const tokensOf = ({ content, type }: Token): Generator<SourceToken> => tokensIn(content, type)
