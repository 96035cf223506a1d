/** The codes that the chains of a node have run, both of contracts and of creations. */

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
  /** Copies by their bytes as text, because init code is valid only when it is entered. */
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

/** The codes by chain. Codes of chains that nobody asks about belong to everyone who asks, because a test may have opened such a world. */
export class ExecutedCodes {
  readonly #asking = new Map<string | undefined, ChainCodes>()
  readonly #others = new ChainCodes()

  readonly of = (worldId: string | undefined): ChainCodes => this.#asking.get(worldId) ?? this.#others

  /**
   * The contracts whose code a chain has run since the last call, and whether solc's code without a known contract ran. `all` means
   * all chains, for a program with its own node.
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
