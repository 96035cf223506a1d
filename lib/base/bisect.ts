/** Bisection. */

/** The first number from 0 on for which the condition fails, at most `end`. It must also fail for all numbers after that. */
export function bisect(end: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
