/** Follows the head of the chain over a WebSocket, and connects again when the connection is lost. */

import { batch, signal } from '@preact/signals'
import { coinName } from '../format/amounts.ts'
import { ask, pageId, stopAsking } from './json-rpc.ts'

/** Number of the newest block; undefined before the first answer. */
export const headNumber = signal<number | undefined>(undefined)

/** Changes whenever the chain may have changed, also by a revert to a block with the same number. */
export const chainVersion = signal(0)

/** The modules of methods that the node has for this chain, by which pages are offered. */
export const methodModules = signal<Readonly<Record<string, string>>>({})

/** Whether the page hears of changes at once. */
export const isConnected = signal(false)

/** Number of transactions in the pool. */
export const pooledCount = signal(0)

/** What the user must know before anything on the page: the page shows what it knew, or another chain than before. */
export const notice = signal<'unreachable' | 'otherChain' | 'worldDeleted' | undefined>(undefined)

/** Reason for which the node closes the connections of a world (lib/server/websockets.ts). */
const WORLD_DELETED = 'the world was deleted'

const RECONNECT_MS = 1000

/** Milliseconds between refreshes while many blocks arrive. */
const REFRESH_MS = 100

/** Milliseconds between looks at the head, for reverts, of which no head is announced. */
const LOOK_MS = 1500

let headHash: string | undefined
let chainId: string | undefined

/** Begins to follow the head. */
export function followHead(): void {
  connect()
  void look()
  setInterval(() => void look(), LOOK_MS)
}

function connect(): void {
  const { protocol, host, pathname } = location
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname}`)
  socket.addEventListener('open', () => {
    isConnected.value = true
    void compareChain()
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: pageId(), method: 'eth_subscribe', params: ['newHeads'] }),
    )
  })
  socket.addEventListener('message', lookSoon)
  socket.addEventListener('close', ({ reason }) => {
    isConnected.value = false
    if (reason === WORLD_DELETED) {
      stopAsking()
      notice.value = 'worldDeleted'
    } else setTimeout(connect, RECONNECT_MS)
  })
}

/** Notices that the node was started again, or the chain reset, since the last connection, and what the node has. */
async function compareChain(): Promise<void> {
  const [{ instanceId }, modules] = await Promise.all([ask('anvil_metadata'), ask('rpc_modules')])
  methodModules.value = modules
  // A network with merged mining has coins of another chain.
  coinName.value = 'mnr' in modules ? 'coins' : 'ether'
  if (chainId !== undefined && chainId !== instanceId) notice.value = 'otherChain'
  chainId = instanceId
}

let isPlanned = false

function lookSoon(): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(() => {
    isPlanned = false
    void look()
  }, REFRESH_MS)
}

async function look(): Promise<void> {
  try {
    const [head, { pending, queued }] = await Promise.all([
      ask('eth_getBlockByNumber', 'latest', false),
      ask('txpool_status'),
    ])
    if (notice.peek() === 'unreachable') notice.value = undefined
    pooledCount.value = Number(pending) + Number(queued)
    if (head === null || head.hash === headHash) return
    // What the page shows at first is asked for in the same moment.
    const isFirst = headHash === undefined
    headHash = head.hash ?? undefined
    batch(() => {
      headNumber.value = Number(head.number)
      if (!isFirst) chainVersion.value++
    })
  } catch {
    // What the page has asked for has failed, too.
    headHash ??= ''
    isConnected.value = false
    notice.value = 'unreachable'
  }
}
