/** Commands to try on an empty chain. */

import type { VNode } from 'preact'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { CopyButton } from './hex.tsx'
import { Section } from './page-parts.tsx'

export function FirstSteps(): VNode {
  const accounts = useLoaded(() => ask('eth_accounts'), ['accounts'])
  const [from = '0x…', to = from] = accounts.state === 'loaded' ? accounts.value : []
  const url = `${location.origin}${location.pathname}`
  const body = `{"jsonrpc":"2.0","id":1,"method":"eth_sendTransaction","params":[{"from":"${from}","to":"${to}","value":"0xde0b6b3a7640000"}]}`
  const commands = [
    ['Send a coin', `curl ${url} -H 'content-type: application/json' -d '${body}'`],
    ['Set up your project for this node', 'npx dev-node init'],
    ['Run your tests, and read why they fail', 'npx dev-node exec -- npx hardhat test'],
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
