/** The codes that the chains of a node have run, of contracts and of creations. */

import { getOrAdd } from '../../base/once.ts'
import type { ExecutionMonitor } from '../../evm/observer.ts'
import {
  hasMetadata,
  withoutArguments,
  type CodeKind,
  type ContractOf,
} from '../../insight/artifacts/code.ts'
import type { CompiledContract } from '../../insight/artifacts/compilation.ts'

class ChainCodes implements ExecutionMonitor {
  #contracts = new Set<Uint8Array>()
  /** Copies, because init code is valid only while it is entered, by their bytes as text. */
  #creations = new Map<string, Uint8Array>()

  codeEntered({ code, isCreation }: Parameters<NonNullable<ExecutionMonitor['codeEntered']>>[0]): void {
    if (isCreation)
      getOrAdd(this.#creations, withoutArguments(code).toString('latin1'), () => Uint8Array.from(code))
    else this.#contracts.add(code)
  }

  get codes(): readonly { readonly code: Uint8Array; readonly kind: CodeKind }[] {
    return [
      ...[...this.#contracts].map((code) => ({ code, kind: 'runtime' as const })),
      ...[...this.#creations.values()].map((code) => ({ code, kind: 'creation' as const })),
    ]
  }

  clear(): void {
    this.#contracts = new Set()
    this.#creations = new Map()
  }
}

/** The codes by chain. Those of chains for which nobody asks belong to all who ask: a test may have opened such a world. */
export class ExecutedCodes {
  readonly #asking = new Map<string | undefined, ChainCodes>()
  readonly #others = new ChainCodes()

  readonly of = (worldId: string | undefined): ChainCodes => this.#asking.get(worldId) ?? this.#others

  /**
   * The contracts of the codes that a chain has run since the last time, and whether code of solc is of none of them. `all`: those of
   * all chains, for a program that has the node for itself.
   */
  take(worldId: string | undefined, all: boolean, contractOf: ContractOf) {
    const contracts = new Set<CompiledContract>()
    let isUnknown = false
    const own = all ? this.#others : getOrAdd(this.#asking, worldId, () => new ChainCodes())
    for (const { code, kind } of new Set([...own.codes, ...this.#others.codes])) {
      const contract = contractOf(code, kind)
      if (contract !== undefined) contracts.add(contract)
      else isUnknown ||= hasMetadata(code)
    }
    own.clear()
    return { contracts, isUnknown }
  }
}
