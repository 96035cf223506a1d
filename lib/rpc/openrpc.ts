/** Makes the OpenRPC description of the methods from their declarations. */

import type { ErrorKind } from '../base/errors.ts'
import { getOrAdd } from '../base/once.ts'
import { findPackage } from '../config/package.ts'
import { errorResult } from '../schema/report-results.ts'
import { codesOf } from './error-codes.ts'
import { jsonSchema, namedSchema, type Registry } from './registry.ts'
import type { Method } from '../kernel/method.ts'

export function openRpcDocument(registry: Registry): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'dev-node', version: findPackage().version },
    methods: registry.methods.flatMap((method) =>
      [method.name, ...method.aliases].map((name) => describe(method, name, registry)),
    ),
    components: { schemas: { [ERROR_SCHEMA]: jsonSchema(errorResult) } },
  }
}

/** Name of the error objects' schema. OpenRPC describes only code, message and data of errors. */
const ERROR_SCHEMA = 'ErrorObject'

function describe(method: Method, name: string, { networkNames }: Registry): object {
  const { summary, params, result, errors, errorCodes, example } = method
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
    errors: errorsOf(errors, errorCodes),
    'x-error-schema': { $ref: `#/components/schemas/${ERROR_SCHEMA}` },
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

/** A method's errors by code, in all dialects. OpenRPC requires unique codes, so one may stand for several kinds. */
function errorsOf(kinds: readonly ErrorKind[], own: Method['errorCodes'] = {}): readonly object[] {
  const messages = new Map<number, Set<string>>()
  for (const kind of new Set<ErrorKind>(['invalidParams', ...kinds])) {
    for (const code of own[kind] === undefined ? Object.values(codesOf(kind)) : [own[kind]]) {
      getOrAdd(messages, code, () => new Set<string>()).add(inWords(kind))
    }
  }
  return [...messages].map(([code, texts]) => ({ code, message: [...texts].join(', ') }))
}

/** The name of a kind as words, such as `nonce too low`. */
const inWords = (kind: ErrorKind): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
