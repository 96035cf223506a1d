/** Carries events from chain to chain. */

/** Events of a contract from a block on. A range that begins above the newest block is an error, as on geth. */
const since = async (contract, event, first) =>
  (await contract.runner.provider.getBlockNumber()) < first ? [] : contract.queryFilter(event, first)

export class Relayer {
  #next = { home: 0, side: 0 }

  constructor(locker, minted) {
    this.locker = locker
    this.minted = minted
  }

  /** Mints what was locked, and announces what was burned, since the last call. */
  async relay() {
    for (const { args } of await since(this.locker, 'Locked', this.#next.home))
      await this.minted.mint(args.from, args.amount)
    for (const { args } of await since(this.minted, 'Burned', this.#next.side))
      await this.locker.announce(args.id, args.from, args.amount)
    this.#next = {
      home: (await this.locker.runner.provider.getBlockNumber()) + 1,
      side: (await this.minted.runner.provider.getBlockNumber()) + 1,
    }
  }
}
