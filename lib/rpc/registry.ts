/** Finds methods by name. The preset of a network may name another module in the place of `node` (config/names.ts). */

import { invariant } from '../base/invariant.ts'
import { NEUTRAL_NAMES, isNeutral } from '../config/names.ts'
import type { NetworkNames } from '../config/names.ts'
import type { Method } from './method.ts'
import { namedMethod } from './names.ts'

/** The methods that a node serves. */
export class Registry {
  readonly methods: readonly Method[]
  /** Modules of the methods, aliases not counted. */
  readonly modules: readonly string[]
  /** Names that the network uses in methods, OpenRPC and error texts. */
  readonly networkNames: NetworkNames
  readonly #byName = new Map<string, Method>()

  constructor(methods: readonly Method[], networkNames: NetworkNames = NEUTRAL_NAMES) {
    this.networkNames = networkNames
    this.methods = [...methods].sort((left, right) => (left.name < right.name ? -1 : 1))
    this.modules = [...new Set(this.methods.map(({ name }) => moduleOf(name)))].sort()
    for (const method of methods) {
      for (const name of [method.name, ...method.aliases]) {
        invariant(!this.#byName.has(name), `method ${name} is declared twice`)
        this.#byName.set(name, method)
      }
    }
  }

  /** The same methods under the names of a network, whose clients then cannot call them by the neutral ones. */
  named(names: NetworkNames): Registry {
    if (isNeutral(names)) return this
    return new Registry(
      this.methods.map((method) => namedMethod(names, method)),
      names,
    )
  }

  /** The method under a name or an alias. */
  find(name: string): Method | undefined {
    return this.#byName.get(name)
  }

  /** Every name, aliases included. */
  get names(): readonly string[] {
    return [...this.#byName.keys()].sort()
  }
}

/** Module of a method: the part of its name before the first underscore. */
export function moduleOf(name: string): string {
  return name.slice(0, name.indexOf('_'))
}
