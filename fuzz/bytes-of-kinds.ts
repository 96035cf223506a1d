/** Generates exchanges of bytes: broken HTTP, broken WebSocket frames, slow clients and half-closed sockets. */

import { upgradeRequest } from '../test/support/socket.ts'
import type { Choices } from './choices.ts'
import type { Bytes, Kind } from './exchange.ts'
import { anyRequest } from './requests.ts'

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
/** UTF-8 as one character per byte. */
const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const headOf = (headers: Readonly<Record<string, string | number>>, line = 'POST / HTTP/1.1'): string =>
  `${line}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

const HEADERS = { Host: '127.0.0.1', 'Content-Type': 'application/json' }

/** A whole request over HTTP. */
function whole(choices: Choices, headers: Readonly<Record<string, string>> = {}): string {
  const body = utf8(anyRequest(choices).text)
  return headOf({ ...HEADERS, ...headers, 'Content-Length': body.length }) + body
}

const chunked = (body: string, size: number): string => {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
  return chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') + '0\r\n\r\n'
}

const bytes = (kind: Kind, text: string, more: Partial<Bytes> = {}): Bytes => ({
  kind,
  via: 'bytes',
  text,
  requests: 1,
  pieces: 1,
  then: 'wait',
  expects: 'an answer or the end',
  ...more,
})

/** Requests that are no valid HTTP, or that end early. */
function brokenHttp(choices: Choices): Bytes {
  const text = whole(choices)
  const at = choices.draw(text.length)
  const body = utf8(anyRequest(choices).text)
  const make = choices.any<() => Bytes>([
    () => bytes('broken HTTP', text.slice(0, at), { expects: 'nothing', then: 'hang up' }),
    () => bytes('broken HTTP', text.slice(0, at), { then: 'half-close' }),
    () => bytes('broken HTTP', text.slice(0, at) + '\u0000' + text.slice(at), { then: 'half-close' }),
    () => bytes('broken HTTP', latin1(choices.bytes(choices.draw(300))), { then: 'half-close' }),
    () => bytes('broken HTTP', `${text}${text}`, { requests: 2, expects: 'an answer', then: 'half-close' }),
    () => bytes('broken HTTP', headOf({ ...HEADERS, 'Content-Length': -1 }) + body),
    () => bytes('broken HTTP', headOf({ ...HEADERS, 'Content-Length': '1e9' }) + body),
    () =>
      bytes('broken HTTP', headOf({ ...HEADERS, 'Content-Length': 10_000_000 }) + body, {
        then: 'half-close',
      }),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, 'Transfer-Encoding': 'chunked' }) + chunked(body, 1 + choices.draw(50)),
        { expects: 'an answer' },
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, 'Transfer-Encoding': 'chunked' }) + `zz\r\n${body}\r\n0\r\n\r\n`,
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, 'Transfer-Encoding': 'chunked', 'Content-Length': 3 }) + body,
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, [`X-${'h'.repeat(choices.any([10, 20_000]))}`]: 'x'.repeat(20_000) }),
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, 'Content-Encoding': 'gzip', 'Content-Length': body.length }) + body,
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({ ...HEADERS, Expect: '100-continue', 'Content-Length': body.length }) + body,
        { expects: 'an answer' },
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({
          ...HEADERS,
          Host: choices.any(['evil.example', '', '[::', '127.0.0.1:99999']),
          'Content-Length': body.length,
        }) + body,
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf({
          ...HEADERS,
          'Content-Type': choices.any(['text/html', 'application/json; charset=utf-7', '']),
          'Content-Length': body.length,
        }) + body,
      ),
    () =>
      bytes(
        'broken HTTP',
        headOf(
          HEADERS,
          `${choices.any(['GET', 'PUT', 'OPTIONS', 'HEAD', 'TRACE', 'DELETE', 'BREW'])} ${choices.any(['/', '//', '/w/one', '/../etc', '*', '/%', `/${'p'.repeat(9000)}`])} HTTP/1.1`,
        ),
        { then: 'half-close' },
      ),
    () => bytes('broken HTTP', headOf(HEADERS, 'POST / HTTP/9.9') + body),
  ])
  return make()
}

/** A frame of a WebSocket, masked as a client must. */
function frame(
  payload: string,
  { opcode = 1, isFinal = true, isMasked = true, reserved = 0, length = payload.length } = {},
): string {
  const head = [(isFinal ? 0x80 : 0) | (reserved << 4) | opcode]
  const mask = isMasked ? 0x80 : 0
  if (length < 126) head.push(mask | length)
  else if (length < 65_536) head.push(mask | 126, length >> 8, length & 255)
  else
    head.push(
      mask | 127,
      0,
      0,
      0,
      0,
      (length / 2 ** 24) & 255,
      (length >> 16) & 255,
      (length >> 8) & 255,
      length & 255,
    )
  // A mask of zeros leaves the payload as it is.
  return latin1(Uint8Array.from(head)) + (isMasked ? '\0\0\0\0' : '') + payload
}

function brokenFrames(choices: Choices): Bytes {
  const request = utf8(anyRequest(choices).text)
  const at = choices.draw(request.length)
  const frames = choices.any<() => string>([
    () => frame(request, { isMasked: false }),
    () => frame(request, { opcode: choices.any([3, 7, 11, 15]) }),
    () => frame(request, { reserved: 1 + choices.draw(7) }),
    () => frame(request, { opcode: 0 }),
    () => frame(request.slice(0, at), { isFinal: false }) + frame(request, { opcode: 1 }),
    () => frame(request.slice(0, at), { isFinal: false }) + frame(request.slice(at), { opcode: 0 }),
    () => frame('p'.repeat(126 + choices.draw(100)), { opcode: 9 }),
    () => frame('', { opcode: 9 }).repeat(1 + choices.draw(2000)),
    () => frame('', { opcode: 10 }).repeat(100),
    () => frame('\u0003', { opcode: 8 }),
    () => frame('\u0000\u0001reason', { opcode: 8 }),
    () => frame(request, { length: choices.any([2 ** 31, 2 ** 24, request.length + 5, 126]) }),
    () => frame('\u00ff\u00fe{}'),
    () => frame(request, { opcode: 2 }),
    () => frame(request).slice(0, at),
    () => frame('', { isFinal: false }) + frame('', { opcode: 0, isFinal: false }).repeat(2000),
    () => latin1(choices.bytes(choices.draw(400))),
    () => frame(request) + frame('{"jsonrpc"'),
  ])()
  const headers = choices.once(8)
    ? choices.any([
        { 'Sec-WebSocket-Version': '7' },
        { 'Sec-WebSocket-Key': 'short' },
        { Upgrade: 'h2c' },
        { Connection: '' },
      ])
    : {}
  const then = choices.any(['half-close', 'hang up'] as const)
  return bytes('broken WebSocket frames', upgradeRequest('/', headers) + frames, {
    pieces: 1 + choices.draw(3),
    then,
    expects: then === 'hang up' ? 'nothing' : 'an answer or the end',
  })
}

function slowClient(choices: Choices): Bytes {
  const isReading = choices.once(2)
  // Many answers that the client does not read.
  const unread = Array.from({ length: 200 }, () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["latest",true]}'
    return headOf({ ...HEADERS, 'Content-Length': body.length }) + body
  }).join('')
  if (!isReading) return bytes('slow clients', unread, { requests: 200, then: 'hang up', expects: 'nothing' })
  return bytes('slow clients', whole(choices), { pieces: 4 + choices.draw(20), expects: 'an answer' })
}

/** The generators of bytes, by kind. */
export const BYTES: Partial<Readonly<Record<Kind, (choices: Choices) => Bytes>>> = {
  'broken HTTP': brokenHttp,
  'broken WebSocket frames': brokenFrames,
  'slow clients': slowClient,
  'half-closed sockets': (choices) =>
    bytes('half-closed sockets', whole(choices), { then: 'half-close', expects: 'an answer' }),
}
