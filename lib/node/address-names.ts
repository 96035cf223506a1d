/** Names of a chain's accounts and amounts, for people, from its head's state. */

import { errorText, fragmentKey, functionCalled, readAbi, type AbiFragment } from '../abi/fragments.ts'
import { SELECTOR_LENGTH, selectorOf } from '../abi/selector.ts'
import { decodeValues } from '../abi/values.ts'
import type { Keystore } from '../accounts/keystore.ts'
import { etherText, withPowers } from '../base/decimal-text.ts'
import { NodeError } from '../base/errors.ts'
import { EMPTY_BYTES, asAddress, equalBytes, fromHex, toHex, type Address, type Hash } from '../base/hex.ts'
import { addressesIn, withNames, withUnits, type TokenUnit } from '../base/named-text.ts'
import { oncePerValue } from '../base/once.ts'
import { finish, ifLoaded } from '../base/routine.ts'
import { printable } from '../config/request-log.ts'
import type { Chain } from '../chain/chain.ts'
import { ZERO_HASH } from '../chain/header.ts'
import type { BlockResolver } from '../chain/miner/block-resolver.ts'
import type { Simulator } from '../chain/simulation/simulator.ts'
import type { Outcome } from '../evm/outcome.ts'
import type { Precompile } from '../evm/precompile.ts'
import type { Transaction } from '../evm/transaction.ts'
import type { ContractCatalog } from '../insight/artifacts/catalog.ts'
import { AccountContracts } from '../insight/explain/account-contract.ts'
import type { KnownContracts } from '../insight/explain/explained-call.ts'
import { transferIn } from '../insight/explain/state-changes.ts'
import type { CallResult, ExplanationResult } from '../schema/explanation-results.ts'
import { amountsIn } from '../schema/token-amounts.ts'

/** Where names of accounts come from. */
export interface NameSources {
  readonly chain: Chain
  readonly blockResolver: BlockResolver
  readonly simulator: Simulator
  readonly contractCatalog: ContractCatalog
  readonly knownContracts: KnownContracts
  readonly keystore: Keystore
  readonly precompiles: ReadonlyMap<Address, Precompile>
}

/** A symbol that fits in a line: printable, without spaces. */
const SYMBOL = /^[^\p{C}\p{Z}]{1,32}$/u

/** Gas for a question to a token. */
const TOKEN_GAS = 200_000n

/** Token functions whose last argument is an amount (ERC-20). */
const TOKEN_CALLS: ReadonlySet<string> = new Set(
  ['transfer(address,uint256)', 'approve(address,uint256)', 'transferFrom(address,address,uint256)'].map(
    selectorOf,
  ),
)

/** Maximum number of addresses that are named in one text. */
const MAX_NAMED = 1000

/** Names of contracts that have the same address on every chain, by address in lower case. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  // github.com/Arachnid/deterministic-deployment-proxy, safe-global/safe-singleton-factory, pcaversaccio/createx
  '0x4e59b44847b379578588920ca78fbf26c0b4956c': 'CREATE2 deployer',
  '0x914d7fec6aac8cd542e72bca78b30650d45643d7': 'Safe singleton factory',
  '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed': 'CreateX',
  // github.com/mds1/multicall3, Uniswap/permit2, eth-infinitism/account-abstraction
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2',
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789': 'EntryPoint 0.6',
  '0x0000000071727de22e5e9d8baf0edac6f37da032': 'EntryPoint 0.7',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108': 'EntryPoint 0.8',
  // EIP-4788, EIP-2935, EIP-7002, EIP-7251
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02': 'beacon roots',
  '0x0000f90827f1c53a10cb7a02335b175320002935': 'block hashes',
  '0x00000961ef480eb55e80d19ad83579a64c007002': 'withdrawal requests',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251': 'consolidation requests',
}

export class AddressNames {
  readonly #sources: NameSources
  readonly #contracts: AccountContracts
  /** Functions of contracts that are part of the node, by selector. */
  readonly #nativeFunctions = oncePerValue((address: Address) => this.#readNative(address))
  /** Units of tokens, with the code that they were read from. Later changes of a symbol are not noticed. */
  readonly #units = new Map<Address, { readonly code: Uint8Array; readonly unit: TokenUnit }>()

  constructor(sources: NameSources) {
    this.#sources = sources
    this.#contracts = new AccountContracts(sources.knownContracts)
  }

  /** Names of the accounts in a text, by address: of contracts, the node's accounts, precompiles, or token symbols. */
  async namesIn(text: string): Promise<Readonly<Record<string, string>>> {
    const names: Record<string, string> = {}
    for (const found of addressesIn(text).slice(0, MAX_NAMED)) {
      const address = asAddress(found)
      const name = this.#nameOf(address) ?? (await this.tokenAt(address))?.symbol
      if (name !== undefined) names[address] = printable(name)
    }
    return names
  }

  /** A token's unit; undefined for an account without symbol and decimals. */
  async tokenAt(address: Address): Promise<TokenUnit | undefined> {
    const code = this.#loaded.code(address)
    if (code.length === 0) return undefined
    const known = this.#units.get(address)
    if (known !== undefined && equalBytes(known.code, code)) return known.unit
    const unit = await this.#readUnit(address)
    if (unit !== undefined) this.#units.set(address, { code, unit })
    return unit
  }

  async #readUnit(address: Address): Promise<TokenUnit | undefined> {
    const symbol = await this.#ask(address, 'symbol()', 'string')
    if (symbol === undefined || !SYMBOL.test(symbol)) return undefined
    const decimals = await this.#ask(address, 'decimals()', 'uint8')
    return decimals === undefined ? undefined : { symbol, decimals: Number(decimals) }
  }

  async unitsOf(tokens: readonly string[]): Promise<Readonly<Record<string, TokenUnit>>> {
    const units: Record<string, TokenUnit> = {}
    for (const token of [...new Set(tokens)].slice(0, MAX_NAMED)) {
      const unit = await this.tokenAt(asAddress(token))
      if (unit !== undefined) units[token] = unit
    }
    return units
  }

  async named(explanation: ExplanationResult): Promise<ExplanationResult> {
    const called = amountsIn(explanation.call, (token) => token).map(([, token]) => token)
    const units = await this.unitsOf([...explanation.tokens.map(({ token }) => token), ...called])
    // By now another contract may have the address.
    const names = { ...(await this.namesIn(JSON.stringify(explanation))), ...namesOf(explanation.call) }
    return { ...explanation, names, units }
  }

  /**
   * Sender and call in words, such as `Vault.deposit(12 MTK)`, `1.5 ether to account 2` or `new Vault at 0x...`; `outcome` if it is
   * mined.
   */
  async describe(transaction: Transaction, outcome?: Outcome) {
    await this.#sources.contractCatalog.refreshForUnknown()
    const from = await this.#named(transaction.sender)
    const text = this.#textOf(transaction, outcome)
    // Readers need the new contract's address, not its name twice.
    if (transaction.to === undefined) return { from, call: text }
    return { from, call: withPowers(await this.#named(await this.#withUnits(text, transaction, outcome))) }
  }

  #textOf({ to, data: input, value }: Transaction, outcome?: Outcome): string {
    if (to === undefined) {
      const name = this.#sources.contractCatalog.contractOf(input, 'creation')?.name ?? 'contract'
      return `new ${name}${outcome?.contractAddress === undefined ? '' : ` at ${outcome.contractAddress}`}`
    }
    if (input.length === 0) return `${etherText(value)} to ${to}`
    return `${to}.${this.#callText(to, input)}${value === 0n ? '' : ` with ${etherText(value)}`}`
  }

  async #named(text: string): Promise<string> {
    return withNames(text, await this.namesIn(text))
  }

  /** Shows amounts that tokens moved or would have moved in their units. */
  async #withUnits(text: string, { to, data }: Transaction, outcome?: Outcome): Promise<string> {
    const asked = TOKEN_CALLS.has(toHex(data.subarray(0, SELECTOR_LENGTH)))
      ? [{ token: to, id: undefined, amount: toHex(data.subarray(-32)) }]
      : []
    const units = new Map<string, TokenUnit>()
    const moved = outcome?.logs.flatMap((log) => transferIn(log) ?? []) ?? []
    for (const { token, id, amount } of [...asked, ...moved]) {
      const digits = String(BigInt(amount))
      if (token === undefined || id !== undefined || !text.includes(digits)) continue
      const unit = await this.tokenAt(asAddress(token))
      if (unit !== undefined) units.set(digits, unit)
    }
    return withUnits(text, units)
  }

  /** The function with its arguments; the selector if the function is unknown. */
  #callText(to: Address, input: Uint8Array): string {
    const contract = this.#contracts.at(to, this.#loaded)
    const abi = [...(contract?.implementation?.abi ?? []), ...(contract?.abi ?? [])]
    const { name = '', inputs: types = [] } =
      functionCalled(abi, input) ?? this.#nativeFunction(to, input) ?? {}
    const known = name === '' ? undefined : errorText({ name, types, selector: '' }, toHex(input))
    const guessed = known ?? this.#sources.knownContracts.signatures.callText(input)
    return guessed ?? `${toHex(input.subarray(0, SELECTOR_LENGTH))}(${input.length} bytes)`
  }

  /** The called function of a contract that is part of the node. */
  #nativeFunction(to: Address, input: Uint8Array): AbiFragment | undefined {
    if (!this.#sources.precompiles.has(to)) return undefined
    return this.#nativeFunctions(to).get(toHex(input.subarray(0, SELECTOR_LENGTH)))
  }

  #readNative(address: Address): ReadonlyMap<string, AbiFragment> {
    const { abi = [], bySelector = [] } = this.#sources.precompiles.get(address)?.interface?.() ?? {}
    const named = bySelector.flatMap((entry) =>
      readAbi([entry]).map((item) => [entry.selector, item] as const),
    )
    return new Map([...readAbi(abi).map((item) => [fragmentKey(item), item] as const), ...named])
  }

  #nameOf(address: Address): string | undefined {
    const { keystore, precompiles } = this.#sources
    const contract = this.#contracts.at(address, this.#loaded)
    if (contract?.implementation?.name !== undefined) return `${contract.implementation.name} (proxy)`
    const index = keystore.addresses.indexOf(address)
    const known = index === -1 ? precompiles.get(address)?.name : `account ${index}`
    return (
      contract?.name ?? known ?? (this.#loaded.code(address).length > 0 ? WELL_KNOWN[address] : undefined)
    )
  }

  /** The head's loaded state. On a fork, naming a contract must not cost a request to the remote. */
  get #loaded() {
    const { state } = this.#sources.chain.head
    return {
      code: (address: Address) => ifLoaded(() => state.code(address)) ?? EMPTY_BYTES,
      storageAt: (address: Address, slot: Hash) =>
        ifLoaded(() => state.storageAt(address, slot)) ?? ZERO_HASH,
    }
  }

  /** The value that a function without parameters returns; undefined if it fails. */
  async #ask(to: Address, signature: string, type: string): Promise<string | undefined> {
    const { blockResolver, simulator } = this.#sources
    const request = { to, data: fromHex(selectorOf(signature)), gas: TOKEN_GAS }
    try {
      const { status, returnData } = await finish(
        simulator.call(blockResolver.at({ tag: 'latest' }), request),
      )
      const values = status === 'success' ? decodeValues([{ type }], returnData) : undefined
      return values && String(values[0])
    } catch (error) {
      // A fork's remote may not answer.
      if (error instanceof NodeError) return undefined
      throw error
    }
  }
}

/** The names of the contracts that an explanation shows, by address. */
function namesOf({ to, contract, implementation, steps }: CallResult): Readonly<Record<string, string>> {
  const name = implementation === undefined ? contract : `${implementation} (proxy)`
  const own = name === undefined ? {} : { [to.toLowerCase()]: name }
  return steps.reduce((names, step) => ('call' in step ? { ...namesOf(step.call), ...names } : names), own)
}
