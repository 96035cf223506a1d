/** A button that asks the node to do something, and says what became of it. */

import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ErrorText } from './error-text.tsx'

interface ActionProps {
  readonly label: string
  /** The action that people come to its card for. */
  readonly isPrimary?: boolean
  /** The object of the action, for screen readers, if many buttons have the label. */
  readonly of?: string
  /** For an action that cannot be undone: what it drops, which is said before it is done. */
  readonly drops?: (...form: Parameters<ActionProps['run']>) => Promise<string> | string
  /** Label of a second button to confirm it; `given('instead')` is then `on`. */
  readonly instead?: string
  /** Does it; returns what to say, if anything. */
  readonly run: (
    given: (name: string) => string,
    files: (name: string) => File | undefined,
  ) => Promise<string | undefined>
  /** Fields of the form. */
  readonly children?: ComponentChildren
}

/** What became of the action. */
type Ended = { readonly text: string } | { readonly error: unknown }

export function Action({ label, isPrimary = false, of, drops, instead, run, children }: ActionProps): VNode {
  const [ended, setEnded] = useState<Ended>()
  const [warning, setWarning] = useState<string>()
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement, event.submitter)
    const given = (name: string): string => {
      const value = fields.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const files = (name: string): File | undefined => {
      const file = fields.get(name)
      return file instanceof File && file.name !== '' ? file : undefined
    }
    try {
      if (drops !== undefined && warning === undefined) {
        setEnded(undefined)
        setWarning(await drops(given, files))
        return
      }
      setWarning(undefined)
      setEnded({ text: (await run(given, files)) ?? '' })
    } catch (error) {
      setEnded({ error })
    }
  }
  return (
    <form class="action" onSubmit={(event) => void submit(event)}>
      {children}
      {warning === undefined ? (
        <button
          type="submit"
          class={isPrimary ? 'primary' : undefined}
          aria-label={of === undefined ? undefined : `${label} ${of}`}
        >
          {label}
        </button>
      ) : (
        <>
          <b role="alert">{warning}</b>
          <button type="submit" class="bad">
            Yes, {label.toLowerCase()}
          </button>
          {instead !== undefined && (
            <button type="submit" name="instead" value="on">
              {instead}
            </button>
          )}
          <button type="button" class="button" onClick={() => setWarning(undefined)}>
            Cancel
          </button>
        </>
      )}
      <span role="status" class="quiet">
        {ended !== undefined && ('text' in ended ? ended.text : <ErrorText error={ended.error} />)}
      </span>
    </form>
  )
}
