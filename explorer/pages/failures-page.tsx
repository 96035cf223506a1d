/** The failed transactions, calls and estimates that the node keeps, newest first, and one of them. */

import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { withPowers } from '../../lib/base/decimal-text.ts'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { groupAlike } from '../../lib/schema/alike-failures.ts'
import { ask } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { nameOf, withNames } from '../client/names.ts'
import { usePageTitle } from '../client/page-title.ts'
import { Age } from '../parts/age.tsx'
import { Values } from '../parts/call-tree.tsx'
import { ChainText } from '../parts/chain-text.tsx'
import { DebuggedFailure } from '../parts/debugged-failure.tsx'
import { AddressLink } from '../parts/hex.tsx'
import { LongList } from '../parts/long-list.tsx'
import { Count, NoNames, Showing } from '../parts/page-parts.tsx'
import '../parts/requests.css'

type Failure = RpcMethods['dev_failures']['result'][number]

/** Milliseconds between looks for changes. */
const LOOK_MS = 1500

/** Failures that are listed: the node executes each of them again. */
const COUNT = 100

export function FailuresPage(): VNode {
  usePageTitle('Failures')
  const version = useListVersion()
  const failures = useLoaded(() => ask('dev_failures', COUNT), ['failures', version])
  const [isAll, setAll] = useState(false)
  return (
    <>
      <h1>Failures</h1>
      <Showing of={failures}>
        {(kept) => {
          const ofTests = kept.filter(({ id, test }) => test !== undefined && (test.failure ?? id) === id)
          const all = isAll || ofTests.length === 0 ? kept : ofTests
          return all.length === 0 ? (
            <p class="quiet">No execution has failed.</p>
          ) : (
            <section>
              {ofTests.length === 0 ? (
                <p class="quiet">
                  Newest first, also those that a revert removed, and those that tests expect.
                </p>
              ) : (
                <label class="quiet">
                  <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} /> also failures that
                  tests expected
                </label>
              )}
              {all.every(({ contract }) => contract === undefined) && <NoNames />}
              <LongList class="requests" items={groupAlike(all)} label="Failures" keyOf={([{ id }]) => id}>
                {([failure, ...earlier]) => <FailureLine failure={failure} earlier={earlier.length} />}
              </LongList>
            </section>
          )
        }}
      </Showing>
    </>
  )
}

/** Changes when another failure comes, or the chain changes: a revert may have removed some. Not at once: a list costs executions. */
function useListVersion(): string {
  const [version, setVersion] = useState('')
  useEffect(() => {
    const look = (): void =>
      void ask('dev_failures', 1).then(
        ([first]) => setVersion(`${first?.id ?? 0} ${chainVersion.peek()}`),
        // The list says why the node does not answer.
        () => undefined,
      )
    look()
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  return version
}

interface LineProps {
  readonly failure: Failure
  /** Number of earlier failures that are alike. */
  readonly earlier: number
}

const FailureLine = ({ failure, earlier }: LineProps): VNode => {
  const { id, kind, hash, world, time, removedAt, gasUsed, reason, place, test } = failure
  return (
    <>
      {test !== undefined && <TestLine test={test} />}
      <div class="headline">
        <a class="failure" href={`#/failure/${id}`}>
          <ChainText text={withPowers(withNames(reason))} />
        </a>
        {world !== null && <span class="badge">world {world}</span>}
        {removedAt !== undefined && (
          <span class="badge warn">removed by a revert at {timeIn(removedAt)}</span>
        )}
        <a href={`#/failure/${id}/debug`}>Debug</a>
        <Age seconds={Math.floor(Date.parse(time) / 1000)} />
      </div>
      <div>
        <Called failure={failure} />
      </div>
      {place?.excerpt !== undefined && (
        <pre class="excerpt">
          <ChainText text={place.excerpt} />
        </pre>
      )}
      <div class="quiet">
        {place?.file !== undefined && <ChainText text={`${place.file}:${place.line ?? ''}, `} />}
        {[kind, hash?.slice(0, 10)].filter((part) => part !== undefined).join(' ')}, <Count of={gasUsed} />{' '}
        gas{earlier > 0 && `, and ${earlier} like it before`}
      </div>
    </>
  )
}

const TestLine = ({
  test: { title, file, line },
}: {
  readonly test: NonNullable<Failure['test']>
}): VNode => (
  <div>
    <b>{title}</b>
    {file !== undefined && <span class="quiet"> {line === undefined ? file : `${file}:${line}`}</span>}
  </div>
)

/** The test in which an execution ran, with its error, which the debugger leaves little room, and its other executions. */
function TestOf({ id, isOpen }: { readonly id: number; readonly isOpen: boolean }): VNode | null {
  const failures = useLoaded(() => ask('dev_failures', COUNT), ['failures'])
  const rows = failures.state === 'loaded' ? failures.value : []
  const row = rows.find((one) => one.id === id) ?? rows.find((one) => one.executions?.includes(id))
  if (row?.test === undefined) return null
  const { test, executions = [] } = row
  return (
    <section>
      <TestLine test={test} />
      <TestError text={test.error} isOpen={isOpen} />
      {executions.length > 1 && (
        <p class="quiet">
          Executions of the test:{' '}
          {executions.map((other, index) => (
            <>
              {index > 0 && ', '}
              {other === id ? <b>{index + 1}</b> : <a href={`#/failure/${other}`}>{index + 1}</a>}
              {other === test.failure && ' (it failed by this one)'}
            </>
          ))}
        </p>
      )}
    </section>
  )
}

function TestError({ text, isOpen }: { readonly text: string; readonly isOpen: boolean }): VNode {
  const [first, ...rest] = text.split('\n')
  if (rest.length === 0) return <pre class="excerpt">{text}</pre>
  return (
    <details open={isOpen}>
      <summary>{first}</summary>
      <pre class="excerpt">{rest.join('\n')}</pre>
    </details>
  )
}

const timeIn = (iso: string): string => iso.slice(11, 19)

const Called = ({
  failure: { to, contract, arguments: given, ...call },
}: {
  readonly failure: Failure
}): VNode => (
  <>
    {contract !== undefined && (
      <b title={to}>
        <ChainText text={(to && nameOf(to)) ?? contract} />
      </b>
    )}
    {contract === undefined && to !== undefined && <AddressLink value={to} />}
    {call.function !== undefined && (
      <>
        .<b>{call.function.replace(/\(.*$/s, '')}</b>({given !== undefined && <Values values={given} />})
      </>
    )}
  </>
)

interface FailurePageProps {
  readonly id: string
  /** `debug` and a step; the explanation if left out. */
  readonly part?: string | undefined
}

export function FailurePage({ id, part = '' }: FailurePageProps): VNode {
  const [tab = '', ...rest] = part.split('/')
  usePageTitle(`Failure ${id}`)
  const explanation = useLoaded(
    async () => (/^\d+$/.test(id) ? ask('dev_explainFailure', Number(id)) : null),
    [id],
  )
  return (
    <>
      <h1>
        {explanation.state === 'loaded' && explanation.value?.status === 'success' ? 'Execution' : 'Failure'}{' '}
        {id}
      </h1>
      <TestOf id={Number(id)} isOpen={tab !== 'debug'} />
      <Showing of={explanation}>
        {(found) =>
          found === null ? (
            <p class="error" role="alert">
              The node keeps no failure {id}.
            </p>
          ) : (
            <DebuggedFailure
              target={{ failure: Number(id) }}
              path={`/failure/${id}`}
              explanation={found}
              tab={tab}
              rest={rest}
            />
          )
        }
      </Showing>
    </>
  )
}
