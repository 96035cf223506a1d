/** In which chain the page is: its id, the chain that it was forked from, and the worlds beside it. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { pathOfWorld, worldHere } from '../client/paths.ts'

/** Worlds that are named; the page of controls has all. */
const NAMED = 8

export function ChainFacts(): VNode | null {
  const facts = useLoaded(
    () => Promise.all([ask('anvil_metadata'), ask('dev_worlds')]),
    ['facts', calmVersion.value],
  )
  if (facts.state !== 'loaded') return null
  const [{ chainId, forkedNetwork: fork }, worlds] = facts.value
  const others = worlds.filter(({ id }) => id !== worldHere)
  return (
    <span class="facts">
      <span class="badge">id {chainId}</span>
      {fork !== null && (
        <span class="badge warn" title={fork.forkBlockHash}>
          fork of chain {fork.chainId} at block {fork.forkBlockNumber}
        </span>
      )}
      {others.length > 0 && <span class="quiet">worlds</span>}
      {others.slice(0, NAMED).map(({ id, blockNumber, network }) => (
        <a key={id} class="badge" href={pathOfWorld(id)} title={`${network}, block ${Number(blockNumber)}`}>
          {id}
        </a>
      ))}
      {others.length > NAMED && <a href="#/controls">{others.length - NAMED} more</a>}
    </span>
  )
}
