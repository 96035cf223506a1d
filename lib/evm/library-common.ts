/** Configures the EVM library for a network, to decode and sign transactions with one shared `Common`. */

import { Common, Mainnet } from '@ethereumjs/common'
import type { ChainConfig, ParamsDict } from '@ethereumjs/common'
import { paramsTx } from '@ethereumjs/tx'
import type { TxOptions } from '@ethereumjs/tx'
import { invariant } from '../base/invariant.ts'
import { customCrypto } from '../crypto/custom-crypto.ts'
import { unusedKzg } from '../crypto/unused-kzg.ts'

/** The library's parameters of a network. */
export interface LibraryRules {
  readonly chainId: bigint
  /** Name of the newest hard fork that is active from genesis. */
  readonly hardfork: string
  /** EIPs in addition to the hard fork's. */
  readonly eips: readonly number[]
}

/**
 * A `Common` whose copy is itself. The library would copy it and rebuild its parameter table for every transaction.
 */
class SharedCommon extends Common {
  #sealed = false

  /** Unlike the library's, accepts EIPs on older hard forks than the library expects; config/active-eips.ts checks them. */
  override setEIPs(eips: number[] = []): void {
    this._eips = eips
    this._buildParamsCache()
    this._buildActivatedEIPsCache()
  }

  override updateParams(params: ParamsDict): void {
    if (!this.#sealed) super.updateParams(params)
  }

  override copy(): Common {
    return this
  }

  seal(): void {
    this.#sealed = true
  }
}

/** Options of the library for one chain id. */
type LibraryOptions = TxOptions & { readonly common: Common }

/** The library's options for a network: those of its own chain id and of the last other chain id. */
export class LibraryNetwork {
  readonly #rules: LibraryRules
  readonly #own: LibraryOptions
  #other: LibraryOptions | undefined

  constructor(rules: LibraryRules) {
    this.#rules = rules
    this.#own = optionsOf(rules)
  }

  /** Options to decode and build transactions of a chain id. */
  optionsOf(chainId: bigint): LibraryOptions {
    if (chainId === this.#rules.chainId) return this.#own
    if (this.#other?.common.chainId() !== chainId) this.#other = optionsOf({ ...this.#rules, chainId })
    return this.#other
  }
}

function optionsOf(rules: LibraryRules): LibraryOptions {
  // Admission checks the size of init code.
  return { common: createCommon(rules), freeze: false, allowUnlimitedInitCodeSize: true }
}

/** Takes milliseconds, so it runs once for each chain id. */
function createCommon(rules: LibraryRules): Common {
  const common = new SharedCommon({
    chain: chainConfig(rules),
    hardfork: rules.hardfork,
    eips: [...rules.eips],
    customCrypto: { ...customCrypto, kzg: unusedKzg },
  })
  common.updateParams(paramsTx)
  common.seal()
  return common
}

/** A chain on which every hard fork up to the given one is active from the first block. */
function chainConfig({ chainId, hardfork }: LibraryRules): ChainConfig {
  const names = Mainnet.hardforks.map(({ name }) => name)
  const last = names.indexOf(hardfork)
  invariant(last >= 0, `no rules for hard fork ${hardfork}`)
  return {
    name: 'dev-node',
    chainId: Number(chainId),
    defaultHardfork: hardfork,
    genesis: { gasLimit: 0, difficulty: 0, nonce: '0x0000000000000000', extraData: '0x' },
    hardforks: names.slice(0, last + 1).map((name) => ({ name, block: 0 })),
    bootstrapNodes: [],
    consensus: { type: 'pow', algorithm: 'ethash', ethash: {} },
  }
}
