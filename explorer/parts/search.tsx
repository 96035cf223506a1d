/** The search field: a hash or its beginning, an address or a number opens its page, another text the contracts with such names. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { ask } from '../client/json-rpc.ts'

export function Search(): VNode {
  const [, goTo] = useHashLocation()
  const [message, setMessage] = useState('')
  const search = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const asked = String(new FormData(form).get('search')).trim()
    pageOf(asked).then(
      (page) => {
        setMessage('')
        goTo(page)
      },
      (error: unknown) => setMessage(error instanceof Error ? error.message : String(error)),
    )
  }
  return (
    <form role="search" onSubmit={search}>
      <input
        type="search"
        name="search"
        aria-label="Block number, hash, address or name"
        placeholder="Block, hash, address, contract or function"
        required
        spellcheck={false}
        autocomplete="off"
      />
      <span class="error" role="status">
        {message}
      </span>
    </form>
  )
}

/** The page of what was asked for. */
async function pageOf(asked: string): Promise<string> {
  if (/^\d+$/.test(asked)) return `/block/${asked}`
  if (/^0x[0-9a-f]{40}$/i.test(asked)) return `/address/${asked}`
  if (/^0x[0-9a-f]{1,63}$/i.test(asked)) return transactionBeginning(asked)
  if (!/^0x[0-9a-f]{64}$/i.test(asked)) return `/search/${encodeURIComponent(asked)}`
  const block = await ask('eth_getBlockByHash', asked, false)
  return block === null ? `/tx/${asked}` : `/block/${asked}`
}

/** The page of the transaction whose hash begins so. @throws Error unless there is exactly one */
async function transactionBeginning(digits: string): Promise<string> {
  const [hash, another] = await ask('dev_findTransactions', digits)
  if (hash === undefined) throw new Error(`no transaction begins with ${digits}`)
  if (another !== undefined) throw new Error(`several transactions begin with ${digits}`)
  return `/tx/${hash}`
}
