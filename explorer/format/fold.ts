/** Folds equal requests in a row into one, as the terminal does (lib/cli/log.ts): equal method, world and error. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'

export type LoggedRequest = RpcMethods['dev_requests']['result']['requests'][number]

/** Equal requests in a row. */
export interface Folded {
  readonly first: LoggedRequest
  /** The first ones among them, oldest first. */
  readonly all: readonly LoggedRequest[]
}

const keyOf = ({ method, world, error }: LoggedRequest): string => JSON.stringify([method, world, error])

/** Takes and returns requests oldest first. */
export function fold(requests: readonly LoggedRequest[]): Folded[] {
  const folded: { first: LoggedRequest; all: LoggedRequest[] }[] = []
  for (const one of requests) {
    const last = folded.at(-1)
    if (last !== undefined && keyOf(last.first) === keyOf(one)) last.all.push(one)
    else folded.push({ first: one, all: [one] })
  }
  return folded
}

/** The request as a command line for a POSIX shell. */
export function curlOf({ method, params, world }: LoggedRequest, base: string): string {
  const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params.text}}`
  const url = world === null ? base : `${base.replace(/\/$/, '')}/w/${world}`
  return `curl ${quoted(url)} -H 'content-type: application/json' -d ${quoted(body)}`
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
