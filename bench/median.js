/** The value in the middle, which a few disturbed measurements do not move. */
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
