/** Faster lazy objects for Hardhat, such as `hre.ethers`: reading a member takes no stack trace. */

/** Hardhat's function: creates an object when a member of it is first used. */
export type LazyObject = <Target extends object>(create: () => Target) => Target

/**
 * The same function, faster. Hardhat's version takes a stack trace, with source maps, for each member that is read, to see whether
 * Web3 reads the object while it is being created.
 */
export const fastLazyObject =
  (original: LazyObject): LazyObject =>
  (create) => {
    let created: object | undefined
    let checked: object | undefined
    const object = original(() => (created = create()))
    return new Proxy(object, {
      get: (target, name, receiver): unknown => {
        if (checked !== undefined) return Reflect.get(checked, name, receiver)
        const member: unknown = Reflect.get(target, name, receiver)
        checked = created
        return member
      },
    })
  }
