/** The OpenRPC description of the methods, computed from their declarations. */

import { z } from 'zod'
import { findPackage } from '../config/package.ts'
import type { Method } from './method.ts'
import type { Registry } from './registry.ts'

/** An OpenRPC 1.3 document. */
export function openRpcDocument(registry: Registry): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'dev-node', version: findPackage().version },
    methods: registry.methods.flatMap((method) =>
      [method.name, ...method.aliases].map((name) => describe(method, name)),
    ),
  }
}

function describe({ summary, params, result, example }: Method, name: string): object {
  return {
    name,
    summary,
    params: params.map((param) => ({
      name: param.name,
      summary: param.summary,
      required: !param.schema.safeParse(undefined).success,
      schema: jsonSchema(param.schema),
    })),
    result: { name: 'result', schema: jsonSchema(result) },
    examples: [
      {
        name: 'example',
        params: params
          .slice(0, example.params.length)
          .map((param, position) => ({ name: param.name, value: example.params[position] })),
        ...(example.result === undefined ? {} : { result: { name: 'result', value: example.result } }),
      },
    ],
  }
}

/** What a client writes, as far as JSON Schema can say it. */
function jsonSchema(schema: z.ZodType): object {
  const described: Record<string, unknown> = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  delete described['$schema']
  return described
}
