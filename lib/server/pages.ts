/** Serves the pages, which are GET requests: /health, /openrpc.json, and those of the Beacon API. */

import type { RequestListener } from 'node:http'
import type { Express, NextFunction, Request, Response } from 'express'
import { toHex } from '../base/hex.ts'
import { lazyPart } from '../base/lazy-part.ts'
import { processUsage } from '../base/process-usage.ts'
import { shorten } from '../base/shorten.ts'
import { hash as hashSchema, readWhole } from '../config/values.ts'
import type { Node } from '../node/node.ts'
import { openRpcDocument } from '../rpc/openrpc.ts'
import type { Registry } from '../rpc/registry.ts'
import { INVALID_PATH, requestedChainOf, type Refusal } from './admission.ts'
import type { SocketDependencies } from './connections.ts'
import { refuse, sendFailure, sendJson } from './respond.ts'

export interface PageDependencies extends SocketDependencies {
  readonly node: Node
  readonly registry: Registry
}

/** Creates the handler of the pages. Express is loaded at the first request of a page, because most runs never need it. */
export function createPages(dependencies: PageDependencies): RequestListener {
  const load = lazyPart('express', async () => {
    const { default: express } = await import('express')
    return application(express(), dependencies)
  })
  return (request, response) => {
    load()
      .then((pages) => void pages(request, response))
      .catch((error: unknown) => sendFailure(response, error, dependencies.onFault))
  }
}

function application(pages: Express, dependencies: PageDependencies): Express {
  const { node, registry, onFault } = dependencies
  pages.disable('x-powered-by')
  pages.get('/health', (_, response) => {
    // The next request makes the last blocks of a long run. The block number below includes them.
    node.miner.makePostponedBlocks()
    response.json({
      status: 'ok',
      network: node.network.name,
      chainId: Number(node.miner.settings.chainId),
      blockNumber: Number(node.chain.height),
      worlds: node.worlds.size,
      ...processUsage(),
    })
  })
  pages.get('/openrpc.json', async (request, response) => {
    await sendJson(request, response, JSON.stringify(openRpcDocument(registry)))
  })
  addBeaconPages(pages, dependencies)
  pages.use((request, response) => {
    refuse(response, { status: 404, message: `no such page: ${request.path}` })
  })
  // Express recognizes error handlers by their four params.
  pages.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    // Part of the path cannot be decoded.
    if (error instanceof URIError) refuse(response, INVALID_PATH)
    else sendFailure(response, error, onFault)
  })
  return pages
}

/** A page's answer: an object, bytes, or a refusal. */
type PageContent = object | Buffer | Refusal

/**
 * Adds what readers of blobs ask a consensus client (ethereum/beacon-APIs): a block's blobs, and the genesis time. Slots are block
 * numbers here. Worlds have the same pages behind their path, such as /w/<id>/eth/v1/beacon/genesis.
 */
function addBeaconPages(pages: Express, { options, acquireChain }: PageDependencies): void {
  const page = (path: string, answer: (node: Node, request: Request) => PageContent): void => {
    pages.get(new RegExp(`^(?<chain>.*)/eth/v1/beacon/${path}$`), async (request, response) => {
      const pathname = request.params['chain'] || '/'
      const lease = acquireChain(requestedChainOf({ pathname, dialect: null }, options))
      if ('status' in lease) return send(request, response, lease)
      try {
        lease.node.miner.makePostponedBlocks()
        await send(request, response, answer(lease.node, request))
      } finally {
        lease.release()
      }
    })
  }
  page('genesis', ({ chain }) => ({
    data: {
      genesis_time: chain.genesis.block.header.timestamp.toString(),
      genesis_validators_root: `0x${'00'.repeat(32)}`,
      genesis_fork_version: '0x00000000',
    },
  }))
  page('blobs/(?<block>[^/]+)', blobsPage)
}

/** A block's blobs in order: all, or those whose versioned hashes the request names. */
function blobsPage({ blockResolver, sidecars }: Node, request: Request): PageContent {
  const name = String(request.params['block'])
  const selector = readBlockId(name)
  if (selector === undefined)
    return refusal(400, `block ${shorten(name)}: expected head, genesis, finalized, a number or a hash`)
  const block = blockResolver.find(selector)?.block
  if (block === undefined) return refusal(404, `there is no block ${shorten(name)}`)
  // Hashes separated by commas, or several params.
  const query = [request.query['versioned_hashes'] ?? []].flat()
  const texts = query.flatMap((listed) => (typeof listed === 'string' ? listed.split(',') : ['']))
  const wanted = texts.map((text) => hashSchema.safeParse(text).data)
  if (wanted.includes(undefined))
    return refusal(400, 'versioned_hashes: expected hashes of 32 bytes, with commas between')
  const blobs = block.receipts.flatMap(({ transaction: { hash, blobVersionedHashes = [] } }) => {
    const kept = sidecars.get(hash)?.blobs
    return blobVersionedHashes.flatMap((versionedHash, index) =>
      wanted.length === 0 || wanted.includes(versionedHash) ? [kept?.[index]] : [],
    )
  })
  if (!blobs.every((blob) => blob !== undefined))
    return refusal(404, `the blobs of block ${shorten(name)} are not kept: the node keeps the newest 1024`)
  if (request.accepts(['json', 'application/octet-stream']) !== 'json') return Buffer.concat(blobs)
  return { execution_optimistic: false, finalized: false, data: blobs.map(toHex) }
}

const refusal = (status: number, message: string): Refusal => ({ status, message })

const TAGS = { head: 'latest', genesis: 'earliest', finalized: 'finalized', justified: 'finalized' } as const

function readBlockId(name: string): Parameters<Node['chain']['find']>[0] | undefined {
  const tag = new Map(Object.entries(TAGS)).get(name)
  if (tag !== undefined) return { tag }
  const hash = hashSchema.safeParse(name).data
  if (hash !== undefined) return { hash }
  const number = /^\d+$/.test(name) ? readWhole(name) : undefined
  return number === undefined ? undefined : { number }
}

/** Refusals have that API's form. */
async function send(request: Request, response: Response, answer: PageContent): Promise<void> {
  if (Buffer.isBuffer(answer)) return void response.type('application/octet-stream').send(answer)
  if (!('status' in answer)) return sendJson(request, response, JSON.stringify(answer))
  const { status, message } = answer
  response.status(status).json({ code: status, message })
}
