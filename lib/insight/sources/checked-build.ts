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
  { provider, compilers }: { readonly provider: string; readonly compilers: Pick<Compilers, 'compile'> },
): Promise<CheckedBuild> {
  const { name, compiler, input, output } = source
  if (output !== undefined && !hasCode(output, name, code)) return { fault: 'they are those of another code' }
  const common = { _format: 'dev-node-sources-1', provider, solcLongVersion: compiler, name, input } as const
  const compiled = await compilers.compile(source).catch((error: unknown) => reasonOf(error))
  if (typeof compiled === 'object') {
    if (hasCode(compiled, name, code)) return { build: { ...common, output: onlyGiven(compiled, source) } }
    if (output === undefined) return { fault: `solc ${compiler} makes another code of them` }
  }
  const version = compiler.replace(/\+.*$/s, '')
  const hint =
    input.language === 'Solidity' ? `name a folder that has solc ${version} with --solc` : undefined
  const build = { ...common, output: onlyGiven(output ?? withoutCompiler(source, code), source), hint }
  return { build, fault: typeof compiled === 'string' ? compiled : undefined }
}

/** Whether a contract of an output is that of a code. */
function hasCode({ contracts }: CompilerOutput, name: string, code: Uint8Array): boolean {
  return Object.values(contracts).some((inFile) => {
    const compiled = readCode(runtimeIn(inFile[name]), 'runtime')
    if (compiled === undefined) return false
    // Vyper appends immutables.
    return compiled.bytes.length <= code.length && isSameCode(code, compiled)
  })
}

function runtimeIn(contract: unknown): unknown {
  return new JsonValue(() => contract).at('evm').at('deployedBytecode').at('object').value
}

/** The output with the sources of the input: the text of another one would be looked for on the disk. */
const onlyGiven = ({ sources, contracts }: CompilerOutput, { input }: FoundSource): CompilerOutput => ({
  contracts,
  sources: Object.fromEntries(Object.entries(sources).filter(([path]) => Object.hasOwn(input.sources, path))),
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
