/** Makes a build of what a provider knows about a contract, if it is that of the code on the chain. */

import { toHex } from '../../base/hex.ts'
import { reasonOf } from '../../base/system-errors.ts'
import { isSameCode, readCode } from '../artifacts/code.ts'
import { JsonValue } from '../artifacts/json-file.ts'
import type { Compilers } from './compiler.ts'
import type { CompilerOutput, FoundSource, StoredBuild } from './found-source.ts'

/** A build, and what is to be said about it. Without a build the sources are not used. */
export interface CheckedBuild {
  readonly build?: StoredBuild
  readonly fault?: string | undefined
}

/** Compiles the sources if the machine has their compiler; otherwise the build has what the provider knows, without ASTs. */
export async function checkedBuild(
  source: FoundSource,
  code: Uint8Array,
  compilers: Compilers,
): Promise<CheckedBuild> {
  const { name, compiler, input } = source
  const common = { _format: 'dev-node-sources-1', solcLongVersion: compiler, name, input } as const
  const compiled = await compilers.compile(source).catch((error: unknown) => reasonOf(error))
  if (typeof compiled === 'object')
    return hasCode(compiled, name, code)
      ? { build: { ...common, output: compiled } }
      : { fault: `solc ${compiler} makes another code of them` }
  const version = compiler.replace(/\+.*$/s, '')
  const hint =
    input.language === 'Solidity' ? `name a folder that has solc ${version} with --solc` : undefined
  return { build: { ...common, output: withoutCompiler(source, code), hint }, fault: compiled }
}

const hasCode = ({ contracts }: CompilerOutput, name: string, code: Uint8Array): boolean =>
  Object.values(contracts).some((inFile) => {
    const object = new JsonValue(() => inFile[name]).at('evm').at('deployedBytecode').at('object').value
    const compiled = readCode(object, 'runtime')
    return compiled !== undefined && isSameCode(code, compiled)
  })

/** The names and texts of a contract. Its code is that of the chain: the provider says that it belongs to it. */
function withoutCompiler({ name, input, abi }: FoundSource, code: Uint8Array): CompilerOutput {
  const paths = Object.keys(input.sources)
  const declaration = new RegExp(`\\b(contract|library)\\s+${name.replaceAll(/\W/g, '')}\\b`)
  const path = paths.find((one) => declaration.test(input.sources[one]?.content ?? '')) ?? paths[0] ?? name
  return {
    sources: Object.fromEntries(paths.map((one, id) => [one, { id }])),
    contracts: { [path]: { [name]: { abi, evm: { deployedBytecode: { object: toHex(code) } } } } },
  }
}
