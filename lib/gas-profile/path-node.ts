/** Gas by call path: the calls of contracts and functions inside of each other. */

/** A contract or a function, called from the one above it. */
export class PathNode {
  readonly name: string
  /** Gas that it used itself. */
  gas = 0
  readonly #children = new Map<string, PathNode>()

  constructor(name: string) {
    this.name = name
  }

  /** What this one calls by a name. All calls by the same name are one. */
  child(name: string): PathNode {
    let child = this.#children.get(name)
    if (child === undefined) this.#children.set(name, (child = new PathNode(name)))
    return child
  }

  /** Paths below this one with gas of their own, as flame graphs read them: `A.f;B.g 123`. */
  *folded(above = ''): Generator<string> {
    for (const child of this.#children.values()) {
      const path = above + plain(child.name)
      if (child.gas > 0) yield `${path} ${child.gas}`
      yield* child.folded(`${path};`)
    }
  }
}

/** Names come from files: a semicolon or a line break would be read as another path. */
const plain = (name: string): string => name.replace(/[;\p{Cc}\u2028\u2029]/gu, '_')
