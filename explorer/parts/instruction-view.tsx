/** The instructions around a step beside the source, with stack, memory and storage. */

import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { contractAt, functionsOf, selectorOf } from '../client/contracts.ts'
import type { DebugSession, Shown } from '../client/debug-session.ts'
import { useLoaded } from '../client/loaded.ts'
import { StepStore } from '../client/steps.ts'
import type { Step } from '../client/steps.ts'
import { DebugSource } from './debug-source.tsx'
import type { InstructionPlace } from './debug-source.tsx'
import { Instructions } from './instructions.tsx'
import type { InstructionRow } from './instructions.tsx'
import { Showing } from './page-parts.tsx'
import { StepState } from './step-state.tsx'

interface ViewProps {
  readonly session: DebugSession
  /** Hash of the transaction; undefined for another execution. */
  readonly hash: string | undefined
  readonly stop: Shown
  readonly hrefOf: (step: number) => string
}

/** Instructions that are listed before and after the current one. */
const AROUND = 60

/** What is loaded for a stop. */
interface Loaded {
  readonly stop: Shown
  readonly rows: readonly InstructionRow[]
  /** The step with its gas and slot, of a transaction that is in a block. */
  readonly step: Step | undefined
  readonly place: InstructionPlace | undefined
}

export function InstructionView({ session, hash, stop, hrefOf }: ViewProps): VNode {
  const store = useMemo(() => (hash === undefined ? undefined : new StepStore(hash)), [hash])
  const names = useMemo(() => new FunctionNames(), [session])
  const shown = useLoaded(async (): Promise<Loaded> => {
    const { at } = stop
    const window = await store?.around(at, AROUND)
    if (window === undefined) return inCode(session, stop, await names.of([stop.frame?.address ?? '']))
    const { from, steps } = window
    const functions = await names.of(steps.map(({ address }) => address))
    const rows = steps.map(({ pc, op, gasCost, depth, error }, index): InstructionRow => {
      const data = pushed(op, steps[index + 1])
      const name = data && functions.get(data)
      return { pc, op, depth, gas: gasCost, data, name, step: from + index, isFailed: error !== undefined }
    })
    return { stop, rows, step: steps[at - from], place: placeOf(steps.slice(0, at - from + 1)) }
  }, [session, stop])
  return (
    <Showing of={shown}>
      {({ stop: of, rows, step, place }) => (
        <>
          <div class="columns">
            <Instructions rows={rows} at={of.at} pc={of.frame?.pc} hrefOf={hrefOf} />
            <DebugSource session={session} stop={of} own={place} />
          </div>
          <StepState session={session} stop={of} step={step} />
        </>
      )}
    </Showing>
  )
}

/** The instructions in the code of the running function, of an execution whose steps are not listed. */
async function inCode(
  session: DebugSession,
  stop: Shown,
  functions: ReadonlyMap<string, string>,
): Promise<Loaded> {
  const { at, frame } = stop
  const lines = frame ? await session.ask('dev_debugCode', at, frame.frame, -AROUND, 2 * AROUND + 1) : []
  const rows = lines.map(({ pc, op, data }) => ({ pc, op, data, name: data && functions.get(data) }))
  const place = lines.find(({ pc }) => pc === frame?.pc)?.place ?? frame?.place
  return { stop, rows, step: undefined, place: place && { ...place, isAdded: place === frame?.place } }
}

/** The place of the last step, or of the newest one before it in its frame. */
function placeOf(steps: readonly Step[]): InstructionPlace | undefined {
  const last = steps.at(-1)
  const placed = steps.findLast(
    ({ source, depth, address }) => source !== undefined && depth === last?.depth && address === last.address,
  )
  return placed?.source && { ...placed.source, isAdded: placed !== last }
}

/** The data that a PUSH pushes: the top of the stack of the next instruction. */
function pushed(op: string, next: Step | undefined): string | undefined {
  const bytes = Number(/^PUSH([1-9]\d?)$/.exec(op)?.[1] ?? 0)
  const word = next?.stack.at(-1)
  return bytes === 0 || word === undefined ? undefined : `0x${word.slice(2).padStart(2 * bytes, '0')}`
}

/** Functions by selector of contracts, which are loaded once. */
class FunctionNames {
  readonly #contracts = new Map<string, ReturnType<typeof contractAt>>()

  async of(addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const contracts = await Promise.all(
      [...new Set(addresses)].map((address) => {
        const contract = this.#contracts.get(address) ?? contractAt(address)
        this.#contracts.set(address, contract)
        return contract
      }),
    )
    const functions = contracts.flatMap((contract) => (contract === null ? [] : functionsOf(contract)))
    return new Map(functions.map((one) => [selectorOf(one), one.name]))
  }
}
