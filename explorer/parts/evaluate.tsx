/** A field for an expression, whose value is shown at each stop. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useLoaded } from '../client/loaded.ts'
import { Showing } from './page-parts.tsx'
import { VariableLine } from './variables.tsx'
import type { DebugPoint } from './variables.tsx'

export function Evaluate(point: DebugPoint): VNode {
  const [expression, setExpression] = useState('')
  return (
    <>
      <form
        class="evaluate"
        onSubmit={(event) => {
          event.preventDefault()
          const typed = new FormData(event.currentTarget).get('expression')
          if (typeof typed === 'string') setExpression(typed)
        }}
      >
        <input
          name="expression"
          aria-label="Expression"
          placeholder="count * 100 > balances[msg.sender]"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Evaluate</button>
      </form>
      {expression !== '' && <Evaluated {...point} expression={expression} />}
    </>
  )
}

function Evaluated({ session, at, frame, expression }: DebugPoint & { readonly expression: string }): VNode {
  const value = useLoaded(
    () => session.ask('dev_debugEvaluate', at, frame, expression),
    [expression, at, frame],
  )
  return <Showing of={value}>{(variable) => <VariableLine variable={variable} before={undefined} />}</Showing>
}
