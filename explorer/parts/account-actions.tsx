/** Actions on an account of the keystore: send, add coins, lock, unlock, show its key. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../client/json-rpc.ts'
import { checksummed } from '../format/addresses.ts'
import { coinName, inCoins } from '../format/amounts.ts'
import { weiOf } from '../format/units.ts'
import { Action } from './action.tsx'
import { Field } from './field.tsx'
import type { PartProps } from './field.tsx'
import { Hex, TransactionLink } from './hex.tsx'
import { Section } from './page-parts.tsx'
import './controls.css'

type Changed = Pick<PartProps, 'changed'>

export function AccountActions({ address, changed }: Changed & { readonly address: string }): VNode {
  return (
    <Section title={`Account ${checksummed(address)}`}>
      <Send address={address} />
      <Action
        label="Add to the balance"
        run={async (given) => {
          await ask('anvil_addBalance', address, weiOf(given('coins'), 'ether'))
          changed()
          return inCoins(`Added ${given('coins')} ether.`)
        }}
      >
        <Field name="coins" label="Faucet" unit={coinName.value} value="100" />
      </Action>
      <Action
        label="Unlock"
        run={async (given) =>
          (await ask('personal_unlockAccount', address, given('passphrase')))
            ? 'It is unlocked for 30 minutes.'
            : 'It has no passphrase, so it cannot be unlocked again.'
        }
      >
        <Field name="passphrase" label="Passphrase" isSecret />
      </Action>
      <Action
        label="Lock"
        run={async () =>
          (await ask('personal_lockAccount', address)) ? 'It is locked.' : 'It was locked already.'
        }
      >
        <span>Without the passphrase it signs no more</span>
      </Action>
      <PrivateKey address={address} />
    </Section>
  )
}

function Send({ address }: { readonly address: string }): VNode {
  const [hash, setHash] = useState<string>()
  return (
    <>
      <Action
        label="Send"
        isPrimary
        run={async (given) => {
          setHash(undefined)
          const [to, data] = [given('to'), given('data')]
          setHash(
            await ask('eth_sendTransaction', {
              from: address,
              ...(to === '' ? {} : { to }),
              value: weiOf(given('amount'), 'ether'),
              ...(data === '' ? {} : { data }),
            }),
          )
          return 'Sent.'
        }}
      >
        <Field name="to" label="To" />
        <Field name="amount" label="Amount" unit={coinName.value} value="1" />
        <Field name="data" label="Data" />
      </Action>
      {hash !== undefined && (
        <p>
          Transaction <TransactionLink value={hash} />
        </p>
      )}
    </>
  )
}

/** The key, asked for and shown only after a press of the button. */
function PrivateKey({ address }: { readonly address: string }): VNode {
  const [key, setKey] = useState<string>()
  if (key === undefined) {
    return (
      <Action
        label="Show the private key"
        run={async () => {
          setKey(await ask('personal_dumpRawKey', address))
          return undefined
        }}
      >
        <span>Its key, for a wallet</span>
      </Action>
    )
  }
  return (
    <div class="action">
      <span>
        Private key <Hex value={key} isWhole />
      </span>
      <button type="button" class="button" onClick={() => setKey(undefined)}>
        Hide the private key
      </button>
    </div>
  )
}

export const NewAccounts = ({ changed }: Changed): VNode => (
  <Section title="More accounts">
    <Action
      label="Create an account"
      isPrimary
      run={async (given) => {
        const address = await ask('personal_newAccount', given('passphrase'))
        changed()
        return `Created ${address}.`
      }}
    >
      <Field name="passphrase" label="Passphrase of the new account" isSecret />
    </Action>
    <Action
      label="Import a private key"
      run={async (given) => {
        const address = await ask('personal_importRawKey', given('key'), given('passphrase'))
        changed()
        return `Imported ${address}.`
      }}
    >
      <Field name="key" label="Private key" isSecret />
      <Field name="passphrase" label="Its passphrase from now on" isSecret />
    </Action>
  </Section>
)
