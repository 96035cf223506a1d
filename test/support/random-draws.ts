/** Random numbers determined by a seed. */

/** Draws a number from zero to below a bound. */
export type Draw = (below: number) => number

/** Mulberry32, whose 32 bits of state are enough to choose params. */
export function drawsFrom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
