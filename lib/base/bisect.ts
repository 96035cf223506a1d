/** Bisection. */

/** The first number from 0 on for which the condition fails, at most `end`. If it fails for one number, it must fail for all later ones. */
export function bisect(end: number, holds: (number: number) => boolean): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
