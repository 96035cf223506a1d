/** Writes JSON objects as lines, for programs that read the output. */

/** Converts a bigint to a number, or to a decimal string if JSON cannot represent it exactly. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

/** The value as JSON on one line, big integers included. */
export const toJson = (value: unknown): string => JSON.stringify(value, plain)

export const jsonLine = (event: string, content: object): string => `${toJson({ event, ...content })}\n`
