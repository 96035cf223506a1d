/** Serves the pages, which are requests with GET: /health, /openrpc.json, and those of beacon.ts. */

import type { Express, NextFunction, Request, Response } from 'express'
import { lazyPart } from '../base/lazy-part.ts'
import type { NodeHooks } from '../config/request-log.ts'
import type { Node } from '../node/node.ts'
import { openRpcDocument } from '../rpc/openrpc.ts'
import type { Registry } from '../rpc/registry.ts'
import { INVALID_PATH } from './admission.ts'
import { addBeaconPages, type BeaconDependencies } from './beacon.ts'
import type { Handler } from './http.ts'
import { processUsage } from '../base/process-usage.ts'
import { refuse, sendFailure, sendJson } from './respond.ts'

interface PageDependencies extends BeaconDependencies, Pick<NodeHooks, 'onFault'> {
  readonly node: Node
  readonly registry: Registry
}

/** Creates the handler of the pages. Express is loaded at the first request of a page, because most runs never need it. */
export function createPages(dependencies: PageDependencies): Handler {
  const load = lazyPart('express', async () => {
    const { default: express } = await import('express')
    return application(express(), dependencies)
  })
  return (request, response) => {
    const fail = (error: unknown): void => sendFailure(response, error, dependencies.onFault)
    load()
      .then((pages) => void pages(request, response))
      .catch(fail)
  }
}

function application(pages: Express, dependencies: PageDependencies): Express {
  const { node, registry, onFault } = dependencies
  pages.disable('x-powered-by')
  pages.get('/health', (_, response) => {
    // The last blocks of a long run are made at the next request. The block number below includes them.
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
    // A part of the path cannot be decoded.
    if (error instanceof URIError) refuse(response, INVALID_PATH)
    else sendFailure(response, error, onFault)
  })
  return pages
}
