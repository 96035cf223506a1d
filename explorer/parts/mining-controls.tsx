/** Controls of mining, time and the price of gas. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { miningFacts } from '../client/pool.ts'
import type { MiningFacts } from '../client/pool.ts'
import { inGwei, weiOf } from '../format/units.ts'
import { Action } from './action.tsx'
import { Field } from './field.tsx'
import type { PartProps } from './field.tsx'
import { Showing } from './page-parts.tsx'

export function MiningControls({ version, changed }: PartProps): VNode {
  const facts = useLoaded(miningFacts, ['mining', version])
  return (
    <>
      <Action
        label="Mine"
        isPrimary
        run={async (given) => {
          await ask('hardhat_mine', given('blocks'))
          return undefined
        }}
      >
        <Field name="blocks" label="New blocks" unit="blocks" value="1" />
      </Action>
      <Action
        label="Increase the time"
        run={async (given) => {
          await ask('evm_increaseTime', given('seconds'))
          return 'The next block has the later time.'
        }}
      >
        <Field name="seconds" label="Clock forward by" unit="seconds" value="3600" />
      </Action>
      <Action label="Set the time" run={setTime}>
        <Field name="time" label="Next block at (UTC)" value={new Date().toISOString().slice(0, 19)} />
      </Action>
      <Showing of={facts}>{(known) => <Modes facts={known} changed={changed} />}</Showing>
    </>
  )
}

/** Takes seconds since the epoch, or a time in UTC. */
async function setTime(given: (name: string) => string): Promise<string> {
  const text = given('time')
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(`${text.replace(/Z$/, '')}Z`) / 1000
  if (!Number.isFinite(seconds))
    throw new Error('expected a time in UTC such as 2030-01-31T12:00:00, or seconds')
  await ask('evm_setNextBlockTimestamp', Math.floor(seconds))
  return 'The next block has this time (UTC).'
}

function Modes({
  facts: { isAutomine, interval, minimumGasPrice, baseFee },
  changed,
}: Pick<PartProps, 'changed'> & { readonly facts: MiningFacts }): VNode {
  const then = (change: (given: (name: string) => string) => Promise<unknown>) => {
    return async (given: (name: string) => string): Promise<undefined> => {
      await change(given)
      changed()
    }
  }
  return (
    <>
      <Action
        label={isAutomine ? 'Stop automine' : 'Start automine'}
        run={then(() => ask('evm_setAutomine', !isAutomine))}
      >
        <span>Transactions</span>
        <span class="value">{isAutomine ? 'each gets a block' : 'wait for a block'}</span>
      </Action>
      <Action
        label="Set the interval"
        run={then((given) => ask('anvil_setIntervalMining', given('interval')))}
      >
        <Field
          key={interval}
          name="interval"
          label="Block every (0: never)"
          unit="seconds"
          value={String(interval ?? 0)}
        />
      </Action>
      {minimumGasPrice !== undefined && (
        <Action
          label="Set the price"
          run={then((given) => ask('hardhat_setMinGasPrice', weiOf(given('price'), 'gwei')))}
        >
          <Field
            key={minimumGasPrice}
            name="price"
            label="Minimum price"
            unit="gwei"
            value={inGwei(minimumGasPrice)}
          />
        </Action>
      )}
      {baseFee !== undefined && (
        <Action
          label="Set the base fee"
          run={then((given) => ask('hardhat_setNextBlockBaseFeePerGas', weiOf(given('fee'), 'gwei')))}
        >
          <Field key={baseFee} name="fee" label="Base fee" unit="gwei" value={inGwei(baseFee)} />
        </Action>
      )}
    </>
  )
}
