/** The sentence that says what a transaction does: `account 1 called Vault.deposit(12 MTK)`. */

import type { VNode } from 'preact'
import { descriptionOf, nameOf } from '../client/names.ts'
import type { Explanation } from '../pages/transaction-page.tsx'
import { shortened } from '../format/amounts.ts'
import { CalledFunction, ContractLink } from './call-tree.tsx'
import { ChainText } from './chain-text.tsx'
import { AddressName } from './hex.tsx'
import { NamedText } from './named-text.tsx'

interface HeadlineProps {
  readonly transaction: {
    readonly hash: string
    readonly from: string
    readonly to: string | null
    readonly input: string
  }
}

export function Headline({ transaction: { hash, from, to, input } }: HeadlineProps): VNode {
  const described = descriptionOf(hash)?.call.replace(/0x[0-9a-fA-F]{41,}/g, shortened)
  const call = described ?? (to === null ? 'new contract' : shortened(to))
  return (
    <span>
      <AddressName value={from} />{' '}
      {to === null ? (
        <>
          created <Created call={call} />
        </>
      ) : (
        <>
          {input === '0x' ? 'sent' : 'called'} <LinkedCall call={call} to={to} />
        </>
      )}
    </span>
  )
}

/** A new contract by its name. */
function Created({ call }: { readonly call: string }): VNode {
  const [, name = call, address] = /^new (.+?)(?: at (0x[0-9a-f]{40}))?$/.exec(call) ?? []
  return address === undefined ? (
    <ChainText text={name} />
  ) : (
    <a class="name" href={`#/address/${address}`} title={address}>
      <ChainText text={name} />
    </a>
  )
}

/** The call in words, with a link at the name of the called account. */
function LinkedCall({ call, to }: { readonly call: string; readonly to: string }): VNode {
  const name = nameOf(to)
  const at = name === undefined ? -1 : call.indexOf(name)
  if (name === undefined || at === -1) return <NamedText text={call} />
  return (
    <>
      <NamedText text={call.slice(0, at)} />
      <AddressName value={to} />
      <NamedText text={call.slice(at + name.length)} />
    </>
  )
}

/** The same for an execution that is on no chain. */
export const CallHeadline = ({ call }: Pick<Explanation, 'call'>): VNode => (
  <span>
    <AddressName value={call.from} /> called <ContractLink call={call} />
    <CalledFunction call={call} />
  </span>
)
