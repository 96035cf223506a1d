/** Folds equal requests in a row into one, as the terminal does (lib/cli/log.ts): equal method, world and error, and equal calls. */

import type { RpcMethods } from '../../lib/embed/rpc-types.ts'

export type LoggedRequest = RpcMethods['dev_requests']['result']['requests'][number]

/** Equal requests in a row. */
export interface Folded {
  readonly first: LoggedRequest
  /** The first ones among them, oldest first. */
  readonly all: readonly LoggedRequest[]
}

const keyOf = (one: LoggedRequest): string =>
  JSON.stringify([one.method, one.world, one.error?.message, callOf(one), sentBy(one)])

/** The call or transaction that a request asks for, with what it is sent to. */
export function callOf({ params: { text } }: LoggedRequest): { to: string; data: string } | undefined {
  const [, to] = /^\[\{[^{}]*"to":"(0x[0-9a-fA-F]{40})"/.exec(text) ?? []
  if (to === undefined) return undefined
  return { to, data: /"(?:data|input)":"(0x[0-9a-fA-F]*)"/.exec(text)?.[1] ?? '0x' }
}

/** Hash of the transaction that a request sent. */
export function sentBy({ method, result }: LoggedRequest): string | undefined {
  return /_send(Raw)?Transaction$/.test(method)
    ? /^"(0x[0-9a-f]{64})"$/.exec(result?.text ?? '')?.[1]
    : undefined
}

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
