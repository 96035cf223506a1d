/** How a node reads envelopes and writes errors. The form of the reference node is in faithful/wire.ts. */

import { NodeError } from '../base/errors.ts'
import type { ChainEvent } from '../chain/filters/subscriptions.ts'
import { shorten } from '../base/shorten.ts'
import type { WireError } from '../schema/report-results.ts'
import { errorText, parseBody, readRequest, type JsonRpcRequest, type RequestId } from './envelope.ts'
import type { Registry } from './registry.ts'

/** How a node reads envelopes and writes errors. */
export interface WireForm {
  /** @throws NodeError */
  readonly parseBody: (body: string) => unknown
  /** @throws NodeError */
  readonly readRequest: (value: unknown) => JsonRpcRequest
  /** The error of a method as clients get it. */
  readonly shownError: (error: NodeError, wire: WireError) => WireError
  readonly errorText: (id: RequestId | undefined, error: WireError) => string
  /** Why a batch of so many requests is refused; undefined if it is not. */
  readonly batchFault: (count: number, limit: number) => NodeError | undefined
  readonly unknownMethod: (request: JsonRpcRequest, registry: Registry) => NodeError
  /** Whether batches may contain batches, a failed notification has a response, and one in a batch a null. */
  readonly answersAll: boolean
  /** The result of a notification as JSON text; undefined for the form of render/notification.ts. */
  readonly eventText?: (event: ChainEvent) => string | undefined
}

/** This node's own form. */
export const OWN_FORM: WireForm = {
  parseBody,
  readRequest,
  shownError: (_, wire) => wire,
  errorText: (id, error) => errorText(id ?? null, error),
  batchFault: (count, limit) => {
    if (count > 0 && count <= limit) return undefined
    const reason = count === 0 ? 'empty batch' : `batch of ${count} exceeds the limit of ${limit}`
    return new NodeError('invalidRequest', `invalid request: ${reason}`)
  },
  unknownMethod: ({ method: name }, registry) => {
    const shown = name === '' ? '""' : shorten(name)
    const own = registry.methodNamed(name)
    const hint = own === undefined ? '' : `: here it is ${own}; the \`names\` of a preset choose another`
    return new NodeError('methodNotFound', `the method ${shown} does not exist/is not available${hint}`)
  },
  answersAll: false,
}
