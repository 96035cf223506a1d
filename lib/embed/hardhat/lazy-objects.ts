/** Lazy objects of Hardhat, such as `hre.ethers`, whose members are read without a stack. */

/** Hardhat's function: an object that is created when a member of it is first used. */
export type LazyObject = <Target extends object>(create: () => Target) => Target

/**
 * The same function, faster. Hardhat's objects make a stack, with source maps, for each member that is read: it shows whether Web3
 * reads the object while this is created.
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
