/** The coverage of the running session, to start, show and reset. */

import type { VNode } from 'preact'
import { coverage } from '../client/coverage.ts'
import type { Summary } from '../client/coverage.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { Action } from './action.tsx'
import { ChainText } from './chain-text.tsx'
import type { PartProps } from './field.tsx'
import { Showing } from './page-parts.tsx'

export function CoverageControl({ version, changed }: PartProps): VNode {
  const summary = useLoaded(coverage, ['coverage', version])
  const then = (change: () => Promise<unknown>) => async (): Promise<undefined> => {
    await change()
    changed()
  }
  return (
    <Showing of={summary}>
      {(files) =>
        files === undefined ? (
          <Action label="Start coverage" isPrimary run={then(() => ask('dev_startCoverage'))}>
            <span>Lines that run</span>
          </Action>
        ) : (
          <>
            <Action
              label="Reset coverage"
              drops={() => 'All counts begin at 0.'}
              run={then(() => ask('dev_resetCoverage'))}
            />
            {files.length === 0 ? (
              <p class="quiet">No source of the artifacts is known. Name their folder with --artifacts.</p>
            ) : (
              <Shares files={files} />
            )}
          </>
        )
      }
    </Showing>
  )
}

const KINDS = ['lines', 'statements', 'functions', 'branches'] as const

const Shares = ({ files }: { readonly files: Summary }): VNode => (
  <div class="wide">
    <table>
      <thead>
        <tr>
          <th>Source</th>
          {KINDS.map((kind) => (
            <th key={kind} class="number">
              {kind}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.path}>
            <td>
              <ChainText text={file.path} />
            </td>
            {KINDS.map((kind) => (
              <td key={kind} class="number">
                {file[kind].covered} of {file[kind].total}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
