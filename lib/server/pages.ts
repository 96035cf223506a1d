/** What is not JSON-RPC: readiness, and the description of the methods. */

import type { Express } from 'express'
import type { Node } from '../node.ts'
import { openRpcDocument } from '../rpc/openrpc.ts'
import type { Registry } from '../rpc/registry.ts'
import type { Handler } from './http.ts'
import type { ProcessUse } from './process-use.ts'
import { refuse, sendJson } from './respond.ts'

/** What the pages show. */
export interface PageParts {
  readonly node: Node
  readonly registry: Registry
  readonly use: () => ProcessUse
}

/** Answers pages; express is loaded at the first, for most runs never ask for one. */
export function createPages(parts: PageParts): Handler {
  let loading: Promise<Express> | undefined
  return (request, response) => {
    loading ??= import('express').then(({ default: express }) => application(express(), parts))
    void loading.then((pages) => {
      pages(request, response)
    })
  }
}

function application(pages: Express, { node, registry, use }: PageParts): Express {
  pages.disable('x-powered-by')
  pages.get('/health', (_, response) => {
    response.json({
      status: 'ok',
      network: node.network.name,
      chainId: Number(node.network.chainId),
      blockNumber: Number(node.chain.height),
      worlds: node.worlds.size,
      ...use(),
    })
  })
  pages.get('/openrpc.json', async (request, response) => {
    await sendJson(request, response, JSON.stringify(openRpcDocument(registry)))
  })
  pages.use((request, response) => {
    refuse(response, { status: 404, message: `no such page: ${request.path}` })
  })
  return pages
}
