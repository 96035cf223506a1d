/** A button that asks the node to do something, and says what became of it. */

import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'

interface ActionProps {
  readonly label: string
  /** The object of the action, for screen readers, if many buttons have the label. */
  readonly of?: string
  /** Does it; returns what to say, if anything. */
  readonly run: (
    given: (name: string) => string,
    files: (name: string) => File | undefined,
  ) => Promise<string | undefined>
  /** Fields of the form. */
  readonly children?: ComponentChildren
}

interface Outcome {
  readonly text: string
  readonly isError: boolean
}

export function Action({ label, of, run, children }: ActionProps): VNode {
  const [outcome, setOutcome] = useState<Outcome>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const given = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const files = (name: string): File | undefined => {
      const file = fields.get(name)
      return file instanceof File && file.name !== '' ? file : undefined
    }
    try {
      setOutcome({ text: (await run(given, files)) ?? '', isError: false })
    } catch (error) {
      setOutcome({ text: error instanceof Error ? error.message : String(error), isError: true })
    }
  }
  return (
    <form class="action" onSubmit={(event) => void submit(event)}>
      {children}
      <button type="submit" aria-label={of === undefined ? undefined : `${label} ${of}`}>
        {label}
      </button>
      <span role="status" class={outcome?.isError === true ? 'error' : 'quiet'}>
        {outcome?.text}
      </span>
    </form>
  )
}
