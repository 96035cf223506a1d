/** Collects what the answers of a node name: later requests ask for it again, so that they reach more than refusals. */

/** Number of values of a kind that are kept: the newest. */
const KEPT = 60

/** Characters of an answer that are searched. */
const SEARCHED = 3000

const WORD = /"0x[0-9a-f]{64}"/g
const ADDRESS = /"0x[0-9a-f]{40}"/g
/** Ids of filters, subscriptions and snapshots, and other numbers. */
const NUMBER = /"result":"(0x[0-9a-f]{1,34})"/g

/** Values that a request may refer to. */
export class Known {
  readonly addresses: string[] = [`0x${'00'.repeat(20)}`, `0x${'cc'.repeat(20)}`]
  readonly hashes: string[] = [`0x${'00'.repeat(32)}`, `0x${'ee'.repeat(32)}`]
  readonly numbers: string[] = ['0x0', '0x1']
  /** Byte code and call data, as hex. */
  readonly codes: string[] = ['0x', '0x00']
  /** Signed transactions, valid and damaged, as hex. */
  readonly transactions: string[] = ['0x']
  readonly #fixed: number

  constructor() {
    this.#fixed = this.addresses.length
  }

  /** Adds what an answer names. */
  learn(answer: string): void {
    const text = answer.length > SEARCHED ? answer.slice(0, SEARCHED) : answer
    for (const [quoted] of text.matchAll(WORD)) add(this.hashes, quoted.slice(1, -1))
    for (const [quoted] of text.matchAll(ADDRESS)) add(this.addresses, quoted.slice(1, -1))
    for (const [, number] of text.matchAll(NUMBER)) add(this.numbers, number!)
  }

  /** Adds accounts and precompiles, which answers do not drive out: every second choice is one of them. */
  fix(addresses: readonly string[]): void {
    this.addresses.splice(this.#fixed, 0, ...addresses)
  }
}

function add(values: string[], value: string): void {
  if (values.includes(value)) return
  values.push(value)
  if (values.length > KEPT) values.splice(KEPT >> 1, 1)
}
