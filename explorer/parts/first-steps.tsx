/** What to do on an empty chain: look at another one that is not, or try a command. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { pathOfWorld, worldHere } from '../client/paths.ts'
import { CopyButton } from './hex.tsx'
import { Section } from './page-parts.tsx'

/** Worlds that are named. */
const NAMED = 8

export function FirstSteps(): VNode {
  const worlds = useLoaded(() => ask('dev_worlds'), ['worlds', calmVersion.value])
  const busy =
    worlds.state !== 'loaded'
      ? []
      : worlds.value.filter(({ id, blockNumber }) => id !== worldHere && Number(blockNumber) > 0)
  return busy.length === 0 ? (
    <Commands />
  ) : (
    <Section title="This chain is empty. Worlds of this node that have blocks:">
      <ul class="commands">
        {busy.slice(0, NAMED).map(({ id, blockNumber }) => (
          <li key={id}>
            <a class="name" href={pathOfWorld(id)}>
              {id}
            </a>{' '}
            <span class="quiet">block {Number(blockNumber)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Commands(): VNode {
  const accounts = useLoaded(() => ask('eth_accounts'), ['accounts'])
  const [from = '0x…', to = from] = accounts.state === 'loaded' ? accounts.value : []
  const url = `${location.origin}${location.pathname}`
  const body = `{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"${from}","to":"${to}","value":"0xde0b6b3a7640000"}]}`
  const commands = [
    ['Send a coin', `curl ${url} -H 'content-type: application/json' -d '${body}'`],
    ['Set up your project: its tests start chains of their own', 'npx dev-node init'],
    ['Open the failed tests of the last run', 'npx dev-node show'],
  ] as const
  return (
    <Section title="The chain is empty. Three commands to try:">
      <ul class="commands">
        {commands.map(([title, command]) => (
          <li key={title}>
            <span>{title}</span>
            <pre>
              {command}
              <CopyButton text={command} what="command" />
            </pre>
          </li>
        ))}
      </ul>
    </Section>
  )
}
