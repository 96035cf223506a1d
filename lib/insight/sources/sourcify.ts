/**
 * Reads answers of Sourcify's API v2: `GET /v2/contract/{chainId}/{address}?fields=...` (ethereum/sourcify,
 * services/server/src/apiv2.yaml, "Get verified contract"; what the members hold is in services/utils/database-util.ts).
 */

import * as z from 'zod'
import { compilerInput, compilerOutput, readAnswer } from './found-source.ts'
import type { CompilerOutput, FoundSource } from './found-source.ts'

/** The members that are asked for. */
export const SOURCIFY_FIELDS = 'compilation,stdJsonInput,stdJsonOutput'

const linkReferences = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.int().nonnegative(), length: z.literal(20) }))),
)

const bytecode = z.looseObject({
  object: z.string().nullish(),
  linkReferences: linkReferences.nullish(),
})

const contract = z.looseObject({
  abi: z.unknown(),
  evm: z.looseObject({ bytecode: bytecode.nullish(), deployedBytecode: bytecode.nullish() }),
})

const verified = z.object({
  match: z.enum(['match', 'exact_match']),
  compilation: z.object({
    compilerVersion: z.string(),
    name: z.string(),
    fullyQualifiedName: z.string(),
  }),
  stdJsonInput: compilerInput,
  /** It has only the contract itself, and of the sources only their ids. */
  stdJsonOutput: compilerOutput,
})

const minimal = z.union([
  z.object({ match: z.string().nullable() }),
  // A chain that it does not know has no contracts.
  z.object({ customCode: z.literal('unsupported_chain') }).transform(() => ({ match: null })),
])

/** The verified contract of an answer; undefined if it is not verified. @throws SourceFault */
export function readSourcify(json: unknown): FoundSource | undefined {
  if (readAnswer(minimal, json).match === null) return undefined
  const { compilation, stdJsonInput: input, stdJsonOutput } = readAnswer(verified, json)
  const { name, fullyQualifiedName, compilerVersion } = compilation
  const path = fullyQualifiedName.slice(0, -name.length - 1)
  const found = readAnswer(contract, stdJsonOutput.contracts[path]?.[name])
  const { bytecode: creation, deployedBytecode } = found.evm
  const evm = { bytecode: linked(creation), deployedBytecode: linked(deployedBytecode) }
  const output: CompilerOutput = {
    sources: stdJsonOutput.sources,
    contracts: { [path]: { [name]: { ...found, evm } } },
  }
  return { name, compiler: compilerVersion.replace(/^v/, ''), input, abi: found.abi, output }
}

/** Characters in place of the address of a library, as the compiler writes them: Sourcify stores zeros. */
const PLACEHOLDER = `__$${'0'.repeat(34)}$__`

function linked(code: z.output<typeof bytecode> | null | undefined) {
  let object = code?.object?.replace(/^0x/, '') ?? ''
  for (const { start } of Object.values(code?.linkReferences ?? {}).flatMap((file) =>
    Object.values(file).flat(),
  ))
    object = object.slice(0, 2 * start) + PLACEHOLDER + object.slice(2 * start + PLACEHOLDER.length)
  return { ...code, object }
}
