/** Controls of the chain: blocks, time, fees, pool, snapshots, worlds, state file, coverage. */

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { chainVersion } from '../client/live.ts'
import { usePageTitle } from '../client/page-title.ts'
import { CoverageControl } from '../parts/coverage-control.tsx'
import { MiningControls } from '../parts/mining-controls.tsx'
import { Section } from '../parts/page-parts.tsx'
import { Pool } from '../parts/pool.tsx'
import { Snapshots } from '../parts/snapshots.tsx'
import { StateFile } from '../parts/state-file.tsx'
import { Worlds } from '../parts/worlds.tsx'
import '../parts/controls.css'

export function ControlsPage(): VNode {
  usePageTitle('Controls')
  // A change of the chain is noticed by itself; what a button changes besides is loaded again.
  const [changes, setChanges] = useState(0)
  const part = {
    version: `${chainVersion.value} ${changes}`,
    changed: (): void => setChanges((count) => count + 1),
  }
  return (
    <>
      <h1>Controls</h1>
      <div class="cards">
        <Section title="Blocks and time">
          <MiningControls {...part} />
        </Section>
        <Section title="Pool">
          <Pool {...part} />
        </Section>
        <Section title="Snapshots">
          <Snapshots {...part} />
        </Section>
        <Section title="Worlds">
          <Worlds {...part} />
        </Section>
        <Section title="State file">
          <StateFile {...part} />
        </Section>
        <Section title="Coverage">
          <CoverageControl {...part} />
        </Section>
      </div>
    </>
  )
}
