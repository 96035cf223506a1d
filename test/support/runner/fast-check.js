/** fast-check, with the share of the runs of each law that the tier makes. A replay makes them all. */
import fc from 'fast-check'

export * from 'fast-check'

const scaled = ({ numRuns = 100, ...parameters } = {}) => {
  const share = parameters.path === undefined ? (globalThis.lawRuns ?? 1) : 1
  return { ...parameters, numRuns: Math.ceil(numRuns * share) }
}

/** Checks a law. */
export const assert = (property, parameters) => fc.assert(property, scaled(parameters))

export default { ...fc, assert }
