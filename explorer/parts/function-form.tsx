/** A form for the arguments of a function, and its result. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { ContractFunction } from '../client/contracts.ts'
import { readArgument } from '../format/arguments.ts'
import { UNITS, weiIn } from '../format/units.ts'
import { ChainText } from './chain-text.tsx'
import { ErrorText } from './error-text.tsx'
import { TransactionLink } from './hex.tsx'
import { ResultText } from './result-text.tsx'

interface FormProps {
  readonly of: ContractFunction
  readonly action: 'Read' | 'Send'
  /** Calls or sends, with wei as a quantity. */
  readonly run: (values: readonly unknown[], value: string) => Promise<string>
}

type Result = { readonly text: string } | { readonly error: unknown }

export function FunctionForm({ of, action, run }: FormProps): VNode {
  const [result, setResult] = useState<Result>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const textOf = (name: string): string => {
      const text = given.get(name)
      return typeof text === 'string' ? text : ''
    }
    try {
      const values = of.inputs.map((input, index) => readArgument(input, textOf(`input ${index}`)))
      const wei = weiIn(textOf('value'), textOf('unit'))
      setResult({ text: await run(values, `0x${wei.toString(16)}`) })
    } catch (error) {
      setResult({ error })
    }
  }
  return (
    <form class="function" onSubmit={(event) => void submit(event)}>
      <b>
        <ChainText text={of.name} />
      </b>
      {of.inputs.map((input, index) => (
        <input
          key={index}
          name={`input ${index}`}
          aria-label={`${input.name ?? ''} ${input.type}`.trim()}
          placeholder={`${input.name ?? ''} ${input.type}`.trim()}
          spellcheck={false}
          autocomplete="off"
        />
      ))}
      {of.stateMutability === 'payable' && <ValueField />}
      <button type="submit">{action}</button>
      <span role="status">
        {result !== undefined &&
          ('error' in result ? (
            <ErrorText error={result.error} />
          ) : action === 'Send' ? (
            <TransactionLink value={result.text} />
          ) : (
            <ResultText text={result.text} />
          ))}
      </span>
    </form>
  )
}

const ValueField = (): VNode => (
  <span>
    <input
      name="value"
      aria-label="Amount to send"
      placeholder="amount to send"
      size={14}
      autocomplete="off"
    />{' '}
    <select name="unit" aria-label="Unit of the amount" defaultValue="ether">
      {Object.keys(UNITS).map((unit) => (
        <option key={unit}>{unit}</option>
      ))}
    </select>
  </span>
)
