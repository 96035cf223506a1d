/** What is sent to the node in one go. A value that can be written to a file and sent again. */

/** Kinds of exchanges, which are counted. */
export const KINDS = [
  'single requests',
  'batches',
  'byte code',
  'raw transactions',
  'worlds and dialects',
  'WebSocket',
  'local socket',
  'broken JSON-RPC',
  'broken HTTP',
  'broken WebSocket frames',
  'slow clients',
  'half-closed sockets',
  'long calls',
] as const

/** Kind of an exchange. */
export type Kind = (typeof KINDS)[number]

/** JSON-RPC over a connection, or bytes on a bare socket. */
export type Exchange = Message | Bytes

/** A JSON-RPC text. */
export interface Message {
  readonly kind: Kind
  readonly via: 'http' | 'websocket' | 'ipc'
  readonly path: string
  readonly text: string
  /** Number of requests in the text. */
  readonly requests: number
  /** The JSON of the ids to be answered; undefined if any answer will do. */
  readonly ids: readonly string[] | undefined
  /** Whether the server may refuse the whole text without an id: there may be as many worlds as the limit. */
  readonly mayBeRefused?: boolean
}

/** Bytes on a socket. */
export interface Bytes {
  readonly kind: Kind
  readonly via: 'bytes'
  /** The bytes, one per character. */
  readonly text: string
  readonly requests: number
  /** Number of pieces that are sent with a pause between. */
  readonly pieces: number
  /** What the client does then: wait, close its half, or stop reading and hang up. */
  readonly then: 'wait' | 'half-close' | 'hang up'
  /** Whether the server must answer, or close; otherwise the client waits for nothing. */
  readonly expects: 'an answer' | 'an answer or the end' | 'nothing'
}
