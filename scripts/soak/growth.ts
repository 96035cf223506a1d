/** Measures whether the heap grows with requests, worlds or sockets that have ended. */

import { heapWithoutGarbage } from './heap.ts'

/** Something to do and undo many times. */
export interface RepeatedWork {
  readonly name: string
  /** Number of times in each round. */
  readonly count: number
  readonly run: (number: number) => Promise<void>
}

/** Bytes of heap that each repetition leaves behind. */
export interface Growth {
  readonly name: string
  readonly count: number
  readonly bytesEach: number
}

/** Runs the work in rounds. The first two warm up. */
export async function growthOf({ name, count, run }: RepeatedWork, rounds = 6): Promise<Growth> {
  const heaps: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (let number = 0; number < count; number++) await run(round * count + number)
    heaps.push(await heapWithoutGarbage())
  }
  // The median of the steps: one of them may contain code that V8 compiled.
  const steps = heaps.slice(2).map((heap, index) => heap - heaps[index + 1]!)
  steps.sort((left, right) => left - right)
  return { name, count: rounds * count, bytesEach: steps[steps.length >> 1]! / count }
}
