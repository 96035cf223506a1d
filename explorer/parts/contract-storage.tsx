/** The storage of a contract: by variable where the layout is known, else by slot. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { follow, linkTo } from '../client/query.ts'
import { keysIn } from '../format/mapping-keys.ts'
import type { PartProps } from './account-transactions.tsx'
import { ChainText } from './chain-text.tsx'
import { LongTable } from './long-table.tsx'
import { NamedText } from './named-text.tsx'
import { Showing } from './page-parts.tsx'
import { FIRST_SLOT, StorageSlots } from './storage-slots.tsx'
import { StoredValue } from './token-amount.tsx'
import './address.css'

/** Accounts of the keystore that are tried as keys. */
const ACCOUNTS = 10

export function ContractStorage({ address, query: text }: PartProps): VNode {
  const query = new URLSearchParams(text)
  const keys = query.get('keys') ?? ''
  const bySlot = query.get('by') === 'slot'
  const path = `/address/${address}/storage`
  const found = useLoaded(() => variablesOf(address, keys), [`${address} ${keys}`, calmVersion.value])
  return (
    <Showing of={found}>
      {(stored) => (
        <>
          {stored === null ? (
            <p class="quiet">
              The layout of the storage is not known: the artifacts do not have the AST. These are the slots.
            </p>
          ) : (
            <nav class="choice" aria-label="Forms of the storage">
              <a href={linkTo(path, {})} aria-current={bySlot ? undefined : 'true'}>
                By variable
              </a>
              <a href={linkTo(path, { by: 'slot' })} aria-current={bySlot ? 'true' : undefined}>
                By slot
              </a>
            </nav>
          )}
          {stored === null || bySlot ? (
            <StorageSlots address={address} from={query.get('from') ?? FIRST_SLOT} />
          ) : (
            <Variables {...stored} address={address} path={path} keys={keys} />
          )}
        </>
      )}
    </Showing>
  )
}

/** The variables, with the values of mappings for the contract itself, the accounts of the node, and the keys that were typed. */
async function variablesOf(address: string, typed: string) {
  const given = keysIn(typed)
  const accounts = await ask('eth_accounts')
  const keys = [...new Set([...given, address, ...accounts.slice(0, ACCOUNTS)])]
  return ask('dev_storageVariables', address, 'latest', keys)
}

type Stored = NonNullable<Awaited<ReturnType<typeof variablesOf>>>

interface VariablesProps extends Stored {
  readonly address: string
  readonly path: string
  readonly keys: string
}

function Variables({ address, variables, isWhole, path, keys }: VariablesProps): VNode {
  return (
    <>
      {variables.length === 0 ? (
        <p class="quiet">The contract has no state variables in its storage.</p>
      ) : (
        <LongTable
          class="variables"
          items={variables}
          label="Variables"
          head={
            <>
              <th>Variable</th>
              <th class="type">Type</th>
              <th>Value</th>
              <th class="number">Slot</th>
            </>
          }
        >
          {(one) => <VariableCells address={address} {...one} />}
        </LongTable>
      )}
      {!isWhole && (
        <p class="quiet">
          Not all is shown: at most 100 items of a list, 4,096 bytes of a text and 2,000 values.
        </p>
      )}
      {variables.some(({ value }) => value === undefined) && (
        <form
          class="controls"
          onSubmit={(event) => {
            event.preventDefault()
            const typed = new FormData(event.currentTarget).get('keys')
            follow(linkTo(path, { keys: typeof typed === 'string' ? typed.trim() : '' }))
          }}
        >
          <label>
            Keys of mappings{' '}
            <input name="keys" defaultValue={keys} size={44} spellcheck={false} autocomplete="off" />
          </label>
          <button type="submit">Look up</button>
          <span class="quiet">
            Addresses, numbers or bytes, separated by commas. The first ten accounts of the node are tried
            without being named.
          </span>
        </form>
      )}
    </>
  )
}

/** A slot is a small number, or a hash. */
const slotText = (slot: string): string => {
  const digits = slot.slice(2).replace(/^0+/, '')
  return digits.length > 8
    ? `0x${digits.slice(0, 6)}…${digits.slice(-4)}`
    : String(Number(`0x${digits || '0'}`))
}

type CellsProps = Stored['variables'][number] & { readonly address: string }

const VariableCells = ({ address, variable, type, slot, offset, value }: CellsProps): VNode => (
  <>
    <td class="value" title={type}>
      <NamedText text={variable} />
    </td>
    <td class="value quiet type">
      <ChainText text={type} />
    </td>
    <td class="value">
      {value === undefined ? (
        <span class="quiet">mapping: its keys are not stored, so they are not listed</span>
      ) : (
        <StoredValue address={address} variable={variable} type={type} text={value} />
      )}
    </td>
    <td class="number" title={offset === 0 ? slot : `${slot}, from byte ${offset}`}>
      {slotText(slot)}
    </td>
  </>
)
