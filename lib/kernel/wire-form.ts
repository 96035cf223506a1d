/** What a node serves: methods, and how it reads envelopes and writes errors. A module may make it answer like another node. */

import type { NodeError } from '../base/errors.ts'
import type { ChainEvent } from '../chain/filters/subscriptions.ts'
import type { WireError } from '../schema/report-results.ts'
import type { Method } from './method.ts'

/** Id of a request; the response repeats it. */
export type RequestId = string | number | null

/** A valid request. Without an id it is a notification and gets no response. */
export interface JsonRpcRequest {
  readonly id: RequestId | undefined
  readonly method: string
  readonly params: unknown
}

interface MethodNames {
  /** The own name of the method that a network with other names calls by this name. */
  methodNamed(name: string): string | undefined
}

/** How a node reads envelopes and writes errors. */
export interface WireForm {
  /** @throws NodeError */
  readonly parseBody: (body: string) => unknown
  /** @throws NodeError */
  readonly readRequest: (value: unknown) => JsonRpcRequest
  /** The error of a method as clients see it. */
  readonly shownError: (error: NodeError, wire: WireError) => WireError
  readonly errorText: (id: RequestId | undefined, error: WireError) => string
  /** Why a batch of this length is refused; undefined if it is not. */
  readonly batchFault: (count: number, limit: number) => NodeError | undefined
  readonly unknownMethod: (request: JsonRpcRequest, methods: MethodNames) => NodeError
  /** Whether batches may contain batches, failed notifications get a response, and notifications in a batch get null. */
  readonly answersAll: boolean
  /** HTTP status of a response; undefined for one without a body. */
  readonly statusOf: (text: string | undefined) => number
  /** The result of a notification as JSON text; undefined for the form of render/notification.ts. */
  readonly eventText?: (event: ChainEvent) => string | undefined
}

/** How a node answers like another one. `Scope` is what the node has. */
export interface Front<Scope = never> {
  /** The methods to serve, made from this node's own. */
  methods(own: readonly Method<Scope>[]): readonly Method<Scope>[]
  readonly form: WireForm
}
