/** Makes the OpenRPC description of the methods from their declarations. */

import { findPackage } from '../config/package.ts'
import { jsonSchema } from './json-schema.ts'
import type { Method } from './method.ts'
import { namedSchema } from './names.ts'
import type { Registry } from './registry.ts'

/** An OpenRPC 1.3 document. */
export function openRpcDocument(registry: Registry): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'dev-node', version: findPackage().version },
    methods: registry.methods.flatMap((method) =>
      [method.name, ...method.aliases].map((name) => describe(method, name, registry)),
    ),
  }
}

function describe(method: Method, name: string, { networkNames }: Registry): object {
  const { summary, params, result, example } = method
  const schemaOf = (schema: Method['result']) => namedSchema(networkNames, jsonSchema(schema))
  return {
    name,
    summary,
    params: params.map((param) => ({
      name: param.name,
      summary: param.summary,
      required: !param.schema.safeParse(undefined).success,
      schema: schemaOf(param.schema),
    })),
    result: { name: 'result', schema: schemaOf(result) },
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
