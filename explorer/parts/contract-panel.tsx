/** The functions of a contract. Calls that read are answered at once; calls that write are sent from an account. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { AbiFunction } from 'ox'
import { callData, functionsOf, selectorOf } from '../client/contracts.ts'
import type { Contract, ContractFunction } from '../client/contracts.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { nameOf } from '../client/names.ts'
import { isReadOnly } from '../client/mode.ts'
import { useLoaded } from '../client/loaded.ts'
import { shownValue } from '../format/values.ts'
import { ChainText } from './chain-text.tsx'
import { FunctionForm } from './function-form.tsx'
import { Section, Showing } from './page-parts.tsx'
import { ResultText } from './result-text.tsx'

interface PanelProps {
  readonly address: string
  readonly contract: Contract
}

export function ContractPanel({ address, contract }: PanelProps): VNode {
  const functions = functionsOf(contract)
  const read = functions.filter(isView)
  const write = functions.filter((one) => !isView(one))
  if (functions.length === 0) return <p class="quiet">No functions of this contract are known.</p>
  return (
    <>
      {read.length > 0 && (
        <Section title="Read">
          {read.map((one) =>
            one.inputs.length === 0 ? (
              <Answer key={selectorOf(one)} address={address} of={one} />
            ) : (
              <FunctionForm
                key={selectorOf(one)}
                of={one}
                action="Read"
                run={(values) => call(address, one, values)}
              />
            ),
          )}
        </Section>
      )}
      {write.length > 0 && !isReadOnly && <WriteFunctions address={address} functions={write} />}
    </>
  )
}

const isView = ({ stateMutability }: ContractFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure'

/** The result of a function without inputs. */
function Answer({ address, of }: { readonly address: string; readonly of: ContractFunction }): VNode {
  const answer = useLoaded(() => call(address, of, []), [`${address} ${selectorOf(of)}`, chainVersion.value])
  return (
    <div class="function">
      <b>
        <ChainText text={of.name} />
      </b>{' '}
      <Showing of={answer}>{(text) => <ResultText text={text} />}</Showing>
    </div>
  )
}

async function call(address: string, of: ContractFunction, values: readonly unknown[]): Promise<string> {
  const result = await ask('eth_call', { to: address, data: callData(of, values) }, 'latest')
  if (of.outputs.length === 0) return 'no result'
  return shownValue(AbiFunction.decodeResult(of, result as `0x${string}`))
}

interface Sender {
  readonly from: string
  readonly isImpersonated: boolean
}

/** Choice that lets an address be typed. */
const OTHER = 'other'

function WriteFunctions({
  address,
  functions,
}: {
  readonly address: string
  readonly functions: readonly ContractFunction[]
}): VNode {
  const accounts = useLoaded(() => ask('eth_accounts'), ['accounts'])
  const [chosen, setChosen] = useState<string>()
  const [typed, setTyped] = useState('')
  return (
    <Section title="Write">
      <Showing of={accounts}>
        {(all) => {
          const choice = chosen ?? all[0] ?? OTHER
          const isImpersonated = choice === OTHER
          const sender = { from: isImpersonated ? typed.trim() : choice, isImpersonated }
          return (
            <>
              <div class="controls">
                <label>
                  From{' '}
                  <select value={choice} onChange={(event) => setChosen(event.currentTarget.value)}>
                    {all.map((account) => (
                      <option key={account} value={account}>
                        {[nameOf(account), account].join(' ')}
                      </option>
                    ))}
                    <option value={OTHER}>another address, without its key</option>
                  </select>
                </label>
                {isImpersonated && (
                  <input
                    aria-label="Address to impersonate"
                    placeholder="address to impersonate"
                    size={44}
                    value={typed}
                    spellcheck={false}
                    autocomplete="off"
                    onInput={(event) => setTyped(event.currentTarget.value)}
                  />
                )}
              </div>
              {functions.map((one) => (
                <FunctionForm
                  key={selectorOf(one)}
                  of={one}
                  action="Send"
                  run={(values, value) => send(sender, { to: address, value, data: callData(one, values) })}
                />
              ))}
            </>
          )
        }}
      </Showing>
    </Section>
  )
}

/** Sends a transaction, unsigned if the sender is impersonated; returns its hash. */
async function send(
  { from, isImpersonated }: Sender,
  request: { readonly to: string; readonly value: string; readonly data: string },
): Promise<string> {
  if (!/^0x[0-9a-f]{40}$/i.test(from)) throw new Error('expected the address that sends')
  const transaction = { from, ...request }
  return isImpersonated
    ? ask('eth_sendUnsignedTransaction', transaction)
    : ask('eth_sendTransaction', transaction)
}
