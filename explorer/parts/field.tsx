/** A field of a form, with its label. */

import type { VNode } from 'preact'

interface FieldProps {
  readonly name: string
  readonly label: string
  /** Shown behind the value. */
  readonly unit?: string
  readonly value?: string
  readonly isSecret?: boolean
}

export const Field = ({ name, label, unit, value = '', isSecret = false }: FieldProps): VNode => (
  <label>
    <span>{label}</span>
    <span class="value">
      <input
        name={name}
        type={isSecret ? 'password' : 'text'}
        defaultValue={value}
        autocomplete={isSecret ? 'new-password' : 'off'}
        spellcheck={false}
      />
      {unit !== undefined && <span class="quiet">{unit}</span>}
    </span>
  </label>
)

/** Props of a part of a page that loads again after an action. */
export interface PartProps {
  /** Changes when what is shown may have changed. */
  readonly version: string
  /** Tells that an action changed something that the head of the chain does not show. */
  readonly changed: () => void
}
