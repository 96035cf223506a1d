/** Saves the chain to a file of the browser's machine, and loads it from one. */

import type { VNode } from 'preact'
import { Hex } from 'ox'
import { ask } from '../client/json-rpc.ts'
import { Action } from './action.tsx'
import type { PartProps } from './field.tsx'

const FILE_NAME = 'chain.state'

export const StateFile = ({ changed }: Pick<PartProps, 'changed'>): VNode => (
  <>
    <Action
      label="Save to a file"
      isPrimary
      run={async () => {
        const bytes = Uint8Array.from(Hex.toBytes((await ask('dev_dumpState')) as Hex.Hex))
        download(bytes)
        return `${FILE_NAME}, ${bytes.length} bytes. It may contain keys: see --state-parts.`
      }}
    >
      <span>This chain</span>
    </Action>
    <Action
      label="Load"
      of="the chain from the file"
      drops={(_, files) => {
        if (files('file') === undefined) throw new Error('choose a file first')
        return 'The file replaces the chain of this page.'
      }}
      run={async (_, files) => {
        const file = files('file')
        if (file === undefined) return undefined
        await ask('dev_loadState', Hex.fromBytes(new Uint8Array(await file.arrayBuffer())))
        changed()
        return 'The chain is that of the file.'
      }}
    >
      <label>
        <span>State file</span> <input type="file" name="file" />
      </label>
    </Action>
  </>
)

function download(bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  URL.revokeObjectURL(url)
}
