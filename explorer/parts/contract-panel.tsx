/** The functions of a contract: those that read are answered at once, those that write are sent from an account of the node. */

import type { VNode } from 'preact'
import { ChainText } from './chain-text.tsx'
import { useState } from 'preact/hooks'
import { AbiFunction } from 'ox'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { isReadOnly } from '../client/mode.ts'
import { useLoaded } from '../client/loaded.ts'
import { readArgument } from '../format/arguments.ts'
import { AddressLink, TransactionLink } from './hex.tsx'
import { Section, Showing } from './page-parts.tsx'

interface PanelProps {
  readonly address: string
  readonly abi: readonly unknown[]
}

export function ContractPanel({ address, abi }: PanelProps): VNode {
  const functions = abi.filter(isFunction)
  const isView = ({ stateMutability }: AbiFunction.AbiFunction): boolean =>
    stateMutability === 'view' || stateMutability === 'pure'
  const read = functions.filter(isView)
  const write = functions.filter((one) => !isView(one))
  return (
    <>
      {read.length > 0 && (
        <Section title="Read">
          {read.map((one) =>
            one.inputs.length === 0 ? (
              <Answer key={one.name} address={address} of={one} />
            ) : (
              <Form
                key={AbiFunction.getSelector(one)}
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

const isFunction = (item: unknown): item is AbiFunction.AbiFunction =>
  typeof item === 'object' && item !== null && 'type' in item && item.type === 'function'

/** The result of a function without inputs. */
function Answer({ address, of }: { readonly address: string; readonly of: AbiFunction.AbiFunction }): VNode {
  const answer = useLoaded(() => call(address, of, []), [`${address} ${of.name}`, chainVersion.value])
  return (
    <div class="function">
      <b>{of.name}</b> <Showing of={answer}>{(text) => <ResultText text={text} />}</Showing>
    </div>
  )
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

const ResultText = ({ text }: { readonly text: string }): VNode =>
  ADDRESS.test(text) ? (
    <AddressLink value={text} />
  ) : (
    <span class="value">
      <ChainText text={text} />
    </span>
  )

async function call(
  address: string,
  of: AbiFunction.AbiFunction,
  values: readonly unknown[],
): Promise<string> {
  const result = await ask(
    'eth_call',
    { to: address, data: AbiFunction.encodeData(of, values as never) },
    'latest',
  )
  if (of.outputs.length === 0) return 'no result'
  return shownValue(AbiFunction.decodeResult(of, result as `0x${string}`))
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, one]) => `${name}: ${shownValue(one)}`)
    .join(', ')} }`
}

function WriteFunctions({
  address,
  functions,
}: {
  readonly address: string
  readonly functions: readonly AbiFunction.AbiFunction[]
}): VNode {
  const accounts = useLoaded(() => ask('eth_accounts'), ['accounts'])
  const [from, setFrom] = useState<string>()
  return (
    <Section title="Write">
      <Showing of={accounts}>
        {(all) => (
          <>
            <label>
              From{' '}
              <select value={from ?? all[0]} onChange={(event) => setFrom(event.currentTarget.value)}>
                {all.map((account) => (
                  <option key={account}>{account}</option>
                ))}
              </select>
            </label>
            {functions.map((one) => (
              <Form
                key={AbiFunction.getSelector(one)}
                of={one}
                action="Send"
                run={(values, value) => send({ from: from ?? all[0] ?? '', to: address, value }, one, values)}
              />
            ))}
          </>
        )}
      </Showing>
    </Section>
  )
}

/** Sends a transaction; returns its hash. */
const send = (
  request: { readonly from: string; readonly to: string; readonly value: string },
  of: AbiFunction.AbiFunction,
  values: readonly unknown[],
): Promise<string> =>
  ask('eth_sendTransaction', { ...request, data: AbiFunction.encodeData(of, values as never) })

interface FormProps {
  readonly of: AbiFunction.AbiFunction
  readonly action: 'Read' | 'Send'
  readonly run: (values: readonly unknown[], value: string) => Promise<string>
}

type Result = { readonly text: string; readonly isError: boolean }

function Form({ of, action, run }: FormProps): VNode {
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
      const wei = textOf('value')
      setResult({
        text: await run(values, wei === '' ? '0x0' : `0x${BigInt(wei).toString(16)}`),
        isError: false,
      })
    } catch (error) {
      setResult({ text: error instanceof Error ? error.message : String(error), isError: true })
    }
  }
  return (
    <form class="function" onSubmit={(event) => void submit(event)}>
      <b>{of.name}</b>
      {of.inputs.map((input, index) => (
        <input
          key={index}
          name={`input ${index}`}
          aria-label={`${input.name ?? ''} ${input.type}`}
          placeholder={`${input.name ?? ''} ${input.type}`}
          spellcheck={false}
          autocomplete="off"
        />
      ))}
      {of.stateMutability === 'payable' && (
        <input name="value" aria-label="wei to send" placeholder="wei to send" />
      )}
      <button type="submit">{action}</button>
      <span role="status">
        {result !== undefined &&
          (result.isError ? (
            <span class="error">
              <ChainText text={result.text} />
            </span>
          ) : action === 'Send' ? (
            <TransactionLink value={result.text} />
          ) : (
            <ResultText text={result.text} />
          ))}
      </span>
    </form>
  )
}
